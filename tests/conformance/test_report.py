# SPDX-License-Identifier: Apache-2.0
"""docs/conformance.md says what results.json holds, and results.json is of the versions that are pinned."""

import json

import report


def test_the_document_is_up_to_date():
    assert report.DOCUMENT.read_text() == report.written(json.loads(report.RESULTS.read_text()))


def test_the_results_are_of_the_pinned_versions(results):
    recorded = json.loads(report.RESULTS.read_text())["versions"]
    interpreter = {"python": results["versions"]["python"]}  # not pinned
    assert recorded | interpreter == results["versions"]


def test_the_results_are_thorough():
    results = json.loads(report.RESULTS.read_text())
    for kind, fewest in {"differential": 200_000, "large": 10_000}.items():
        assert list(results[kind]) == list(report.TITLES)
        assert all(operator["cases"] >= fewest for operator in results[kind].values())
    assert all(found["numpy"] >= 200_000 for found in results["reductions"].values())
