# SPDX-License-Identifier: Apache-2.0
"""The site's own pages as Markdown that reads without a generator: docs/pages, with the pictures of operators in
docs/images/operators. Their links lead to files of the repository: a header where the site has its reference.

hooks.py calls this in each build of the site, and fails where the files are others; with STREW_PAGES=write it writes them.
"""
import os
import pathlib
import posixpath
import re
import textwrap

import standalone

FOLDER = "docs/pages"
PICTURES = "docs/images/operators"


class PlainPages:
    def __init__(self, root, headers, origins):
        self.root = root
        self.headers = {header.page: "include/" + header.path for header in headers}
        self.origins = origins  # pages of the site that stand elsewhere: the files that they are
        self.files = {}

    def add(self, markdown, uri, source):
        """Markdown after directives, with links of the site."""
        here = posixpath.dirname(f"{FOLDER}/{uri}")

        def picture(found):
            name = re.search(r'href="[^"]*?([\w]+)\.svg"', found[0])[1]
            title = re.search(r"<title[^>]*>(.*?)</title>", found[0])[1]
            return f"![{title}]({posixpath.relpath(f'{PICTURES}/{name}.svg', here)})"

        def link(found):
            label, target, anchor = found[1], found[2], found[3] or ""
            if target.startswith("ref:"):
                page = target.removeprefix("ref:")
                return f"{label}({posixpath.relpath(self.headers.get(page, 'include/strew'), here)})"
            if target.startswith("repo:"):
                return f"{label}({posixpath.relpath(target.removeprefix('repo:'), here)}{anchor})"
            if re.match(r"[a-z]+:", target) or not target:
                return found[0]
            page = posixpath.normpath(posixpath.join(posixpath.dirname(uri), target))
            if page in self.headers:
                return f"{label}({posixpath.relpath(self.headers[page], here)})"
            if page.startswith("reference/"):
                return f"{label}({posixpath.relpath('include/strew', here)})"
            if page in self.origins:
                return f"{label}({posixpath.relpath(self.origins[page], here)}{anchor})"
            if page.startswith("images/"):
                return f"{label}({posixpath.relpath('docs/' + page, here)})"
            if page == "licences.md":
                return label[1:-1]
            if page == "traceability.md":  # a line for each test: of use on the site alone
                return f"{label}({posixpath.relpath('docs/site/traceability', here)})"
            return found[0]

        text = re.sub(r'<a class="enlarge".*?</a>', picture, markdown)
        text = re.sub(r"\{ \.[^}\n]*\}", "", text)
        text = re.sub(r'^=== "(.*)"\n\n((?:    .*\n|\n)*)',
                      lambda tab: f"**{tab[1]}**\n\n{textwrap.dedent(tab[2])}", text, flags=re.MULTILINE)
        text = re.sub(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^()\s#]*)(#[^()\s]*)?\)", link, text)
        text = "\n".join(line.rstrip() for line in text.strip().splitlines())
        note = f"<!-- Rendered from {source} by scripts/site: edit that, and run STREW_PAGES=write scripts/site. -->"
        self.files[f"{FOLDER}/{uri}"] = f"{note}\n\n{text}\n"

    def add_pictures(self, folder):
        """Those that a page shows, and for README the dark one of index_add."""
        text = "".join(self.files.values())
        for path in sorted(pathlib.Path(folder).glob("*.svg")):
            if f"images/operators/{path.name})" in text:
                self.files[f"{PICTURES}/{path.name}"] = standalone.with_colours(path.read_text(), False)
        dark = pathlib.Path(folder) / "index_add.svg"
        self.files[f"{PICTURES}/index_add-dark.svg"] = standalone.with_colours(dark.read_text(), True)

    def broken_links(self):
        """The links of the pages, and to them, that lead to no file."""
        texts = {name: text for name, text in self.files.items() if name.endswith(".md")}
        for path in [*self.root.glob("*.md"), *self.root.glob("docs/*.md"), *self.root.glob("examples/*/README.md")]:
            texts[path.relative_to(self.root).as_posix()] = path.read_text()
        broken = []
        for name, text in texts.items():
            for target in re.findall(r"\]\(([^()\s#:]+)(?:#[^()\s]*)?\)", re.sub(r"(?s)```.*?```|`[^`\n]*`", "", text)):
                path = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
                if path not in self.files and not (self.root / path).exists():
                    broken.append(f"{name}: {target}")
        return broken

    def finish(self):
        """Writes the files, or returns the names of those that differ."""
        present = {path.relative_to(self.root).as_posix() for folder in (FOLDER, PICTURES)
                   for path in (self.root / folder).rglob("*") if path.is_file()}
        different = sorted(present - self.files.keys())
        for name, content in self.files.items():
            path = self.root / name
            if not path.exists() or path.read_text() != content:
                different.append(name)
        if os.environ.get("STREW_PAGES") != "write":
            return different
        for name in different:
            path = self.root / name
            if name not in self.files:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.files[name])
        return []
