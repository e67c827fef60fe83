"""Forms: what a page sends, read and checked for shape; operations decide what it means."""
