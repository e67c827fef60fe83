"""The JSON Schemas of the engine's documents, published."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns import engine
from campaigns.api.endpoint import Endpoint
from campaigns.refusals import NotFound


class DocumentSchema(Endpoint):
    @extend_schema(
        operation_id="document_schema",
        summary="JSON Schema of a ruleset's scenario, result, log or question",
        responses={
            200: OpenApiResponse({"type": "object"}, description="A JSON Schema"),
            404: OpenApiResponse(
                {"$ref": "#/components/schemas/Problem"}, description="No such document"
            ),
        },
    )
    def get(self, request: Request, ruleset: str, name: str) -> Response:
        found = engine.document_schema(ruleset, name)
        if found is None:
            raise NotFound
        return Response(found)
