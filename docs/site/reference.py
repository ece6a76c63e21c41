# SPDX-License-Identifier: Apache-2.0
"""The API reference: each public declaration of the headers with the comment above it, as Markdown.

The headers are parsed by libclang. A page is made of each header; what is in a namespace called detail is left out.
"""
import pathlib
import re
import subprocess
from dataclasses import dataclass, field

from clang.cindex import AccessSpecifier, CursorKind, Diagnostic, Index, TranslationUnit

WIDTH = 84  # of a line of code before its parameters get a line each
FUNCTIONS = {CursorKind.FUNCTION_DECL, CursorKind.FUNCTION_TEMPLATE, CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR,
             CursorKind.CONVERSION_FUNCTION}
CLASSES = {CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.CLASS_TEMPLATE,
           CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION}
SHOWN = FUNCTIONS | CLASSES | {CursorKind.VAR_DECL, CursorKind.ENUM_DECL, CursorKind.CONCEPT_DECL,
                               CursorKind.TYPE_ALIAS_DECL, CursorKind.TYPE_ALIAS_TEMPLATE_DECL}
MEMBERS = FUNCTIONS | {CursorKind.FIELD_DECL, CursorKind.VAR_DECL, CursorKind.TYPE_ALIAS_DECL,
                       CursorKind.FUNCTION_TEMPLATE}
NOT_SHOWN = re.compile(r"\b(?:STREW_(?:KEYED|COLD|NOT_FUSED|INLINE|EXPORT|NOINLINE)|inline)\s+|\[\[nodiscard\]\]\s+")


@dataclass
class Entry:
    """Declarations that one comment stands above."""
    names: list[str]  # qualified, without strew::
    code: list[str]
    comment: str
    members: list["Entry"] = field(default_factory=list)
    kind: str = ""

    @property
    def anchor(self):
        return anchor_of(self.names[0])


@dataclass
class Header:
    path: str  # strew/operators/index_ops.hpp
    about: str
    entries: list[Entry] = field(default_factory=list)

    @property
    def page(self):
        name = self.path.removeprefix("strew/").removesuffix(".hpp")
        suffix = "_hpp" if name.rpartition("/")[2] == "index" else ""  # a folder's index is another page
        return f"reference/{name}{suffix}.md"


def anchor_of(name):
    return re.sub(r"[^\w]+", "-", name).strip("-")


# ---- Source text


class Source:
    def __init__(self, path):
        self.bytes = path.read_bytes()
        self.lines = self.bytes.decode().splitlines()

    def text(self, begin, end):
        return self.bytes[begin:end].decode()

    def comment_above(self, line):
        """The comment lines that end right above a line, counted from 1."""
        last = line - 1
        first = last
        while first > 0 and self.lines[first - 1].lstrip().startswith("//"):
            first -= 1
        lines = [text.lstrip().removeprefix("//").removeprefix(" ") for text in self.lines[first:last]]
        return "" if lines and lines[0].startswith("----") else "\n".join(lines)


def balanced_end(text, begin):
    """The position behind the bracket that closes the one at begin."""
    pairs = {"(": ")", "[": "]", "{": "}", "<": ">"}
    opening, closing = text[begin], pairs[text[begin]]
    depth = 0
    for position in range(begin, len(text)):
        if text[position] == opening:
            depth += 1
        elif text[position] == closing:
            depth -= 1
            if depth == 0:
                return position + 1
    return -1


def without_body(text):
    """A function's declaration without what it does, initialisers of members included."""
    depth = 0
    seen_parameters = False
    for position, letter in enumerate(text):
        if letter in "([":
            depth += 1
        elif letter in ")]":
            depth -= 1
            seen_parameters = seen_parameters or letter == ")"
        elif depth == 0 and seen_parameters and (
                letter == "{" or (letter == ":" and text[position + 1] != ":" and text[position - 1] != ":")):
            before = text[:position].rstrip()
            if letter == "{" and before.endswith("requires"):
                continue
            return before
    return text


def split_parameters(text):
    parts = []
    depth = 0
    begin = 0
    for position, letter in enumerate(text):
        if letter in "([{<":
            depth += 1
        elif letter in ")]}>" and text[position - 1] != "-":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(text[begin:position].strip())
            begin = position + 1
    return [*parts, text[begin:].strip()]


def joined(text):
    return re.sub(r"\s+", " ", text).strip()


def arranged(text):
    """A declaration on one line, or with a line for each parameter."""
    text = NOT_SHOWN.sub("", text).strip().rstrip(";") + ";"
    result = []
    while text.startswith("template"):
        end = balanced_end(text, text.index("<"))
        result.append(joined(text[:end]))
        text = text[end:].strip()
        requires = re.match(r"requires\s*(\()|requires[^\n]*\n", text)
        if requires:
            end = balanced_end(text, requires.end() - 1) if requires.group(1) else requires.end()
            result.append("  " + joined(text[:end]))
            text = text[end:].strip()
    text = joined(text)
    opening = text.find("(")
    if len(text) <= WIDTH or opening < 0 or text[opening + 1] == ")":
        return "\n".join([*result, text])
    end = balanced_end(text, opening)
    parameters = split_parameters(text[opening + 1:end - 1])
    lines = ",\n".join("    " + parameter for parameter in parameters)
    return "\n".join([*result, text[:opening + 1], lines + text[end - 1:]])


