"""Pages, one file per noun: fetch, call an operation, render a report."""
