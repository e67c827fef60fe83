"""The OpenAPI document: what operations share is added to each here, by its method.

drf-spectacular finds addresses, methods and security; bodies and answers are the reports' own
types (`contents.py`); problems, conditional headers and their answers are the same everywhere
and are written once, as components.
"""

from __future__ import annotations

from typing import Any

from campaigns.api import contents, problem

Operation = dict[str, Any]

PROBLEMS: dict[int, tuple[str, str]] = {
    400: ("Malformed", "The request does not fit; `path` says where."),
    401: ("SignInFirst", "Nobody is signed in, or the token is unknown, revoked or expired."),
    403: ("Forbidden", "The token has not the scope for this, or the session sent no CSRF token."),
    404: ("NotFound", "Unknown, or not for you: the answer is the same."),
    406: ("NotAcceptable", "Answers are JSON."),
    409: ("Refused", "Refused: `detail` says why, `rule` by which printed rule if by one."),
    412: ("Changed", "Changed since it was read. Its ETag of now is in the answer."),
    413: ("TooLarge", "The body is too large."),
    415: ("NotJson", "Bodies are JSON."),
    422: ("KeyOfAnother", "The Idempotency-Key was sent with another request."),
    428: ("ConditionNeeded", "If-Match is needed."),
    429: ("TooManyBadTokens", "Too many bad tokens came from there. Wait."),
}
ALWAYS = (400, 401, 403, 404, 406, 409, 429)
OWN_HEADERS = {401: "WWW-Authenticate", 412: "ETag", 429: "Retry-After"}
BY_METHOD: dict[str, tuple[int, ...]] = {
    "get": (),
    "post": (413, 422),
    "put": (413,),
    "delete": (),
}
SLUG = "^[-a-zA-Z0-9_]+$"
UNCHANGED = {"description": "What If-None-Match names is what it still is; no body."}

HEADERS: dict[str, tuple[str, str]] = {
    "ETag": ("string", "Of what was read; for If-None-Match and If-Match."),
    "Location": ("string", "Where what was made is, if it has an address."),
    "Retry-After": ("integer", "Seconds to wait before asking again."),
    "WWW-Authenticate": ("string", "What to sign in with."),
}
PARAMETERS: dict[str, dict[str, Any]] = {
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "Of your choice, kept for a day: a request that is sent again with the same"
        " key is answered again and not carried out again.",
        "schema": {"type": "string", "maxLength": 100, "pattern": "^[ -~]*$"},
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "description": "The ETag of what you have: 304 if it is still that.",
        "schema": {"type": "string"},
    },
}


def complete(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Post-processing of what drf-spectacular found."""
    parts = result.setdefault("components", {})
    parts["schemas"] = {**contents.components(), "Problem": problem.SCHEMA}
    parts["responses"] = {
        name: {
            "description": words,
            "content": {problem.MEDIA_TYPE: {"schema": _part("schemas", "Problem")}},
            **_own_header(code),
        }
        for code, (name, words) in PROBLEMS.items()
    }
    parts["headers"] = {
        name: {"description": words, "schema": {"type": kind}}
        for name, (kind, words) in HEADERS.items()
    }
    parts["parameters"] = PARAMETERS
    for methods in result["paths"].values():
        for method, operation in methods.items():
            _complete(method, operation)
            _describe_sent(operation, parts["schemas"])
    return result


def _describe_sent(operation: Operation, schemas: dict[str, Any]) -> None:
    """Say of addresses what their parts are made of, and of bodies when they may be left out."""
    operation.pop("description", None)  # the docstring of a class speaks to who reads the code
    for parameter in operation.get("parameters", ()):
        if parameter.get("in") == "path":
            parameter["schema"]["pattern"] = SLUG
    body = operation.get("requestBody")
    if body is not None:
        name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        body["required"] = bool(schemas[name]["required"])


def _own_header(code: int) -> dict[str, Any]:
    name = OWN_HEADERS.get(code)
    return {"headers": {name: _part("headers", name)}} if name else {}


def _part(kind: str, name: str) -> dict[str, str]:
    return {"$ref": f"#/components/{kind}/{name}"}


def _complete(method: str, operation: Operation) -> None:
    """Give an operation the problems, headers and conditions of its method."""
    codes = {*ALWAYS, *BY_METHOD[method]}
    if "requestBody" in operation:
        codes.add(415)
    held = [p for p in operation.get("parameters", ()) if p.get("name") == "If-Match"]
    codes.update({412} if held else (), {428} if held and held[0].get("required") else ())
    if method == "get":
        _add_parameter(operation, "IfNoneMatch")
        operation["responses"]["304"] = UNCHANGED
        _add_header(operation, "200", "ETag")
    if method == "post":
        _add_parameter(operation, "IdempotencyKey")
    for status, names in {"201": ["Location"], "202": ["Location", "Retry-After"]}.items():
        for name in names:
            _add_header(operation, status, name)
    for code in codes:
        operation["responses"].setdefault(str(code), _part("responses", PROBLEMS[code][0]))
    operation["responses"] = dict(sorted(operation["responses"].items()))


def _add_parameter(operation: Operation, name: str) -> None:
    operation.setdefault("parameters", []).append(_part("parameters", name))


def _add_header(operation: Operation, status: str, name: str) -> None:
    answer = operation["responses"].get(status)
    if answer is not None:
        answer.setdefault("headers", {})[name] = _part("headers", name)