# ---- Declarations


class Reader:
    def __init__(self, root):
        self.root = root
        self.include = root / "include"
        self.sources = {}
        self.known = set()
        self.headers = {}
        for path in sorted((self.include / "strew").rglob("*.hpp")):
            name = path.relative_to(self.include).as_posix()
            if "/detail/" in name or name == "strew/fwd.hpp":  # which only declares ahead
                continue
            source = self.sources[name] = Source(path)
            about = []
            for line in source.lines[1:]:
                if not line.startswith("//"):
                    break
                about.append(line.removeprefix("//").removeprefix(" "))
            self.headers[name] = Header(name, "\n".join(about))

    def read(self):
        compiler = subprocess.run(["c++", "-print-file-name=include"], check=True, capture_output=True, text=True)
        unit = Index.create().parse(
            "all.cpp",
            args=["-std=c++20", f"-I{self.include}", "-isystem", compiler.stdout.strip(), "-DSTREW_USE_INTRINSICS=0"],
            unsaved_files=[("all.cpp", "".join(f"#include <{name}>\n" for name in self.headers))],
            options=TranslationUnit.PARSE_SKIP_FUNCTION_BODIES)
        errors = [str(message) for message in unit.diagnostics if message.severity >= Diagnostic.Error]
        if errors:
            raise RuntimeError("The headers cannot be parsed:\n" + "\n".join(errors[:5]))
        self.visit(unit.cursor, [])
        return [header for header in self.headers.values() if header.entries]

    def header_of(self, cursor):
        file = cursor.location.file
        if file is None:
            return None
        path = pathlib.Path(file.name)
        return path.relative_to(self.include).as_posix() if path.is_relative_to(self.include) else None

    def visit(self, parent, namespaces):
        for cursor in parent.get_children():
            name = self.header_of(cursor)
            if name is None or name not in self.headers:
                continue
            if cursor.kind == CursorKind.NAMESPACE:
                spelling = cursor.spelling
                if spelling == "detail" or spelling == "erased":
                    continue
                is_inline = spelling == "strew" or spelling.startswith("v0_") or "_rank" in spelling
                self.visit(cursor, namespaces if is_inline else [*namespaces, spelling])
            elif cursor.kind in SHOWN and cursor.spelling:
                self.add(self.headers[name].entries, cursor, self.sources[name], namespaces)

    def add(self, entries, cursor, source, namespaces):
        is_class = cursor.kind in CLASSES
        if is_class and not cursor.is_definition() and not source.comment_above(cursor.extent.start.line):
            return  # declared ahead
        if is_class and cursor.spelling in self.known and not source.comment_above(self.first_line(cursor, source)):
            return  # a specialisation
        self.known.add(cursor.spelling)
        spelling = re.sub(r"<[^<=].*", "", cursor.spelling)
        if not spelling:
            return  # a deduction guide
        name = "::".join([*namespaces, spelling])
        text = source.text(cursor.extent.start.offset, cursor.extent.end.offset)
        comment = source.comment_above(self.first_line(cursor, source))
        if cursor.kind == CursorKind.VAR_DECL and "_operator" in text:
            returned = "strew::status" if spelling.startswith("try_") else "void, or throws strew::scatter_error"
            code = f"{'::'.join(['strew', *namespaces])}::{spelling}(...)  // {returned}"
        elif cursor.kind in FUNCTIONS:
            code = arranged(without_body(text))
        elif is_class:
            code = arranged(self.class_head(text))
        elif cursor.kind == CursorKind.ENUM_DECL:
            code = NOT_SHOWN.sub("", text) + ";"
        elif cursor.kind == CursorKind.VAR_DECL:
            code = arranged(text.removesuffix("{}"))
        else:
            code = re.sub(r"\s+$", "", text) + ";"
        is_other_form = comment.startswith("Without exceptions: returns what")
        kind = "class" if is_class else "variable" if cursor.kind == CursorKind.VAR_DECL else "function"
        follows = not comment and entries and entries[-1].kind == kind
        if entries and (follows or is_other_form or name in entries[-1].names) and not (is_class and comment):
            last = entries[-1]
            if name not in last.names:
                last.names.append(name)
                last.names.sort(key=lambda each: "try_" in each)
            if code not in last.code:
                last.code.append(code)
            if comment and not is_other_form:
                last.comment += "\n\n" + comment
            if not is_class:
                return
            entry = last
        else:
            entry = Entry([name], [code], comment, kind=kind)
            entries.append(entry)
        if is_class:
            self.add_members(entry, cursor, source, spelling)

    @staticmethod
    def first_line(cursor, source):
        """Where a declaration begins, attributes that libclang leaves out included."""
        line = cursor.extent.start.line
        while line > 1 and re.match(r"\s*(template <|requires|STREW_KEYED|\[\[)[^;]*[^;}]$", source.lines[line - 2]):
            line -= 1
        return line

    @staticmethod
    def class_head(text):
        head = text[:text.index("{")] if "{" in text else text
        return head.strip()

    def add_members(self, entry, cursor, source, class_name):
        for member in cursor.get_children():
            if member.kind not in MEMBERS or member.access_specifier not in (AccessSpecifier.PUBLIC,
                                                                               AccessSpecifier.INVALID):
                continue
            text = source.text(member.extent.start.offset, member.extent.end.offset)
            comment = source.comment_above(self.first_line(member, source))
            code = arranged(without_body(text) if member.kind in FUNCTIONS else text)
            if "= delete" in code or (class_name in code and "= default" in code):
                continue
            trailing = source.lines[member.extent.end.line - 1][member.extent.end.column:]
            if trailing.startswith("  //"):
                code += trailing
            stands_apart = not source.lines[self.first_line(member, source) - 2].strip()
            if entry.members and not comment and not stands_apart:
                entry.members[-1].code.append(code)
            else:
                entry.members.append(Entry([member.spelling], [code], comment))


