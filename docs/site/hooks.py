# SPDX-License-Identifier: Apache-2.0
"""What mkdocs.yml cannot express: pages from elsewhere in the repository, generated pages, the API reference, and the
directives of the site's own pages, each on a line of its own:

    {{ cut FILE }}                        a source file without its first comment
    {{ cut FILE function NAME }}          what is between the braces of a function, to copy into main: results are
                                          comments and asserts, and build/site-pictures/blocks.cpp has all such blocks,
                                          which scripts/site compiles
    {{ cut FILE from "LINE" to "LINE" }}  the lines from one that contains a text to the next that contains another: a
                                          part of a program, which uses names of other parts
    {{ picture NAME }}                    what docs/site/pictures drew
    {{ contract NAME... }}                comments of the headers
    {{ forms NAME... }}                   the calls of an operator, its operands and its errors
    {{ section FILE "HEADING" }}          a section of another page
    {{ speed "CASE"... }}                 rows of docs/benchmarks.md: one thread, -O2
    {{ matrix }}                          operators and forms, from the list that the tests walk
    {{ mistakes }}                        the texts for calls that do not compile

A directive whose source is missing ends the build. Links to `repo:PATH` go to a file of the repository.
"""
import importlib
import importlib.metadata
import os
import pathlib
import posixpath
import re
import shlex
import sys
import textwrap

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import forms  # noqa: E402  (beside this file)
import plain  # noqa: E402
import reference  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
BRANCH = "main"

