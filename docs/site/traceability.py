# SPDX-License-Identifier: Apache-2.0
"""The page that gives each demand of the specifications with the tests that hold it, made from traceability/*.toml.

    python3 docs/site/traceability.py                   checks all files and prints how many demands and tests they have
    python3 docs/site/traceability.py --documents DIR   also compares the quotations with the specifications

A file of data:

    title, operators, authors, source, licence          of the specification
    documents = {VERSION = FILE, ..}                    its text, one file for each version, for --documents
    complete = SHA-256                                  where every sentence is listed, of their text in its order
    note                                                if any: a paragraph before the table

and for each sentence a table [[sentence]]:

    of                             the function that it is about, where a file has several
    text, code                     the words, and lines of code or formulas that belong to them, if any
    versions = [VERSION, ..]       those that have the sentence; left out: all
    tests = [TEST, ..]             of a demand: each would fail if the sentence were violated
    reading                        if any: how the sentence is read where it is wrong, lost, or says too little
    says                           in the place of tests: why nothing can be tested

A test is `FILE: NAME` or `FILE: NAME -> SECTION`, with a test case of Catch2 or a function of pytest; a file of
tests/compile/reject is a test by itself.
"""
import argparse
import dataclasses
import functools
import hashlib
import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = "docs/site/traceability"
REJECT = "tests/compile/reject/"
# In the order of the page.
FILES = ["slice-scatter-15", "slice-scatter-15-early-draft", "scatter-update-3", "scatter-elements-update-3",
         "onnx-scatter-9-11", "scatter-elements-update-12", "scatter-nd-update", "onnx-scatter-elements",
         "onnx-scatter-nd", "onnx-tensor-scatter-24", "torch", "numpy"]
# Columns that keep their widths, with code that scrolls in its own; on a narrow screen the tables scroll.
STYLE = """<style>
.traced table:not([class]) { display: table; table-layout: fixed; min-width: 34rem; width: 100%; }
.traced th:nth-child(1) { width: 46%; }
.traced th:nth-child(2) { width: 32%; }
.traced td { overflow-wrap: anywhere; }
.traced td pre { max-height: 14rem; overflow: auto; margin: .5em 0 0; font-size: .9em; line-height: 1.3; }
.traced td ul { margin: 0; }
</style>"""
KEYS = {"title": str, "operators": list, "authors": str, "source": str, "licence": str, "documents": dict,
        "complete": str, "note": str, "sentence": list}
OPTIONAL = {"complete", "note"}
KEYS_OF_SENTENCE = {"of": str, "text": str, "code": str, "versions": list, "tests": list, "reading": str, "says": str}


@dataclasses.dataclass
class Sentence:
    text: str = ""
    of: str = ""
    code: str = ""
    versions: list = dataclasses.field(default_factory=list)
    tests: list = dataclasses.field(default_factory=list)
    reading: str = ""
    says: str = ""

    @property
    def words(self):
        return words(f"{self.text}\n{self.code}")


@dataclasses.dataclass
class Specification:
    file: str
    title: str
    operators: list
    authors: str
    source: str
    licence: str
    documents: dict
    sentences: list
    complete: str = ""
    note: str = ""

    @property
    def demands(self):
        return [each for each in self.sentences if each.tests]


def words(text):
    """A text without the bullets and line breaks of its layout."""
    return " ".join(text.replace("\N{BULLET}", " ").split())


# ---- Reading


