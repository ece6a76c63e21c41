# SPDX-License-Identifier: Apache-2.0
"""corpus.json, which the C++ tests replay, is what NumPy says today."""

import make_corpus


def test_the_corpus_is_up_to_date():
    assert make_corpus.FILE.read_text() == make_corpus.written()
