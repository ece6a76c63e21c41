# SPDX-License-Identifier: Apache-2.0
"""The jobs as graphs of ONNX, opset 24, in its text format; `output` is bound to the memory of the first input, so that
nothing is copied. There is no operator that counts: `ones` is a tensor of ones. There is none for slices."""

histogram = """
output = ScatterElements <axis = 0, reduction = "add"> (counts, samples, ones)
"""
embedding_gradient = """
one = Constant <value_ints = [1]> ()
indices = Unsqueeze (tokens, one)
output = ScatterND <reduction = "add"> (gradient, indices, upstream)
"""
kv_cache = """
output = TensorScatter <axis = 2> (cache, token, positions)
"""
table_rows = """
one = Constant <value_ints = [1]> ()
indices = Unsqueeze (rows, one)
output = ScatterND (table, indices, updates)
"""
splat = """
one = Constant <value_ints = [1]> ()
rows = Unsqueeze (y, one)
columns = Unsqueeze (x, one)
indices = Concat <axis = 1> (rows, columns)
output = ScatterND <reduction = "add"> (image, indices, colours)
"""
random_elements = """
output = ScatterElements <axis = 0> (array, positions, values)
"""
