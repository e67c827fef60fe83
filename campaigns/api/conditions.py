"""Requests on a condition: `ETag` with `If-Match` and `If-None-Match`, and `Idempotency-Key`."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from rest_framework import exceptions, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder

from campaigns.api.problem import AnsweredBefore, Changed, Malformed
from campaigns.models import KeptAnswer, Seat
from campaigns.operations import kept_answers

LONGEST_KEY = 100


class ConditionNeeded(exceptions.APIException):
    status_code = status.HTTP_428_PRECONDITION_REQUIRED
    default_detail = "Send If-Match with the ETag of what you change, so that nobody's is lost."
    default_code = "condition-needed"


class KeyOfAnother(exceptions.APIException):
    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY
    default_detail = "This Idempotency-Key was sent with another request. Use a new key."
    default_code = "key-of-another"


class UnderWay(exceptions.APIException):
    status_code = status.HTTP_409_CONFLICT
    default_detail = "The request of this Idempotency-Key is being carried out. Try again shortly."
    default_code = "under-way"


class ToldOnce(exceptions.APIException):
    status_code = status.HTTP_409_CONFLICT
    default_detail = "This was done. Its answer held a secret that is shown once and not kept."
    default_code = "told-once"


def tag_of(data: Any) -> str:
    """The strong ETag of an answer: a hash of what it says."""
    text = json.dumps(data, cls=JSONEncoder, sort_keys=True, separators=(",", ":"))
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def _tags(header: str) -> list[str]:
    return [tag.strip() for tag in header.split(",")]


def unchanged(request: Request, tag: str) -> bool:
    """Whether `If-None-Match` names what the answer still is."""
    header = request.headers.get("If-None-Match", "")
    return bool(header) and (header.strip() == "*" or tag in _tags(header.replace("W/", "")))


def match(request: Request, data: Any, *, needed: bool) -> None:
    """Hold a request to its `If-Match`. Raises ConditionNeeded or Changed."""
    header = request.headers.get("If-Match", "")
    if not header:
        if needed:
            raise ConditionNeeded
        return
    current = tag_of(data)
    if header.strip() != "*" and current not in _tags(header):
        raise Changed(current)


def _eyes(request: Request) -> str:
    """Role and side that an answer is made for: one made for others is never given again."""
    slug = (request.parser_context or {}).get("kwargs", {}).get("slug", "")
    if not request.user.is_authenticated:
        return ""
    seat = Seat.objects.filter(campaign__slug=slug, user=request.user).first()
    return f"\n{seat.role} {seat.side_id}" if seat else ""


def begin(request: Request, *, keeps: bool) -> KeptAnswer | None:
    """Begin a POST that carries a key. Raises AnsweredBefore where it is known.

    `keeps`: whether the endpoint's answers may be kept.
    """
    key = request.headers.get("Idempotency-Key", "").strip()
    if not key or request.method != "POST" or not request.user.is_authenticated:
        return None
    if len(key) > LONGEST_KEY or not (key.isascii() and key.isprintable()):
        raise Malformed(
            f"Idempotency-Key: at most {LONGEST_KEY} printable characters of ASCII",
            "Idempotency-Key",
        )
    asked = hashlib.sha256(f"{request.method} {request.get_full_path()}\n".encode())
    asked.update(request.body)
    asked.update(_eyes(request).encode())
    begun = kept_answers.begin(
        user=request.user, key=key, request=asked.hexdigest(), address=request.path
    )
    if begun is not None:
        return begun
    known = kept_answers.known(user=request.user, key=key)
    if known is None:
        raise UnderWay
    if known.request != asked.hexdigest():
        raise KeyOfAnother
    if not known.status:
        raise UnderWay
    if not keeps:
        raise ToldOnce
    answer = Response(json.loads(known.body) if known.body else None, status=known.status)
    if known.location:
        answer["Location"] = known.location
    if known.status == status.HTTP_202_ACCEPTED:
        answer["Retry-After"] = "1"
    answer["Idempotency-Replayed"] = "true"
    raise AnsweredBefore(answer)


def give_up(begun: KeptAnswer) -> None:
    """Forget a request that broke down: whoever sends it again has it carried out again."""
    kept_answers.finish(begun, status=500, body="", location="")


def finish(begun: KeptAnswer, answer: Response, *, keeps: bool) -> None:
    """Keep the answer of a request that was begun."""
    body = json.dumps(answer.data, cls=JSONEncoder) if keeps and answer.data is not None else ""
    kept_answers.finish(
        begun, status=answer.status_code, body=body, location=str(answer.get("Location", ""))
    )