# Pages that stand elsewhere. Those that are not there are left out of the navigation.
GATHERED = {
    "docs/operators.md": "operators/index.md",
    "docs/extensions.md": "extensions.md",
    "docs/performance.md": "performance.md",
    "docs/kernels.md": "kernels.md",
    "docs/ordinary-calls.md": "ordinary-calls.md",
    "docs/benchmarks.md": "benchmarks.md",
    "docs/jobs.md": "jobs.md",
    "docs/reuse.md": "reuse.md",
    "docs/python-speed.md": "python-speed.md",
    "docs/build-cost.md": "build-cost.md",
    "docs/conformance.md": "conformance.md",
    "docs/architecture.md": "architecture.md",
    "docs/words.md": "words.md",
    "docs/debugging.md": "debugging.md",
    "docs/portability.md": "portability.md",
    "docs/versions.md": "versions.md",
    "examples/cookbook/README.md": "cookbook.md",
    "examples/strew_npy/README.md": "strew-npy.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
# Pages made by a module beside this file.
GENERATED = {"translations": "from-others.md", "traceability": "traceability.md"}
PAGES = "docs/site/pages"
IMAGES = "docs/images"
# Links of other documents lead to these pages as files of their own: plain.py.
RENDERED = plain.FOLDER

# What the search prefers where a term is on several pages. Pages under operators/ and reference/ have one for all.
SEARCH_BOOST = {
    "operators/": 2, "reference/": 0.5, "conformance.md": 0.5, "benchmarks.md": 0.5, "ordinary-calls.md": 0.5, "reuse.md": 0.5,
    "traceability.md": 0.25, "changelog.md": 0.25, "licences.md": 0.25, "words.md": 0.5, "adding-an-operator.md": 0.5,
}

# Where the operators of the table in docs/operators.md are shown.
OPERATOR_PAGES = {
    "slice_scatter": "slice_scatter.md", "scatter_update": "scatter_update.md",
    "index_copy": "index_add.md", "scatter_elements_update": "scatter_elements_update.md",
    "v12::scatter_elements_update": "scatter_elements_update.md", "onnx::scatter": "onnx_scatter.md",
    "onnx::scatter_elements": "onnx_scatter.md", "scatter": "scatter_reduce.md",
    "put_along_axis": "put_along_axis.md", "v3::scatter_nd_update": "scatter_nd.md", "v14::": "scatter_nd.md",
    "onnx::scatter_nd": "scatter_nd.md", "index_put": "index_put.md", "put": "index_put.md",
    "select_scatter": "select_scatter.md", "masked_scatter": "masked_scatter.md",
    "onnx::tensor_scatter": "tensor_scatter.md",
}

# The headers under their headings in the navigation; all others come last.
REFERENCE_GROUPS = {
    "Operators": [f"operators/{name}" for name in (
        "slice_scatter", "scatter_update", "scatter_elements_update", "scatter_nd_update", "onnx_scatter",
        "scatter_elements", "scatter_nd", "tensor_scatter", "index_add", "index_copy", "index_fill", "index_reduce",
        "scatter", "scatter_add", "scatter_reduce", "put_along_axis", "index_put", "put", "select_scatter",
        "diagonal_scatter", "masked_scatter", "masked_fill")],
    "By framework": ["openvino", "onnx", "torch", "numpy"],
    "Reductions and policies": ["operators/reduction", "operators/reduction_kind", "operators/floating",
                                "operators/index_policy", "operators/segments", "operators/converted",
                                "operators/with_positions"],
    "Views": ["view/tensor_view", "view/view_transform", "view/layout", "view/element", "view/as_view", "runtimes",
              "dynamic", "dynamic/dynamic_tensor"],
    "Executors and memory": ["execution/executor", "threads", "heap_workspace", "execution/workspace"],
    "Extents and bytes": ["operators/extents"],
    "Prepared calls": ["prepare", "bound"],
    "Errors, printing": ["status", "error_message", "print"],
}

# Words that lead to a page before all others; docs/site/check_search.py checks them.
KEYWORDS = {
    "operators/index.md": ["duplicates"], "operators/index_add.md": ["np.add.at"], "operators/reductions.md": ["float16", "bfloat16"],
    "cookbook.md": ["histogram"], "executors.md": ["threads"], "prepared.md": ["prepare"],
    "errors.md": ["exceptions"], "limits.md": ["MSVC", "vector<bool>"],
}

# What a block that is copied into main may use, beside strew/strew.hpp.
HEADERS_OF_BLOCKS = ["strew/dynamic.hpp", "strew/heap_workspace.hpp", "strew/threads.hpp", "array", "cassert", "climits",
                     "cstddef", "cstdint", "cstdio", "string_view", "tuple", "vector"]

build = {}  # the results of one build: repository, headers, marker, origins, blocks


def fail(message):
    raise PluginError(message)


def repository_path(path):
    target = ROOT / path
    if not target.exists():
        fail(f"The repository has no {path}")
    # Without an address of the repository the path itself is what a reader has.
    kind = "tree" if target.is_dir() else "blob"
    return f"{build['repository']}/{kind}/{BRANCH}/{path}" if build["repository"] else None


def repository_address():
    """The address of the repository, STREW_REPOSITORY; without one pages name files."""
    return os.environ.get("STREW_REPOSITORY", "").rstrip("/")


def version():
    text = (ROOT / "include/strew/config.hpp").read_text()
    return ".".join(re.search(rf"^#define STREW_VERSION_{part} (\d+)$", text, re.MULTILINE).group(1)
                    for part in ("MAJOR", "MINOR", "PATCH"))


# ---- Configuration, files


def on_config(config):
    try:
        headers = reference.read_headers(ROOT)
    except RuntimeError as error:
        fail(str(error))
    build["repository"] = repository_address()
    if build["repository"]:
        config.repo_url = build["repository"]
        config.repo_name = "Repository"
    config.site_name += " " + version()
    build["headers"] = headers
    build["marker"] = reference.Marker(headers)
    build["blocks"] = []
    build["entries"] = {name: entry for header in headers for entry in header.entries for name in entry.names}
    read_forms()
    check_exports()
    pages = {header.page: header for header in headers}
    groups = []
    for title, names in REFERENCE_GROUPS.items():
        members = [{f"{name}.hpp": f"reference/{name}.md"} for name in names if f"reference/{name}.md" in pages]
        if members:
            groups.append({title: members})
    named = {page for group in groups for members in group.values() for member in members for page in member.values()}
    others = [{header.path.removeprefix("strew/"): header.page} for header in headers if header.page not in named]
    groups.append({"Other headers": others})
    build["groups"] = groups
    build["origins"] = {page: source for source, page in GATHERED.items() if (ROOT / source).exists()}
    build["plain"] = plain.PlainPages(ROOT, headers, {**build["origins"], "index.md": "README.md"})
    present = {*build["origins"], *GENERATED.values(), *pages, "licences.md",
               *(path.relative_to(ROOT / PAGES).as_posix() for path in (ROOT / PAGES).rglob("*.md"))}
    config.nav = [kept for kept in (only(item, present, groups) for item in config.nav) if kept]
    return config


def read_forms():
    """The calls of the operators, which must agree with their comments; the reference shows them."""
    entries = build["entries"]
    comments = {name: entries.get(entry.same_as, entry).comment for name, entry in entries.items()}
    try:
        operators, codes = forms.read(ROOT / "build/site-pictures/forms.tsv")
        forms.check(operators, codes, comments)
    except RuntimeError as error:
        fail(str(error))
    build["operators"], build["comments"] = operators, comments
    pages = pages_of_operators()
    for name, entry in entries.items():
        operator = name if name in operators else entry.same_as
        if operator not in operators or reference.is_try(name):
            continue
        if name in operators:
            entry.calls = (forms.calls(name, operators) + f"\n// without exceptions:\n"
                           f"strew::status status = strew::{forms.attempted(name)}(..);")
        entry.note = f"Operands, errors and examples: [`{operator}`](ref:operators/{pages[operator]}#calls)"
    unknown = [entry.names[0] for entry in entries.values() if "/* operator */;" in entry.code and not entry.calls]
    if unknown:
        fail(f"docs/site/forms prints no calls of {', '.join(unknown)}")


def check_exports():
    """The names that the module exports, which tests/packaging/module/check_names.py compares with the headers."""
    exported = {name.removeprefix("strew::") for name in
                re.findall(r"^using ([\w:]+(?:operator\W+)?);", (ROOT / "src/strew.cppm").read_text(), re.MULTILINE)}
    # The module has nothing that needs an MPI library.
    shown = {name for name, entry in build["entries"].items() if entry.kind != "macro" and not name.startswith("mpi::")}
    if exported != shown:
        fail(f"src/strew.cppm and the API reference differ: only the module has {sorted(exported - shown)}, "
             f"only the reference {sorted(shown - exported)}")


def check_calls(markdown, uri):
    """Calls that a text names are calls that compile."""
    for name, arguments in re.findall(r"`((?:\w+::)?\w+)\(((?:data|past_cache), [^`]*)\)`", markdown):
        operator = build["operators"].get(name)
        if operator is None:
            continue
        if forms.without_braces(arguments) not in map(forms.without_braces, operator.calls):
            fail(f"{uri}: {name}({arguments}) is no call that the compiler takes")


def only(item, present, groups):
    """A part of the navigation with the pages that exist, and with the reference at its place."""
    if isinstance(item, str):
        return item if item in present else None
    (title, inside), = item.items()
    if inside == "reference":
        return {title: ["reference/index.md", *groups]}
    if isinstance(inside, str):
        return item if inside in present else None
    return {title: [kept for kept in (only(each, present, groups) for each in inside) if kept]}


def on_files(files, config):
    for page, source in build["origins"].items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text()))
    for module, page in GENERATED.items():
        files.append(File.generated(config, page, content=generated(module)))
    marker = build["marker"]
    for header in build["headers"]:
        files.append(File.generated(config, header.page, content=marker.page(header)))
    files.append(File.generated(config, "reference/index.md", content=reference_index()))
    files.append(File.generated(config, "licences.md", content=licences()))
    for path in sorted((ROOT / IMAGES).rglob("*")):
        if path.is_file() and not path.is_relative_to(ROOT / plain.PICTURES):
            name = "images/" + path.relative_to(ROOT / IMAGES).as_posix()
            files.append(File.generated(config, name, abs_src_path=str(path)))
    style = (ROOT / PAGES / "stylesheets/picture.css").read_text() + ".picture { width: 100%; height: 100%; }"
    for path in sorted((ROOT / "build/site-pictures").glob("*.svg")):
        content = path.read_text().replace(">", f"><style>{style}</style>", 1)
        files.append(File.generated(config, f"images/operators/{path.name}", content=content))
    return files


