"""The API, version 1: the same reports and operations as the pages, as JSON.

Each endpoint fetches a seat, calls an operation or a report, and answers with its plain
structure. Errors are `application/problem+json`; hidden and unknown are both 404. The OpenAPI
document is made from the reports' own types (`contents.py`).
"""
