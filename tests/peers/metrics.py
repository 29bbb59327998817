"""Reads metrics as Prometheus does, with its own client library.

    python metrics.py < TEXT

Prints one JSON line a sample: {"family", "type", "name", "labels", "value"}. What it cannot parse ends it badly.
"""

import json
import sys

from prometheus_client.parser import text_string_to_metric_families

for family in text_string_to_metric_families(sys.stdin.read()):
    for sample in family.samples:
        line = {"family": family.name, "type": family.type, "name": sample.name}
        print(json.dumps({**line, "labels": sample.labels, "value": sample.value}))