def generated(module):
    sys.path.insert(0, str(ROOT / "docs/site"))  # MkDocs has taken it away since this file was loaded
    try:
        return importlib.import_module(module).page(ROOT)
    except RuntimeError as error:
        fail(f"docs/site/{module}.py: {error}")
    finally:
        sys.path.pop(0)


def reference_index():
    by_page = {header.page: header for header in build["headers"]}
    parts = ["# API reference\n\nEvery public name and its members, by header. "
             "`strew/strew.hpp` includes all headers but the ones marked *opt-in*.\n"]
    umbrella = (ROOT / "include/strew/strew.hpp").read_text()
    for group in build["groups"]:
        for title, members in group.items():
            parts.append(f"\n## {title}\n")
            for member in members:
                for page in member.values():
                    header = by_page[page]
                    mark = "" if header.path == reference.UMBRELLA or f"<{header.path}>" in umbrella or is_included(
                        header.path, umbrella) else " *opt-in*"
                    names = "".join(f"    - {names_of(header, entry)}\n" for entry in header.entries)
                    parts.append(f"- **[`{header.path}`](ref:{page})**{mark}\n\n{names}")
    return "\n".join(parts) + "\n"


def names_of(header, entry):
    """The names of an entry of the reference and of its members, as links."""
    names = " ".join(f"[`{name}`](ref:{header.page}#{entry.anchors[name]})" for name in entry.names)
    members = " ".join(f"[{title}](ref:{target})" for title, target in build["marker"].members(header, entry).items())
    return names + (f": {members}" if members else "")


