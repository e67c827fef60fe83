"""The published OpenAPI document: up to date, whole, and true of every operation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from django.core.management import call_command
from django.urls import get_resolver

from campaigns.models import Scope

DOCUMENT = Path(__file__).parents[2] / "docs" / "openapi.yaml"
COMMAND = "manage.py spectacular --validate --fail-on-warn --file docs/openapi.yaml"
METHODS = {"get", "post", "put", "delete"}


@pytest.fixture(scope="module")
def document():
    return yaml.load(DOCUMENT.read_text(), Loader=yaml.CSafeLoader)


def operations(document):
    return [
        (f"{method.upper()} {path}", method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def test_the_committed_document_is_that_of_the_code(tmp_path):
    made = tmp_path / "openapi.yaml"
    call_command("spectacular", "--fail-on-warn", "--validate", file=str(made))
    assert made.read_text() == DOCUMENT.read_text(), (
        f"docs/openapi.yaml is not what the code does. Look at what changed, then write it anew:"
        f" {COMMAND}"
    )


def test_it_is_of_the_version_that_tools_are_told(document):
    assert document["openapi"].startswith("3.1")


def test_every_reference_leads_somewhere_and_nothing_is_left_over(document):
    text = DOCUMENT.read_text()
    used = set(re.findall(r"#/components/(\w+/[\w.-]+)", text))
    parts = document["components"]
    there = {f"{kind}/{name}" for kind, named in parts.items() for name in named}
    assert used <= there
    assert not [name for name in there if "." in name], "two types of one name"
    assert {name for name in there - used if not name.startswith("securitySchemes")} == set()


def test_every_operation_says_what_can_go_wrong_and_that_it_is_a_problem(document):
    parts = document["components"]["responses"]
    missing = []
    for name, method, operation in operations(document):
        assert method in METHODS
        wanted = {"400", "401", "403", "404", "406", "409", "429"}
        wanted |= {"get": {"304"}, "post": {"413", "422"}, "put": {"412", "413", "428"}}.get(
            method, set()
        )
        wanted |= {"415"} if "requestBody" in operation else set()
        said = operation["responses"]
        missing += [f"{name} {code}" for code in sorted(wanted - set(said))]
        for code in (code for code in said if code >= "400"):
            content = parts[said[code]["$ref"].rpartition("/")[2]]["content"]
            assert set(content) == {"application/problem+json"}
    assert not missing


def test_every_operation_has_a_summary_and_a_name_of_its_own(document):
    names = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(names) == len(set(names))
    assert all(operation["summary"] for _, _, operation in operations(document))


def test_nothing_in_it_is_a_number_of_the_database(document):
    named = {
        f"{name}.{key}"
        for name, kind in document["components"]["schemas"].items()
        for key in kind.get("properties", ())
    }
    assert {name for name in named if re.search(r"(_id|\.id|\.pk)$", name)} == set()


def test_every_address_of_the_api_is_in_it(document):
    told = {re.sub(r"{\w+}", "{}", path) for path in document["paths"]}
    assert addresses() - told == set()


def addresses():
    """Every address below `/api/v1/`, its parts as `{}`."""
    found = set()

    def walk(patterns, so_far):
        for pattern in patterns:
            at = so_far + str(pattern.pattern)
            if hasattr(pattern, "url_patterns"):
                walk(pattern.url_patterns, at)
            elif at.startswith("api/v1/"):
                found.add("/" + re.sub(r"<[^>]+>", "{}", at))

    walk(get_resolver().url_patterns, "")
    return found


def test_the_addresses_that_the_guide_names_are_in_it(document):
    guide = (DOCUMENT.parent / "api.md").read_text()
    told = {re.sub(r"{\w+}", "{}", path) for path in document["paths"]}
    for tail in re.findall(r"\$C(/[\w/$-]*)", guide):
        path = "/api/v1/campaigns/{}" + re.sub(r"\$\w+", "{}", tail).replace("/allies/", "/{}/")
        assert path in told, tail
    for scope in Scope:
        assert f"`{scope.value}`" in guide
