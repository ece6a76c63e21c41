# SPDX-License-Identifier: Apache-2.0
"""Checks the built search index: each term lists its page first, and no text of a picture is found.

    check_search.py build/site

It ranks as the theme's script does: lunr without length normalisation, each word of a term as a prefix, pages before sections.
A page that is not part of the site yet is named and left out.
"""
import html
import json
import pathlib
import re
import sys

from lunr.builder import Builder
from lunr.pipeline import Pipeline

FIRST = {
    "bincount": "from-others.html",
    "segment_sum": "from-others.html",
    "MSVC": "limits.html",
    "duplicates": "operators/index.html",
    "histogram": "cookbook.html",
    "float16": "operators/reductions.html",
    "thread": "executors.html",
    "workspace": "workspaces.html",
    "prepare": "prepared.html",
    "exception": "errors.html",
    "slice": "operators/slice_scatter.html",
    "scatter_update": "operators/scatter_update.html",
    "index_add": "operators/index_add.html",
    "masked_fill": "operators/masked_scatter.html",
    "np.add.at": "operators/index_add.html",
    "vector<bool>": "limits.html",
}
OF_PICTURES = "lands at"  # in the description of every picture with an update


def words_of(text, config):
    return [word for word in re.split(config["separator"], text) if word]


def build_index(config, documents):
    def words(field):
        def extract(document):
            value = document.get(field) or ""
            text = " ".join(value) if isinstance(value, list) else re.sub(r"<[^>]*>", " ", value)
            return words_of(html.unescape(text), config)
        return extract

    builder = Builder()
    builder.pipeline = builder.search_pipeline = Pipeline()
    builder.b(0)
    builder.ref("location")
    for name, field in config["fields"].items():
        builder.field(name, boost=field["boost"], extractor=words(name))
    for document in documents:
        builder.add(document, {"boost": document.get("boost", 1)})
    return builder.build()


def ranked_pages(index, words):
    scores = {}
    for result in index.search(" ".join(word.lower() + "*" for word in words)):
        page, _, section = result["ref"].partition("#")
        score = result["score"] * (2 if section else 5)  # the theme's weights of sections and of pages
        scores[page] = max(scores.get(page, 0), score)
    return sorted(scores, key=scores.get, reverse=True)


def main():
    site = pathlib.Path(sys.argv[1])
    content = json.loads((site / "search/search_index.json").read_text())
    documents = content["docs"]
    errors = [f"{document['location']}: the text of a picture is in the search index"
              for document in documents if OF_PICTURES in document["text"]]
    index = build_index(content["config"], documents)
    for term, page in FIRST.items():
        if not (site / page).exists():
            print(f"search: {term}: not checked, there is no {page} yet")
            continue
        found = ranked_pages(index, words_of(term, content["config"]))
        if found[:1] != [page]:
            errors.append(f"search: {term}: {page} is not first of {', '.join(found[:4]) or 'no results'}")
    if errors:
        sys.exit("\n".join(errors))


if __name__ == "__main__":
    main()