def is_included(path, umbrella):
    """Whether another public header of the umbrella's includes it."""
    for name in re.findall(r"#include <(strew/[\w/]+\.hpp)>", umbrella):
        if f"<{path}>" in (ROOT / "include" / name).read_text():
            return True
    return False


def licences():
    """What the built site holds that others made, by the records of the packages that it came from."""
    rows = []
    for name in sorted(line.split("==")[0] for line in
                       (ROOT / "docs/site/requirements.txt").read_text().splitlines() if "==" in line):
        about = importlib.metadata.metadata(name)
        licence = about.get("License-Expression") or next(
            (item.rsplit(" :: ", 1)[-1] for item in about.get_all("Classifier", []) if item.startswith("License ::")),
            (about.get("License") or "see the package").splitlines()[0])
        rows.append(f"| {about['Name']} | {about['Version']} | {licence} |")
    distribution = importlib.metadata.distribution("mkdocs-material")
    text = next(file for file in distribution.files if file.name in ("LICENSE", "LICENSE.txt"))
    return (ROOT / "docs/site/licences.md").read_text().format(
        packages="\n".join(rows), material=textwrap.indent(distribution.locate_file(text).read_text(), "    "))


# ---- Templates


def on_post_template(output, template_name, config):
    """The links of the page for addresses that do not exist: theme/404.html explains."""
    if template_name != "404.html" or config.site_url:
        return output
    output = re.sub(r'(?<!<base )\b(href|src)="/(?!/)', r'\1="', output)
    return output.replace('new URL("/",location)', "new URL(document.baseURI)").replace('"search": "/', '"search": "')


def on_post_build(config):
    pages = build["plain"]
    pages.add_pictures(ROOT / "build/site-pictures")
    if broken := pages.broken_links():
        fail("Links lead to no file: " + ", ".join(broken))
    write_blocks()
    if different := pages.finish():
        fail("Pages are not as they are rendered; STREW_PAGES=write scripts/site writes them: " + ", ".join(different))


# ---- Markdown


def on_page_markdown(markdown, page, config, files):
    uri = page.file.src_uri
    origin = build["origins"].get(uri)
    page.edit_url = edit_url(uri)
    page.meta.setdefault("search", {"boost": next(
        (boost for name, boost in SEARCH_BOOST.items() if uri.startswith(name)), 1)})
    page.meta.setdefault("tags", KEYWORDS.get(uri, []))
    if (ROOT / PAGES / uri).exists():
        if re.search(r"^\s*```cpp", markdown, re.MULTILINE):
            fail(f"{uri}: code is cut from examples and tests, not written here")
        markdown = re.sub(r"^( *)\{\{ (.+) \}\}$", lambda found: directive(found, uri), markdown, flags=re.MULTILINE)
    if origin is not None:
        markdown = relink(markdown, origin, uri)
        if uri == "operators/index.md":
            markdown = with_operator_pages(markdown)
    markdown = re.sub(r"<!-- figure: [\w.]+ -->", "", markdown)  # their names: bench/figures.py
    if uri.startswith("operators/"):
        check_calls(markdown, uri)
    if uri not in ("index.md", "licences.md", "traceability.md") and origin is None and not uri.startswith("reference/"):
        made_by = next((f"docs/site/{module}.py" for module, name in GENERATED.items() if name == uri), None)
        build["plain"].add(markdown, uri, made_by or f"{PAGES}/{uri}")
    return resolve(with_pictures(markdown, uri), uri)


