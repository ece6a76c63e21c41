# SPDX-License-Identifier: Apache-2.0
"""The official ONNX node tests of all operators that scatter: models and tensors as the onnx package has them."""

import numpy as np
import onnx
import pytest
import strew
from onnx.backend.test.case.node import collect_testcases

import library

SUPPORTED = ("Scatter", "ScatterElements", "ScatterND", "TensorScatter")


def attributes_of(node):
    return {attribute.name: onnx.helper.get_attribute_value(attribute) for attribute in node.attribute}


def scatters(case):
    return case.model is not None and any("scatter" in node.op_type.lower() for node in case.model.graph.node)


def collected():
    with np.errstate(all="ignore"):  # some tests of other operators divide by zero on purpose
        return [case for case in collect_testcases(None) if scatters(case)]


def what_is_lacking(case):
    """The operator that the test needs and the library does not have, or None."""
    node = case.model.graph.node[0]
    if len(case.model.graph.node) != 1 or node.op_type not in SUPPORTED:
        return f"operator {node.op_type}"
    return None


def run(node, inputs, output):
    """The operator of a node."""
    attributes = attributes_of(node)
    axis = {name: value for name, value in attributes.items() if name == "axis"}
    reduction = attributes.get("reduction", b"none").decode()
    if node.op_type == "Scatter":
        strew.onnx.scatter(*inputs, **axis, out=output)
    elif node.op_type == "ScatterElements":
        strew.onnx.scatter_elements(*inputs, **axis, reduction=reduction, out=output)
    elif node.op_type == "ScatterND":
        strew.onnx.scatter_nd(*inputs, reduction=reduction, out=output)
    else:
        mode = attributes.get("mode", b"linear").decode()
        strew.onnx.tensor_scatter(*inputs, mode=mode, **axis, out=output)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_official_node_tests(results):
    found = {}
    for case in collected():
        lacking = what_is_lacking(case)
        found[case.name] = f"needs {lacking}, which the library does not have" if lacking else "passes"
        if lacking:
            continue
        for inputs, outputs in case.data_sets:
            output = np.zeros_like(inputs[0])
            run(case.model.graph.node[0], inputs, output)
            assert library.same_bits(output, outputs[0]), case.name
    results["node_tests"] = found
    # The collector's scatters of the pinned version; a new one is to be looked at.
    assert len(found) == 19
    assert sum(outcome == "passes" for outcome in found.values()) == 19
