# SPDX-License-Identifier: Apache-2.0
"""The official ONNX node tests of all operators that scatter: models and tensors as the onnx package has them."""

import numpy as np
import onnx
import pytest
import strew_python
from onnx.backend.test.case.node import collect_testcases

import library

SUPPORTED = ("Scatter", "ScatterElements")


def attributes_of(node):
    return {attribute.name: onnx.helper.get_attribute_value(attribute) for attribute in node.attribute}


def scatters(case):
    return case.model is not None and any("scatter" in node.op_type.lower() for node in case.model.graph.node)


def collected():
    with np.errstate(all="ignore"):  # some tests of other operators divide by zero on purpose
        return [case for case in collect_testcases(None) if scatters(case)]


def what_is_lacking(case):
    """The operator or reduction that the test needs and the library does not have, or None."""
    node = case.model.graph.node[0]
    if len(case.model.graph.node) != 1 or node.op_type not in SUPPORTED:
        return f"operator {node.op_type}"
    reduction = attributes_of(node).get("reduction", b"none").decode()
    return None if reduction == "none" else f"reduction '{reduction}' of {node.op_type}"


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_official_node_tests(results):
    found = {}
    for case in collected():
        lacking = what_is_lacking(case)
        found[case.name] = f"needs {lacking}, which the library does not have" if lacking else "passes"
        if lacking:
            continue
        axis = attributes_of(case.model.graph.node[0]).get("axis")
        for inputs, outputs in case.data_sets:
            data, indices, updates = inputs
            output = np.zeros_like(data)
            strew_python.onnx_scatter(data, indices, updates, *([] if axis is None else [axis]), output=output)
            assert library.same_bits(output, outputs[0]), case.name
    results["node_tests"] = found
    # The collector's scatters of the pinned version; a new one is to be looked at.
    assert len(found) == 19
    assert sum(outcome == "passes" for outcome in found.values()) == 5