def edit_url(uri):
    """Where the source of a page is edited."""
    headers = {header.page: "include/" + header.path for header in build["headers"]}
    made = {**build["origins"], **headers, "licences.md": "docs/site/licences.md",
            "from-others.md": "docs/site/translations.toml", "traceability.md": "docs/site/traceability.py",
            "reference/index.md": "docs/site/hooks.py"}
    source = made.get(uri, f"{PAGES}/{uri}")
    return f"{build['repository']}/edit/{BRANCH}/{source}" if build["repository"] else None


def with_pictures(markdown, uri):
    """A picture on a line of its own links to itself; one with a dark variant, NAME-dark, is shown by theme."""
    def linked(found):
        text, target = found.groups()
        stem, suffix = posixpath.splitext(target)
        path = posixpath.normpath(posixpath.join(posixpath.dirname(uri), stem)).removeprefix("images/")
        if not (ROOT / IMAGES / f"{path}-dark{suffix}").exists():
            return f"[![{text}]({target})]({target})"
        dark = f"{stem}-dark{suffix}"
        return f"[![{text}]({target})]({target}){{ .only-light }} [![{text}]({dark})]({dark}){{ .only-dark }}"

    return re.sub(r"^!\[([^\]]*)\]\(([^)\s]+)\)$", linked, markdown, flags=re.MULTILINE)


def directive(found, uri):
    indent, text = found.groups()
    kind, *arguments = shlex.split(text)
    handlers = {"cut": cut, "picture": lambda name: picture(uri, name), "contract": contract, "section": section,
                "speed": speed, "matrix": lambda: matrix(uri), "forms": forms_of, "mistakes": mistakes}
    if kind not in handlers:
        fail(f"{uri}: no directive {kind}")
    try:
        result = handlers[kind](*arguments)
        if kind == "cut" and arguments[1:2] == ["function"]:
            build["blocks"].append((uri, " ".join(arguments), result))
    except (TypeError, ValueError, OSError) as error:
        fail(f"{uri}: {text}: {error}")
    if kind == "section":
        result = relink(result, arguments[0], uri)
    return textwrap.indent(result, indent)


def contains(line, text):
    """Whether a line contains a text, or begins with what follows a ^."""
    return line.startswith(text[1:]) if text.startswith("^") else text in line


def cut(path, *how):
    lines = (ROOT / path).read_text().splitlines()
    if not how:
        first = next(k for k, line in enumerate(lines) if not line.startswith(("//", "#!")) and line.strip())
        lines = lines[first:]
    elif how[0] == "function":
        first = next((k for k, line in enumerate(lines) if re.match(rf"\w[^=;]* {re.escape(how[1])}\(\) {{$", line)), None)
        if first is None:
            raise ValueError("there is no such function without parameters")
        last = next(k for k in range(first, len(lines)) if lines[k].rstrip() == "}")
        lines = with_results(lines[first + 1:last])
    elif how[0] == "from" and how[2] == "to":
        first = next((k for k, line in enumerate(lines) if contains(line, how[1])), None)
        last = next((k for k in range(first or 0, len(lines)) if contains(lines[k], how[3])), None)
        if first is None or last is None:
            raise ValueError("there are no such lines")
        lines = lines[first:last + 1]
    else:
        raise ValueError("all of it, function NAME, or from LINE to LINE")
    name = pathlib.Path(path).name
    language = {".cpp": "cpp", ".hpp": "cpp", ".cmake": "cmake", ".py": "python"}.get(pathlib.Path(path).suffix, "text")
    if name == "CMakeLists.txt" or any(line.startswith(("include(", "set(")) for line in lines):
        language = "cmake"
    code = textwrap.dedent("\n".join(lines)).strip("\n")
    return f"```{language}\n{code}\n```"