def read_specification(root, name):
    path = f"{FOLDER}/{name}.toml"
    try:
        data = tomllib.loads((root / path).read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise RuntimeError(f"{path}: {error}") from error
    check_keys(path, data, KEYS, KEYS.keys() - OPTIONAL)
    sentences = []
    for number, each in enumerate(data["sentence"], 1):
        where = f"{path}: sentence {number} ({words(each.get('text', each.get('code', '')))[:60]})"
        check_keys(where, each, KEYS_OF_SENTENCE, {"code"} if "text" not in each else set())
        sentence = Sentence(**each)
        if bool(sentence.tests) == bool(sentence.says):
            raise RuntimeError(f"{where}: has no test" if not sentence.tests else f"{where}: has tests and `says`")
        if sentence.says and sentence.reading:
            raise RuntimeError(f"{where}: a reading is of a demand")
        if len(set(sentence.tests)) != len(sentence.tests):
            raise RuntimeError(f"{where}: names a test twice")
        for version in sentence.versions:
            if version not in data["documents"]:
                raise RuntimeError(f"{where}: there is no version {version}")
        for test in sentence.tests:
            check_test(root, test, where)
        sentences.append(sentence)
    fields = {key: value for key, value in data.items() if key != "sentence"}
    result = Specification(file=path, sentences=sentences, **fields)
    if not result.demands:
        raise RuntimeError(f"{path}: has no demand")
    if result.complete and digest(result) != result.complete:
        raise RuntimeError(f"{path}: a sentence was lost, changed or moved: the text has SHA-256 {digest(result)}")
    return result


def check_keys(where, data, known, required):
    for key, value in data.items():
        if key not in known:
            raise RuntimeError(f"{where}: unknown key {key}")
        if not isinstance(value, known[key]) or not value:
            raise RuntimeError(f"{where}: {key} is empty or of another type")
    for key in sorted(required - data.keys()):
        raise RuntimeError(f"{where}: {key} is missing")


def digest(specification):
    text = " ".join(each.words for each in specification.sentences)
    return hashlib.sha256(text.encode()).hexdigest()


def read_specifications(root):
    there = {path.stem for path in (root / FOLDER).glob("*.toml")}
    if there != set(FILES):
        raise RuntimeError(f"{FOLDER}: not the files that are listed: {', '.join(sorted(there ^ set(FILES)))}")
    return [read_specification(root, name) for name in FILES]


# ---- Tests


def parse_test(test):
    """A test's file, its name and a section, which may be empty."""
    file, _, name = test.partition(": ")
    name, _, section = name.partition(" -> ")
    return file, name, section


def check_test(root, test, where):
    file, name, section = parse_test(test)
    if not (root / file).is_file():
        raise RuntimeError(f"{where}: there is no file {file}")
    if file.startswith(REJECT):
        if name:
            raise RuntimeError(f"{where}: {file} is a test by itself")
        if not re.search(r"^// (g\+\+ |clang )?says", (root / file).read_text(encoding="utf-8"), re.MULTILINE):
            raise RuntimeError(f"{where}: {file} says no error")
        return
    if not is_built(root, file):
        raise RuntimeError(f"{where}: {file} is in no CMake file of tests")
    sections = find_tests(root, file).get(name)
    if sections is None:
        raise RuntimeError(f"{where}: {file} has no test {name!r}")
    if section and section not in sections:
        raise RuntimeError(f"{where}: {file}: {name!r} has no section {section!r}")


@functools.lru_cache(maxsize=None)
def find_tests(root, file):
    """The test cases of a file, each with its sections."""
    text = (root / file).read_text(encoding="utf-8")
    if file.endswith(".py"):
        return {name: set() for name in re.findall(r"^def (test_\w+)\(", text, re.MULTILINE)}
    text = re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)
    literals = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
    found = re.finditer(rf"\b(?:(?:TEMPLATE_(?:LIST_)?)?TEST_CASE|(SECTION))\(\s*{literals}", text)
    result, sections = {}, set()
    for each in found:
        name = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', each.group(2))).replace('\\"', '"')
        if each.group(1):
            sections.add(name)
        else:
            sections = result.setdefault(name, set())
    return result


@functools.lru_cache(maxsize=None)
def is_built(root, file):
    """Whether a CMake file of the tests has the name of a C++ file. pytest finds its files by itself."""
    if file.endswith(".py"):
        return pathlib.PurePath(file).name.startswith("test_")
    return re.search(rf"\b{re.escape(pathlib.PurePath(file).stem)}\b", cmake_files(root)) is not None


@functools.lru_cache(maxsize=None)
def cmake_files(root):
    paths = [*(root / "tests").rglob("CMakeLists.txt"), *(root / "tests").rglob("*.cmake")]
    lines = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    return re.sub(r"^\s*#.*$", "", lines, flags=re.MULTILINE)


# ---- Comparing with the specifications


def compare_with_documents(specification, folder):
    texts = {version: words((folder / file).read_text(encoding="utf-8"))
             for version, file in specification.documents.items()}
    where = specification.file
    if specification.complete:
        if len(texts) != 1:
            raise RuntimeError(f"{where}: only one document can be complete")
        if hashlib.sha256(next(iter(texts.values())).encode()).hexdigest() != specification.complete:
            raise RuntimeError(f"{where}: the sentences are not those of the document, all and in their order")
        return
    for sentence in specification.sentences:
        parts = [part for part in (words(sentence.text), words(sentence.code)) if part]
        for version in sentence.versions or texts:
            for part in parts:
                if part not in texts[version]:
                    raise RuntimeError(f"{where}: not in the document of version {version}: {part}")
        for version in texts.keys() - set(sentence.versions or texts):
            if all(part in texts[version] for part in parts):
                raise RuntimeError(f"{where}: version {version} has it, too: {parts[0]}")


# ---- The page


def escape(text):
    """A text that Markdown shows as it is, in one line of a table."""
    return re.sub(r"[^\w\s.,:;=-]", lambda found: f"&#{ord(found.group())};", text)


def escape_code(text):
    lines = text.strip("\n").expandtabs().splitlines()
    return "&#10;".join(re.sub(r"[^\w .,:;=-]", lambda found: f"&#{ord(found.group())};", line.rstrip())
                        for line in lines)


def reading_of(text):
    """Plain words with `code`."""
    return re.sub(r"`([^`]+)`", lambda found: f"<code>{escape(found.group(1))}</code>", text)


