"""Judges a description of an API, and an API by its description.

    openapi.py describes < DOCUMENT
    openapi.py serves ADDRESS TOKEN < DOCUMENT

`describes` asks openapi-spec-validator and prints {"no": null} or why not. `serves` lets schemathesis send each operation
its own examples and a few made-up requests, and prints one JSON line an operation: {"operation", "sent", "statuses", "no"},
where `no` lists each answer that is a server error, or that is not as it is described.
"""

import json
import sys
from collections import Counter

import hypothesis
import schemathesis
from openapi_spec_validator import OpenAPIV31SpecValidator
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
MADE_UP = 3
# Signing in is throttled, and a turn's stream lasts as long as the turn.
LEFT_OUT = ("/api/auth/sign-in", "/api/naalya-ai/chat")


def describes(document):
    faults = [f"{'/'.join(map(str, fault.path))}: {fault.message}" for fault in OpenAPIV31SpecValidator(document).iter_errors()]
    print(json.dumps({"no": faults or None}))


def serves(document, address, token):
    schema = schemathesis.openapi.from_dict(document)
    schema.config.update(base_url=address)
    for result in schema.get_all_operations():
        operation = result.ok()
        if operation.path.startswith(LEFT_OUT):
            continue
        statuses, faults = Counter(), []

        def send(case):
            response = case.call(headers={"Authorization": f"Bearer {token}"}, timeout=10)
            statuses[response.status_code] += 1
            try:
                case.validate_response(response, checks=CHECKS)
            except FailureGroup as group:
                faults.extend(str(failure) for failure in group.exceptions)

        for strategy in operation.get_strategies_from_examples():
            drawn(strategy, 1, send)
        drawn(operation.as_strategy(), MADE_UP, send)
        line = {"operation": operation.label, "sent": sum(statuses.values()), "statuses": statuses, "no": faults or None}
        print(json.dumps(line), flush=True)


def drawn(strategy, count, send):
    """The same requests in every run."""

    @hypothesis.settings(
        max_examples=count,
        database=None,
        deadline=None,
        derandomize=True,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(strategy)
    def each(case):
        send(case)

    each()


if sys.argv[1] == "describes":
    describes(json.load(sys.stdin))
else:
    serves(json.load(sys.stdin), sys.argv[2], sys.argv[3])
