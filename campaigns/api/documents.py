"""The JSON Schemas of the engine's documents, published."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from campaigns import engine
from campaigns.api.endpoint import Endpoint, describe
from campaigns.refusals import NotFound


class DocumentSchema(Endpoint):
    @describe(
        "document_schema",
        "JSON Schema of a ruleset's scenario, result, log or question, or of one kind of question",
        {"type": "object"},
    )
    def get(self, request: Request, ruleset: str, name: str) -> Response:
        found = engine.document_schema(ruleset, name)
        if found is None:
            raise NotFound
        return Response(found)