def marked(text):
    """A sentence as its markup, reStructuredText or Markdown, shows it."""
    text = re.sub(r"^[*-] | *\.\. code-block:: \w+( :force:)?$|\\ (?=th)|~(?=torch)| <broadcasting-semantics>", "",
                  words(text))
    text = re.sub(r"(?<![\w*])(\*{1,2})(?=[^\s*])([^*]+)\1(?!\*)", r"\2", text)  # emphasis
    parts = re.split(r"``(.+?)``|(?::\w+:)?`([^`]+)`", re.sub(r"(: )?::$", ":", text))
    return "".join(f"<code>{escape(part)}</code>" if number % 3 else escape(part)
                   for number, part in enumerate(parts) if part)


def quotation(sentence):
    before = [sentence.of] if sentence.of else ["-" + version for version in sentence.versions]
    before = f"**{escape(', '.join(before))}:** " if before else ""
    code = f"<pre>{escape_code(sentence.code)}</pre>" if sentence.code else ""
    return f"{before}{marked(sentence.text)}{code}"


def link_of_test(test):
    file, name, section = parse_test(test)
    label = name if name else "must not compile: " + pathlib.PurePath(file).stem.replace("_", " ")
    if section:
        label += f" ({section})"
    return f"[{escape(label)}](repo:{file})"


def section_of(specification):
    demands = specification.demands
    named = {test for each in demands for test in each.tests}
    lines = [f"## {specification.title}", ""]
    operators = ", ".join(f"`{name}`" for name in specification.operators)
    scope = "Every sentence." if specification.complete else "The sentences that demand something."
    lines += [f"{operators}. {scope} {len(demands)} demands, {len(named)} tests. Text: {specification.authors}, "
              f"{specification.source}; {specification.licence}.", ""]
    if specification.note:
        lines += [reading_of(words(specification.note)), ""]
    lines += ['<div class="traced" markdown="1">', "", "| sentence | tests | reading |", "|---|---|---|"]
    for each in demands:
        tests = "".join(f"<li>{link_of_test(test)}</li>" for test in each.tests)
        lines.append(f"| {quotation(each)} | <ul>{tests}</ul> | {reading_of(words(each.reading))} |")
    lines += ["", "</div>"]
    others = [each for each in specification.sentences if each.says]
    if others:
        summary = f"<summary>{len(others)} sentences that demand nothing testable</summary>"
        lines += ["", '<details markdown="1">', summary, "", "| sentence | why |", "|---|---|"]
        lines += [f"| {quotation(each)} | {reading_of(words(each.says))} |" for each in others]
        lines += ["", "</details>"]
    return "\n".join(lines)


def anchor_of(title):
    """As Markdown's table of contents makes it."""
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", title).strip().lower())


def page(root):
    """The page as Markdown."""
    specifications = read_specifications(root)
    demands = sum(len(each.demands) for each in specifications)
    named = {test for each in specifications for sentence in each.demands for test in sentence.tests}
    lines = [
        "# Traceability", "", STYLE, "",
        f"{demands} requirements of {len(specifications)} specifications, each with the tests that verify it, "
        f"{len(named)} tests in all. A test that is named here fails if the library violates the sentence. "
        "The column *reading* has the interpretation where the text is wrong, incomplete or ambiguous.", "",
        "| specification | operators | demands | tests |", "|---|---|--:|--:|"]
    for each in specifications:
        tests = {test for sentence in each.demands for test in sentence.tests}
        operators = ", ".join(f"`{name}`" for name in each.operators)
        lines.append(f"| [{each.title}](#{anchor_of(each.title)}) | {operators} | {len(each.demands)} | {len(tests)} |")
    lines += [
        "",
        "The sentences are quoted word for word. They belong to the authors of OpenVINO and ONNX (Apache License 2.0), "
        "of PyTorch and of NumPy (both BSD 3-Clause License). The build of this page fails where a demand has no test, "
        "where a test does not exist, and where a sentence is missing from a specification that is listed completely. "
        "A prefix such as `-3:` marks a sentence that only that version has.", ""]
    return "\n".join(lines) + "\n" + "\n\n".join(section_of(each) for each in specifications) + "\n"


def main():
    parser = argparse.ArgumentParser(description="Checks the sentences of the specifications and the tests of each.")
    parser.add_argument("--documents", type=pathlib.Path, help="a folder with the text of the specifications")
    parser.add_argument("--page", action="store_true", help="prints the page")
    arguments = parser.parse_args()
    try:
        specifications = read_specifications(ROOT)
        if arguments.documents:
            for each in specifications:
                compare_with_documents(each, arguments.documents)
    except (RuntimeError, OSError) as error:
        sys.exit(str(error))
    if arguments.page:
        print(page(ROOT, lambda path: f"repo:{path}"))
        return
    named = set()
    for each in specifications:
        tests = {test for sentence in each.demands for test in sentence.tests}
        named |= tests
        complete = "complete" if each.complete else "demands"
        print(f"{each.title}: {len(each.sentences)} sentences ({complete}), {len(each.demands)} demands, "
              f"{sum(bool(sentence.reading) for sentence in each.demands)} readings, {len(tests)} tests")
    print(f"{sum(len(each.demands) for each in specifications)} demands, {len(named)} tests, all there"
          + ("; the quotations are the documents'" if arguments.documents else ""))


if __name__ == "__main__":
    main()