def with_results(lines):
    """The body of an example's function with the checks of its results as comments, those of conditions as asserts."""
    def commented(found):
        indent, name, values, note = found.groups()
        text = f"{name} is {values}" + (f": {note.removeprefix('//').strip()}" if note else "")
        rows = [re.sub(r" *//$", "", row).strip() for row in text.split("\n")]
        aligned = [rows[0], *(" " * (text.index("{") + 1) + row for row in rows[1:])]
        return "\n".join(f"{indent}// {row}" for row in aligned)

    body = "\n".join(lines)
    body = re.sub(r"^( *)expect\((\w+), (\{[^;]*\})\);(?: *(//.*))?$", commented, body, flags=re.MULTILINE)
    body = re.sub(r"^( *)return (\w+) == [\w:]+(?:<[^{]*>)?(\{[^;]*\});(?: *(//.*))?$", commented, body, flags=re.MULTILINE)
    body = re.sub(r'\bexpect\(([^;]*),\s+"[^"]*"\);', r"assert(\1);", body)
    body = re.sub(r"^( *)return (.* == .*);$", r"\1assert(\2);", body, flags=re.MULTILINE)
    if "expect(" in body:
        raise ValueError("a check of a result is not read")
    return body.split("\n")


def write_blocks():
    """A program with a function for each block that may be copied into main; scripts/site compiles it."""
    parts = ["#include <strew/strew.hpp>\n", *(f"#include <{name}>" for name in HEADERS_OF_BLOCKS)]
    for number, (uri, source, block) in enumerate(build["blocks"]):
        code = re.sub(r"^```\w*\n|\n```$", "", block)
        parts.append(f'\nint block_{number}() {{\n#line 1 "{uri}: {source}"\n{code}\nreturn 0;\n}}')
    (ROOT / "build/site-pictures/blocks.cpp").write_text("\n".join(parts) + "\n")


def picture(uri, name):
    path = ROOT / "build/site-pictures" / f"{name}.svg"
    svg = path.read_text().replace("\n", "").replace("<svg ", "<svg data-search-exclude ", 1).strip()
    address = relative(f"images/operators/{name}.svg", uri)
    return f'<a class="enlarge" href="{address}" title="Open the picture alone">{svg}</a>'


def contract(*names):
    marker = build["marker"]
    parts = []
    for name in names:
        entry = build["entries"].get(name)
        if entry is None:
            raise ValueError(f"no header declares {name}")
        title = f"**{marker.code(name)}**\n\n" if len(names) > 1 else ""
        parts.append(title + marker.comment(entry.comment))
    return "\n\n".join(parts)


def forms_of(*names):
    for name in names:
        if name not in build["operators"]:
            raise ValueError(f"docs/site/forms does not print {name}")
    return "\n\n".join((f"### {name}\n\n" if len(names) > 1 else "")
                       + forms.markdown(name, build["operators"], build["comments"][name]) for name in names)


def mistakes():
    """The texts of detail/mistakes.hpp, one a line, without the order of each operator, which is on its page."""
    text = (ROOT / "include/strew/detail/mistakes.hpp").read_text()
    string = r'"(?:[^"\\]|\\.)*"'
    found = re.findall(rf"static_assert\(\s*Is != (\w+),\s*((?:{string}\s*)+)\)", text)
    if len(found) != len(re.findall(r"\bIs != \w+,", text)):
        raise ValueError("a text of detail/mistakes.hpp is not read")
    texts = ["".join(part[1:-1] for part in re.findall(string, parts)).removeprefix("strew: ") for name, parts in found
             if not name.startswith("order_of")]
    return "\n".join(f"- {text.replace('<', '&lt;').replace('*', chr(92) + '*')}" for text in dict.fromkeys(texts))


def section(path, heading):
    text = (ROOT / path).read_text()
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if not found:
        raise ValueError("there is no such section")
    return found.group(1).strip()