# ---- Markdown


class Marker:
    """Turns plain comments into Markdown: code is found by its looks, and known names become links."""

    def __init__(self, headers):
        self.links = {}
        for header in headers:
            for entry in header.entries:
                for name in entry.names:
                    target = f"{header.page}#{entry.anchor}"
                    self.links.setdefault(name, target)
                    self.links.setdefault("strew::" + name, target)

    def code(self, text):
        name = re.match(r"[\w:]+", text)
        target = self.links.get(name.group()) if name and name.end() == len(text) else None
        return f"[`{text}`](ref:{target})" if target else f"`{text}`"

    def text(self, text):
        result = []
        position = 0
        while position < len(text):
            letter = text[position]
            if letter == "`":
                end = text.find("`", position + 1) + 1
                result.append(self.code(text[position + 1:end - 1]))
            elif letter == "[":
                end = balanced_end(text, position)
                end = end if end > 0 else position + 1
                result.append(self.code(text[position:end]) if end > position + 1 else "\\[")
            elif letter.isalpha() or letter == "_":
                end = re.compile(r"[\w/]+\.hpp|[\w:]+").match(text, position).end()
                while text[end - 1] == ":":
                    end -= 1
                while end < len(text) and text[end] in "[(<" and not (text[end] == "<" and text[end + 1] in " ="):
                    closed = balanced_end(text, end)
                    if closed < 0:
                        break
                    end = closed
                word = text[position:end]
                result.append(self.code(word) if re.search(r"[_:\[(<]|\.hpp", word) else word)
            else:
                end = position + 1
                result.append("&lt;" if letter == "<" else "\\" + letter if letter in "*_#" else letter)
            position = end
        return "".join(result)

    def comment(self, comment):
        """Paragraphs, lists, and what is indented as code."""
        result = []
        paragraph = []
        code = []
        in_list = False

        def flush():
            if paragraph:
                result.append(self.text("\n".join(paragraph)) if not paragraph[0].startswith("- ") else "\n".join(
                    "- " + self.text(item) for item in "\n".join(paragraph).removeprefix("- ").split("\n- ")))
                paragraph.clear()
            if code:
                lines = [line[2:] for line in code]
                while lines and not lines[-1].strip():
                    lines.pop()
                language = "cpp" if any(";" in line or line.rstrip().endswith(")") for line in lines) else "text"
                result.append("```" + language + "\n" + "\n".join(lines) + "\n```")
                code.clear()

        for line in comment.split("\n"):
            if line.startswith("  ") and not in_list:
                if paragraph:
                    flush()
                code.append(line)
            elif not line.strip():
                if code:
                    code.append("")
                else:
                    flush()
            else:
                if code:
                    flush()
                in_list = line.startswith("- ") or (in_list and line.startswith("  "))
                if line.startswith("- ") and paragraph and not paragraph[0].startswith("- "):
                    flush()
                paragraph.append(line.strip() if not line.startswith("- ") else line)
        flush()
        return "\n\n".join(result)

    def entry(self, entry, level):
        code = "\n".join(entry.code)
        parts = [f"```cpp\n{code}\n```", self.comment(entry.comment)]
        for member in entry.members:
            member_code = "\n".join(member.code)
            parts += [f"```cpp\n{member_code}\n```", self.comment(member.comment)]
        body = "\n\n".join(part for part in parts if part)
        title = ", ".join(f"`{name}`" for name in entry.names)
        return f"{'#' * level} {title} {{#{entry.anchor}}}\n\n{body}\n"

    def page(self, header):
        entries = "\n".join(self.entry(entry, 2) for entry in header.entries)
        return (f"# {header.path}\n\n{self.comment(header.about)}\n\n"
                f"[Source of the header](repo:include/{header.path})\n\n{entries}")


def read_headers(root):
    return Reader(pathlib.Path(root)).read()