def speed(*cases):
    text = section("docs/benchmarks.md", "One thread, `-O2 -DNDEBUG`")
    rows = [[item.strip() for item in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    chosen = [row for row in rows[2:] if any(row[0].startswith(case) for case in cases)]
    for case in cases:
        if not any(row[0].startswith(case) for row in rows[2:]):
            raise ValueError(f"no row begins with {case}")
    head = ["case", "data", "strew", "best peer", "which", "peer / strew"]
    table = [head, ["---"] * len(head), *(row[:6] for row in chosen)]
    return "\n".join("| " + " | ".join(row) + " |" for row in table)


def matrix(uri):
    """A table of operators and forms for each group of forms, and what the words in it mean."""
    lines = [line.split("\t") for line in (ROOT / "build/site-pictures/matrix.tsv").read_text().splitlines()]
    forms = [fields[1:] for fields in lines if fields[0] == "form"]
    rows = [fields[1:] for fields in lines if fields[0] == "operator"]
    pages = pages_of_operators()
    for name in {row[0] for row in rows} ^ pages.keys():
        raise ValueError(f"{name} is not in both docs/operators.md and tests/operators/matrix/list.hpp")
    parts = []
    for group in dict.fromkeys(form[0] for form in forms):
        chosen = [k for k, form in enumerate(forms) if form[0] == group]
        names = [f"[{forms[k][1]}]({relative(forms[k][2], uri)})" for k in chosen]
        table = ["| operator | " + " | ".join(names) + " |", "|---|" + ":-:|" * len(chosen)]
        for name, _, *cells in rows:
            page = relative("operators/" + pages[name], uri)
            table.append(f"| [`{name}`]({page}) | " + " | ".join(cells[k] or "✓" for k in chosen) + " |")
        parts.append(f"## {group}\n\n" + "\n".join(table))
    used = {cell for row in rows for cell in row[2:]}
    meanings = [f"| {text} | {meaning} |" for kind, text, meaning in (line for line in lines if line[0] == "word")
                if text in used]
    parts.append("## The words\n\n" + "\n".join(["| word | why there is no such form |", "|---|---|", *meanings]))
    return "\n\n".join(parts)


def pages_of_operators():
    """The page of each operator in the table of docs/operators.md, where v14:: goes on as the last name does."""
    pages = {}
    for first, others in re.findall(r"^\| \[`([^`]+)`([^\]]*)\]\(#[\w-]+\)", (ROOT / "docs/operators.md").read_text(),
                                    flags=re.MULTILINE):
        names = [first, *re.findall(r"`([^`]+)`", others)]
        for name in names:
            whole = name + names[-1].rsplit("::", 1)[-1] if name.endswith("::") else name
            pages[whole] = OPERATOR_PAGES[first]
    return pages


def with_operator_pages(markdown):
    """The names of the table of operators lead to their pages."""
    def linked(found):
        page = OPERATOR_PAGES.get(found.group(2))
        if page is None:
            fail(f"docs/operators.md: {found.group(2)} has no page")
        return f"| {found.group(1)}({page})"
    return re.sub(r"^\| (\[`([^`]+)`[^\]]*\])\(#[\w-]+\)", linked, markdown, flags=re.MULTILINE)


def relink(markdown, origin, uri):
    """Links of a page that stands elsewhere: to pages of the site where there are such, else to the repository."""
    folder = posixpath.dirname(origin)

    def replaced(found):
        before, target, anchor = found.group(1), found.group(2), found.group(3) or ""
        if re.match(r"[a-z]+:", target):
            return found.group()
        if not target:
            page = GATHERED.get(origin)
            return f"{before}({relative(page, uri)}{anchor})" if page and page != uri else found.group()
        path = posixpath.normpath(posixpath.join(folder, target))
        if path == "README.md":
            return f"{before}({relative('index.md', uri)})"
        if path.startswith(RENDERED + "/"):
            return f"{before}({relative(path.removeprefix(RENDERED + '/'), uri)}{anchor})"
        if path in GATHERED and (ROOT / path).exists():
            return f"{before}({relative(GATHERED[path], uri)}{anchor})"
        for header in build["headers"]:
            if path == "include/" + header.path:
                return f"{before}({relative(header.page, uri)})"
        if path.startswith(IMAGES + "/"):
            return f"{before}({relative('images/' + path.removeprefix(IMAGES + '/'), uri)})"
        return f"{before}(repo:{path})"

    return re.sub(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^()\s#]*)(#[^()\s]*)?\)", replaced, markdown)


def relative(page, uri):
    return posixpath.relpath(page, posixpath.dirname(uri) or ".")


def resolve(markdown, uri):
    """Links to the reference (ref:) and to the repository (repo:)."""
    def replaced(found):
        label, scheme, target = found.groups()
        if scheme == "ref":
            return f"{label}({relative(target, uri)})"
        address = repository_path(target.split("#")[0])
        if address:
            return f"{label}({address})"
        words = label[1:-1]
        return f"`{target}`" if re.fullmatch(r"`?[\w./-]*[./][\w./-]*`?", words) else f"{words} (`{target}`)"

    return re.sub(r"(\[(?:[^\[\]]|\[[^\]]*\])*\])\((ref|repo):([^)\s]+)\)", replaced, markdown)
