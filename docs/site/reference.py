# SPDX-License-Identifier: Apache-2.0
"""The API reference: each public declaration of the headers with the comment above it, as Markdown.

The headers are parsed by libclang, and declarations are formatted by clang-format. A page is made of each header; what
is in a namespace called detail is left out. Names of detail in a declaration are replaced: see DESCRIBED.
"""
import pathlib
import re
import subprocess
import sys
from dataclasses import dataclass, field

from clang.cindex import AccessSpecifier, CursorKind, Diagnostic, Index, TranslationUnit

WIDTH = 100  # of a line of code
STYLE = ("{BasedOnStyle: Google, ColumnLimit: %d, BinPackParameters: false, AlignAfterOpenBracket: AlwaysBreak,"
         " AllowAllParametersOfDeclarationOnNextLine: false, PenaltyReturnTypeOnItsOwnLine: 10000,"
         " PenaltyBreakAssignment: 10000, ContinuationIndentWidth: 4, CommentPragmas: '^@@@'}" % WIDTH)
FUNCTIONS = {CursorKind.FUNCTION_DECL, CursorKind.FUNCTION_TEMPLATE, CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR,
             CursorKind.CONVERSION_FUNCTION}
CLASSES = {CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.CLASS_TEMPLATE,
           CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION}
ALIASES = {CursorKind.TYPE_ALIAS_DECL, CursorKind.TYPE_ALIAS_TEMPLATE_DECL}
# libclang calls a variable template UNEXPOSED_DECL.
SHOWN = FUNCTIONS | CLASSES | ALIASES | {CursorKind.VAR_DECL, CursorKind.ENUM_DECL, CursorKind.CONCEPT_DECL,
                                         CursorKind.USING_DECLARATION, CursorKind.UNEXPOSED_DECL}
MEMBERS = FUNCTIONS | ALIASES | {CursorKind.FIELD_DECL, CursorKind.VAR_DECL, CursorKind.FRIEND_DECL,
                                 CursorKind.USING_DECLARATION, CursorKind.UNEXPOSED_DECL}
PUBLIC = (AccessSpecifier.PUBLIC, AccessSpecifier.INVALID)
CONSTRUCTOR = "(constructor)"
FORWARD = "strew/fwd.hpp"  # which only declares names of other headers
UMBRELLA = "strew/strew.hpp"

NOT_SHOWN = re.compile(r"\b(?:STREW_(?:KEYED|COLD|NOT_FUSED|INLINE|EXPORT|NOINLINE)|inline)\s+|"
                       r'\[\[nodiscard(?:\(\s*"[^"]*"\s*\))?\]\]\s*')
# Overloads whose only purpose is the text of a compiler error.
REFUSING = re.compile(r"\s*\{\s*(?:strew::)?detail::(?:explain<std::is_void_v|refuse_without_updates)")
# What stands for names of detail in a declaration; /* unspecified */ for all others.
DESCRIBED = {
    "throwing": "/* operator */", "call_object": "/* operator */", "whole_number": "/* integer */",
    "list_item": "/* integer */", "stop_entry": "/* integer */",
    "extents_argument": "/* extents, integer or slices */",
    "index_address": "/* address, or span of addresses */",
}
DETAIL = re.compile(r"!?(?:const\s+)?(?:typename\s+)?(?:(?:strew::)?\bdetail::(?:\w+::)*|\baddresses::)(\w+)")
OPERATORS = {"operator()": "operator-call", "operator[]": "operator-subscript", "operator<<": "operator-output",
             "operator==": "operator-equal", "operator=": "operator-assign"}


@dataclass
class Declaration:
    name: str  # in a namespace: qualified, without strew::
    code: str
    class_name: str = ""  # of a member: qualified as name is in a namespace


@dataclass
class Group:
    """Declarations that one comment stands above."""
    declarations: list[Declaration]
    comment: str
    anchors: dict[str, str] = field(default_factory=dict)  # of the names that have theirs here

    @property
    def names(self):
        return list(dict.fromkeys(declaration.name for declaration in self.declarations))

    @property
    def code(self):
        return "\n".join(declaration.code for declaration in self.declarations)

    @property
    def class_name(self):
        return self.declarations[0].class_name


@dataclass
class Enumerator:
    name: str
    comment: str
    anchor: str


@dataclass
class Entry:
    """Groups of declarations under one heading: overloads, and the form with try_ of a function."""
    groups: list[Group]
    kind: str = ""
    members: list[Group] = field(default_factory=list)
    enumerators: list[Enumerator] = field(default_factory=list)
    inherited: list[tuple[str, list[str]]] = field(default_factory=list)  # a base class and names of its members
    same_as: str = ""  # what a using declaration names
    calls: str = ""  # shown instead of the declarations
    note: str = ""  # Markdown below the code

    @property
    def names(self):
        names = dict.fromkeys(name for group in self.groups for name in group.names)
        return sorted(names, key=is_try)

    @property
    def code(self):
        return "\n".join(group.code for group in self.groups)

    @property
    def comment(self):
        return "\n\n".join(group.comment for group in self.groups if group.comment)

    @property
    def has_several_classes(self):
        return len({group.class_name for group in self.members}) > 1

    @property
    def anchors(self):
        return {name: anchor for group in self.groups for name, anchor in group.anchors.items()}

    @property
    def anchor(self):
        return self.anchors[self.names[0]]


@dataclass
class Header:
    path: str  # strew/operators/index_add.hpp
    about: str
    entries: list[Entry] = field(default_factory=list)
    includes: list[str] = field(default_factory=list)  # of a header that declares little itself: the public headers
    ahead: list[str] = field(default_factory=list)  # of FORWARD: the names

    @property
    def page(self):
        name = self.path.removeprefix("strew/").removesuffix(".hpp")
        suffix = "_hpp" if name.rpartition("/")[2] == "index" else ""  # a folder's index is another page
        return f"reference/{name}{suffix}.md"


def is_try(name):
    return name.rpartition("::")[2].startswith("try_")


def anchor_of(name):
    for operator, words in OPERATORS.items():
        name = name.replace(operator, words) if name.endswith(operator) else name
    anchor = re.sub(r"[^\w]+", "-", name).strip("-")
    if anchor.endswith("operator"):
        raise RuntimeError(f"docs/site/reference.py: OPERATORS lacks {name}")
    return anchor


# ---- Source text


class Source:
    def __init__(self, path):
        self.bytes = path.read_bytes()
        self.lines = self.bytes.decode().splitlines()

    def text(self, cursor):
        return self.bytes[cursor.extent.start.offset:cursor.extent.end.offset].decode()

    def is_refusing(self, cursor):
        """Whether a function's body is only the text of a compiler error."""
        body = self.text(cursor)[len(without_body(self.text(cursor))):]
        return REFUSING.match(body or self.bytes[cursor.extent.end.offset:].decode()) is not None

    def comment_above(self, line):
        """The comment lines that end right above a line, counted from 1."""
        last = line - 1
        first = last
        while first > 0 and self.lines[first - 1].lstrip().startswith("//"):
            first -= 1
        lines = [text.lstrip().removeprefix("//").removeprefix(" ") for text in self.lines[first:last]]
        return "" if lines and lines[0].startswith("----") else "\n".join(lines)

    def comment_behind(self, cursor):
        """The comment on the line on which a declaration ends."""
        found = re.match(r"[,;]?\s*//\s*(.*)", self.lines[cursor.extent.end.line - 1][cursor.extent.end.column - 1:])
        return found.group(1) if found else ""

    def first_line(self, cursor):
        """Where a declaration begins, attributes that libclang leaves out included."""
        line = cursor.extent.start.line
        while line > 1 and re.match(r"\s*(template <|requires|STREW_KEYED|\[\[)[^;]*[^;}]$", self.lines[line - 2]):
            line -= 1
        return line

    def comment_of(self, cursor):
        return self.comment_above(self.first_line(cursor))


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
    """A function's declaration without its body and initialisers of members."""
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


def up_to_name(cursor, text):
    """The declaration of a variable without its initialiser."""
    name = cursor.spelling.encode()
    begin = text.encode().index(name, cursor.location.offset - cursor.extent.start.offset)
    return text.encode()[:begin + len(name)].decode()


def constraint_end(text, begin):
    """The position behind a requires clause, whose constraint begins at begin: terms with && or || between them."""
    term = re.compile(r"\s*(?:(\()|(requires)\b|[\w:]+\s*(<)?)")
    position = begin
    while True:
        found = term.match(text, position)
        position = found.end()
        if found.group(2):
            position = balanced_end(text, text.index("{", position))
        elif found.group(1) or found.group(3):
            position = balanced_end(text, position - 1)
        junction = re.match(r"\s*(?:&&|\|\|)", text[position:])
        if junction is None:
            return position
        position += junction.end()


# ---- Names of detail


class Code:
    """A declaration as the reference shows it."""

    def __init__(self, text):
        text = NOT_SHOWN.sub("", text).strip().rstrip(";")
        self.heads = []  # template <..> and requires clauses in front
        while found := re.match(r"template\s*<|requires\b", text):
            end = (balanced_end(text, found.end() - 1) if text[found.end() - 1] == "<"
                   else constraint_end(text, found.end()))
            self.heads.append(text[:end])
            text = text[end:].strip()
        self.rest = text
        self.replaced = set()  # words of the types that were replaced

    def shown(self, is_function):
        self.heads = [re.sub(r"(?:strew::)?\bdetail::\w+(?:<[^<>]*>)?(?= (?:\.\.\. ?)?\w)", "class", head)
                      for head in self.heads if not head.startswith("requires") or "detail::" not in head]
        self.rest = self.without_names_of_detail(self.rest)
        if is_function:  # template parameters of types that are not shown
            words = set(re.findall(r"\w+", self.rest)) | {word for head in self.heads if head.startswith("requires")
                                                          for word in re.findall(r"\w+", head)}
            self.heads = [self.with_parameters(head, words) for head in self.heads]
        return "\n".join([*filter(None, self.heads), self.rest]) + ";"

    def without_names_of_detail(self, text):
        position = 0
        while found := re.compile(r"\bnoexcept\(").search(text, position):
            position = balanced_end(text, found.end() - 1)
            if re.search(r"\bdetail::", text[found.end():position]):
                text = f"{text[:found.end()]}/* unspecified */{text[position - 1:]}"
                position = found.end()
        while found := DETAIL.search(text):
            end = found.end()
            if re.match(r"\s*<(?![<=])", text[end:]):
                end = balanced_end(text, text.index("<", end))
            end += re.match(r"(?:::\w+)*(?:\(\))?\s*(?:&(?!&))?", text[end:]).end()
            self.replaced |= set(re.findall(r"\w+", text[found.start():end]))
            behind = text[end:].lstrip()
            text = text[:found.start()] + DESCRIBED.get(found.group(1), "/* unspecified */") + (
                " " if behind[:1].isalpha() else "") + behind
        return text

    def with_parameters(self, head, words):
        if not head.startswith("template"):
            return head
        parameters = []
        for parameter in split_parameters(head[head.index("<") + 1:-1]):
            name = re.findall(r"\w+", parameter.partition("=")[0])[-1]
            if name in words or name not in self.replaced:
                parameters.append(parameter)
        return f"template <{', '.join(parameters)}>" if parameters else ""


def split_parameters(text):
    parts = []
    depth = 0
    begin = 0
    for position, letter in enumerate(text):
        if letter in "([{<":
            depth += 1
        elif letter in ")]}>":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(text[begin:position].strip())
            begin = position + 1
    return [*parts, text[begin:].strip()]


def formatted(codes):
    """The codes as clang-format arranges them, all in one run."""
    tool = pathlib.Path(sys.executable).with_name("clang-format")
    text = "\n\n//@@@\n\n".join(codes)
    # A name stands for /* .. */ in the meantime, since a comment is no type.
    stand_ins = {comment: f"type_{number}".ljust(len(comment), "_")
                 for number, comment in enumerate(sorted(set(re.findall(r"/\* [^*]+ \*/", text))))}
    for comment, name in stand_ins.items():
        text = text.replace(comment, name)
    text = subprocess.run([tool, f"--style={STYLE}", "--assume-filename=all.cpp"], check=True, capture_output=True,
                          text=True, input=text).stdout
    for comment, name in stand_ins.items():
        text = text.replace(name, comment)
    results = [code.strip("\n") for code in text.split("//@@@")]
    if len(results) != len(codes):
        raise RuntimeError("docs/site/reference.py: clang-format does not keep the separators")
    for code in results:
        for line in code.splitlines():
            if len(line) > WIDTH:
                raise RuntimeError(f"docs/site/reference.py: a line of more than {WIDTH} columns: {line}")
        if "detail::" in code:
            raise RuntimeError(f"docs/site/reference.py: a name of detail is shown: {code}")
    return results


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
            if "/detail/" in name:
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
        # Where mpi.h is, without its own interface for C++.
        found = subprocess.run(["mpicxx", "--showme:incdirs"], check=True, capture_output=True, text=True)
        mpi = ["-DOMPI_SKIP_MPICXX", *(f"-isystem{directory}" for directory in found.stdout.split())]
        included = [name for name in self.headers if name != FORWARD] + [FORWARD]
        unit = Index.create().parse(
            "all.cpp",
            args=["-std=c++20", f"-I{self.include}", "-isystem", compiler.stdout.strip(), "-DSTREW_USE_INTRINSICS=0", *mpi],
            unsaved_files=[("all.cpp", "".join(f"#include <{name}>\n" for name in included))],
            options=TranslationUnit.PARSE_SKIP_FUNCTION_BODIES)
        errors = [str(message) for message in unit.diagnostics if message.severity >= Diagnostic.Error]
        if errors:
            raise RuntimeError("The headers cannot be parsed:\n" + "\n".join(errors[:5]))
        self.read_macros()
        self.visit(unit.cursor, [])
        headers = list(self.headers.values())
        for header in headers:
            self.finish(header)
            if header.path != FORWARD and all(entry.kind == "alias" for entry in header.entries):
                header.includes = [name for name in re.findall(r"#include <([\w/]+\.hpp)>",
                                                               "\n".join(self.sources[header.path].lines))
                                   if name in self.headers and name != "strew/config.hpp"]
        self.list_inherited([entry for header in headers for entry in header.entries])
        groups = [group for header in headers for entry in header.entries for group in [*entry.groups, *entry.members]]
        declarations = [declaration for group in groups for declaration in group.declarations]
        for declaration, code in zip(declarations, formatted([each.code for each in declarations])):
            declaration.code = code
        for group in groups:  # overloads that differ in types of detail only
            group.declarations = list({(each.name, each.class_name, each.code): each
                                       for each in group.declarations}.values())
        return headers

    @staticmethod
    def list_inherited(entries):
        """The members of public base classes, but those that a class declares anew."""
        by_name = {name: entry for entry in entries for name in entry.names}
        for entry in entries:
            hidden = {CONSTRUCTOR, "operator=", *(name for group in entry.members for name in group.names)}
            for base, names in entry.inherited:
                if base in by_name:
                    names += dict.fromkeys(name for group in by_name[base].members for name in group.names
                                           if name not in hidden)
                    hidden |= set(names)

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
                if name == FORWARD:
                    self.headers[name].ahead.append("::".join([*namespaces, cursor.spelling]))
                else:
                    self.add(self.headers[name].entries, cursor, self.sources[name], namespaces)

    def read_macros(self):
        """The macros that docs/versions.md lists as stable."""
        text = (self.root / "docs/versions.md").read_text()
        listed = re.search(r"^- \*\*Macros\*\*: (.*?)\.$", text, re.MULTILINE | re.DOTALL)
        if listed is None:
            raise RuntimeError("docs/versions.md: no list of macros")
        source, entries = self.sources["strew/config.hpp"], self.headers["strew/config.hpp"].entries
        for pattern in re.findall(r"`(\w+\*?)`", listed.group(1)):
            found = [k for k, line in enumerate(source.lines)
                     if re.match(rf"#define {pattern.replace('*', '[A-Z]+')}\b", line)]
            if not found:
                raise RuntimeError(f"docs/versions.md: config.hpp defines no {pattern}")
            names = dict.fromkeys(re.match(r"#define (\w+)", source.lines[k]).group(1) for k in found)
            if len(names) == 1:  # with the condition under which it is defined
                name, = names
                first = source.lines.index(f"#ifndef {name}")
                depth = 0
                for last in range(first, len(source.lines)):
                    depth += source.lines[last].startswith("#if")
                    depth -= source.lines[last].startswith("#endif")
                    if depth == 0:
                        break
            else:
                first, last = found[0], found[-1]
            entry = Entry([Group([Declaration(name, "") for name in names], source.comment_above(first + 1))], "macro")
            entry.calls = "\n".join(source.lines[first:last + 1])
            entries.append(entry)

    def add(self, entries, cursor, source, namespaces):
        is_class = cursor.kind in CLASSES
        if is_class and not cursor.is_definition() and not source.comment_above(cursor.extent.start.line):
            return  # declared ahead
        spelling = re.sub(r"<[^<=].*", "", cursor.spelling)
        if not spelling:
            return  # a deduction guide
        name = "::".join([*namespaces, spelling])
        comment = source.comment_of(cursor)
        if is_class and name in self.known and not comment:
            return  # a specialisation
        self.known.add(name)
        text = source.text(cursor)
        if comment.endswith("not for users.") or (cursor.kind in FUNCTIONS and source.is_refusing(cursor)):
            return
        kind = "class" if is_class else "variable" if cursor.kind == CursorKind.VAR_DECL else "function"
        declaration = Declaration(name, self.code_of(cursor, text))
        if cursor.kind == CursorKind.USING_DECLARATION:
            self.add_alias(entries, declaration, text)
            return
        last = entries[-1] if entries else None
        is_other_form = comment.startswith("Without exceptions: returns what")
        if last and last.kind == kind and (not comment or is_other_form):
            # Another form, and the same functions in another namespace, belong to the first comment.
            is_near = last.groups[-1].names[-1].rpartition("::")[0] == name.rpartition("::")[0]
            last.groups[-1 if is_near and not is_other_form else 0].declarations.append(declaration)
            entry = last
        elif last and last.kind == kind and name in last.names and not is_class:
            last.groups.append(Group([declaration], comment))
            entry = last
        else:
            entry = Entry([Group([declaration], comment)], kind)
            entries.append(entry)
        if is_class:
            self.add_members(entry, cursor, source, name)
        elif cursor.kind == CursorKind.ENUM_DECL:
            self.add_enumerators(entry, cursor, source)

    @staticmethod
    def add_alias(entries, declaration, text):
        target = re.sub(r"^using\s+(?:strew::)?", "", text)
        stem = declaration.name.replace("::try_", "::")
        if is_try(declaration.name):
            entry = next((entry for entry in entries if stem in entry.names), None)
            if entry is not None:
                entry.groups[0].declarations.append(declaration)
                return
        entries.append(Entry([Group([declaration], "")], "alias", same_as=target))

    @staticmethod
    def code_of(cursor, text):
        if cursor.kind in CLASSES:
            text = text[:text.index("{")] if "{" in text else text
            return Code(re.sub(r"\s*:\s*public\s+detail::.*", "", text.strip(), flags=re.DOTALL)).shown(False)
        if cursor.kind in FUNCTIONS:
            return Code(without_body(text)).shown(True)
        if cursor.kind == CursorKind.UNEXPOSED_DECL:
            return Code(up_to_name(cursor, text)).shown(False)
        return Code(text).shown(False)

    @staticmethod
    def add_enumerators(entry, cursor, source):
        entry.kind = "enum"
        children = [child for child in cursor.get_children() if child.kind == CursorKind.ENUM_CONSTANT_DECL]
        for child in children:
            comment = source.comment_behind(child)
            entry.enumerators.append(Enumerator(child.spelling, comment, ""))
        if any(each.comment for each in entry.enumerators):
            code = entry.groups[0].declarations[-1]
            code.code = re.sub(r"\s*\{.*\}", "", code.code, flags=re.DOTALL)

    def add_members(self, entry, cursor, source, class_name, meanings=()):
        private = dict(meanings)  # names of types that are replaced: private aliases, a base's parameters
        bases = []
        stands_alone = True  # not under the comment of the declaration in front
        for member in cursor.get_children():
            text = source.text(member)
            if member.kind in ALIASES and member.access_specifier not in PUBLIC:
                private[member.spelling] = text.partition("=")[2].strip()
            if member.kind == CursorKind.CXX_BASE_SPECIFIER and member.access_specifier in PUBLIC:
                bases.append(member)
            if member.kind not in MEMBERS or member.access_specifier not in PUBLIC:
                continue
            if member.kind == CursorKind.FRIEND_DECL:
                befriended = next(member.get_children())
                if befriended.kind not in FUNCTIONS or "operator" not in befriended.spelling:
                    continue
                spelling, is_function = befriended.spelling, True
            else:
                spelling, is_function = member.spelling, member.kind in FUNCTIONS
            if not spelling and member.kind != CursorKind.USING_DECLARATION:
                continue
            if re.sub(r"<.*", "", spelling) == class_name.rpartition("::")[2]:
                spelling = CONSTRUCTOR
            elif member.kind == CursorKind.CONVERSION_FUNCTION:  # libclang replaces aliases such as std::string_view
                spelling = re.search(r"operator [^()]+", text).group()
            comment = source.comment_of(member)
            declared = without_body(text) if is_function else text
            if "= delete" in declared or (is_function and source.is_refusing(member)):
                stands_alone = True
                continue
            for alias, meaning in private.items():
                if "detail::" not in meaning and "typename" not in meaning:
                    declared = re.sub(rf"\b{alias}\b(?=\s*&|\s+\w)", meaning, declared)
            if member.kind == CursorKind.UNEXPOSED_DECL:
                declared = up_to_name(member, text)
            code = Code(declared).shown(is_function)
            behind = source.comment_behind(member) if member.kind == CursorKind.FIELD_DECL else ""
            if behind:
                code = f"{code}  // {behind}" if len(code) + len(behind) + 5 <= WIDTH else f"// {behind}\n{code}"
            declaration = Declaration(spelling, code, class_name)
            last = entry.members[-1] if entry.members else None
            stands_apart = stands_alone or not source.lines[source.first_line(member) - 2].strip()
            is_overload = last is not None and spelling == last.declarations[-1].name
            if member.is_copy_constructor():
                stands_apart, is_overload = True, False
            is_of_last = last is not None and last.class_name == class_name
            if is_of_last and not comment and (not stands_apart or is_overload):
                last.declarations.append(declaration)
            else:
                entry.members.append(Group([declaration], comment))
            stands_alone = False
        for base in bases:
            self.add_base(entry, base, class_name)

    def add_base(self, entry, base, class_name):
        """Members of a base class: as the class's own if the base is in detail, otherwise as a list of names."""
        definition = next(child.referenced for child in base.get_children()
                          if child.kind in (CursorKind.TEMPLATE_REF, CursorKind.TYPE_REF))
        header = self.header_of(definition)
        if "detail::" in base.spelling:
            parameters = [child.spelling for child in definition.get_children()
                          if child.kind == CursorKind.TEMPLATE_TYPE_PARAMETER]
            arguments = split_parameters(base.spelling.partition("<")[2].removesuffix(">").replace(" *", "*"))
            self.add_members(entry, definition, self.sources[header], class_name, zip(parameters, arguments))
            return
        names = []
        while definition is not None:
            bases = [child for child in definition.get_children() if child.kind == CursorKind.CXX_BASE_SPECIFIER]
            if header is None:  # of the standard library: what the comment of the class names
                names += [child.spelling for child in definition.get_children()
                          if child.kind == CursorKind.CXX_METHOD and f"{child.spelling}(" in entry.comment]
            else:
                entry.inherited.append((definition.spelling, []))
            definition = bases[0].type.get_declaration().get_definition() if bases else None
        if names:
            entry.inherited.append((base.spelling, list(dict.fromkeys(names))))

    @staticmethod
    def finish(header):
        """Sorts forms with try_ behind the others, and gives each name an anchor."""
        taken = set()

        def take(anchor):
            number = 1
            while (unique := f"{anchor}-{number}" if number > 1 else anchor) in taken:
                number += 1
            taken.add(unique)
            return unique

        for entry in header.entries:
            for group in entry.groups:
                group.declarations.sort(key=lambda each: is_try(each.name))
            for name in entry.names:
                group = next(group for group in entry.groups if name in group.names)
                group.anchors[name] = take(anchor_of(name))
        for entry in header.entries:
            for group in entry.members:
                for name in group.names:
                    group.anchors[name] = take(f"{anchor_of(group.class_name)}-{anchor_of(name)}")
            for enumerator in entry.enumerators:
                enumerator.anchor = take(f"{entry.anchor}-{anchor_of(enumerator.name)}")


# ---- Markdown


class Marker:
    """Turns plain comments into Markdown: code is found by its looks, and known names become links."""

    def __init__(self, headers):
        self.links = {}
        self.by_path = {header.path: header for header in headers}
        # A name that two headers declare leads to the one that is not opt-in.
        for header in sorted(headers, key=lambda header: "Opt-in" in header.about):
            for entry in header.entries:
                for name, anchor in entry.anchors.items():
                    self.add(name, header, anchor)
                for group in entry.members:
                    for name, anchor in group.anchors.items():
                        self.add(f"{group.class_name}::{name}", header, anchor)
                for enumerator in entry.enumerators:
                    self.add(f"{entry.names[0]}::{enumerator.name}", header, enumerator.anchor)
                    if entry.names[0] == "errc":  # which comments name without it
                        self.add(enumerator.name, header, enumerator.anchor)

    def add(self, name, header, anchor):
        for written in (name, "strew::" + name):
            self.links.setdefault(written, f"{header.page}#{anchor}")

    def code(self, text, scopes=()):
        name = re.match(r"([\w:]+)(?:\(\))?", text)
        target = None
        if name and name.end() == len(text):
            target = next(filter(None, (self.links.get(f"{scope}{name.group(1)}") for scope in [*scopes, ""])), None)
        return f"[`{text}`](ref:{target})" if target else f"`{text}`"

    def text(self, text, scopes=()):
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
            elif other := re.compile(r"\b(?:torch|numpy)(?:\.\w+)+").match(text, position):
                end = other.end()
                result.append(f"`{other.group()}`")
            elif letter.isalpha() or letter == "_":
                end = re.compile(r"[\w/]+\.hpp|[\w:]+").match(text, position).end()
                while text[end - 1] == ":":
                    end -= 1
                while end < len(text) and text[end] in "[(<{" and not (text[end] == "<" and text[end + 1] in " ="):
                    closed = balanced_end(text, end)
                    if closed < 0:
                        break
                    end = closed
                word = text[position:end]
                if word in self.by_path:
                    result.append(f"[`{word}`](ref:{self.by_path[word].page})")
                else:
                    result.append(self.code(word, scopes) if re.search(r"[_:\[(<]|\.hpp", word) else word)
            else:
                end = position + 1
                result.append("&lt;" if letter == "<" else "\\" + letter if letter in "*_#" else letter)
            position = end
        return "".join(result)

    def comment(self, comment, scopes=()):
        """Paragraphs, lists, and what is indented as code."""
        result = []
        paragraph = []
        code = []
        in_list = False

        def flush():
            if paragraph:
                result.append(self.text("\n".join(paragraph), scopes) if not paragraph[0].startswith("- ") else
                              "\n".join("- " + self.text(item, scopes) for item in
                                        "\n".join(paragraph).removeprefix("- ").split("\n- ")))
                paragraph.clear()
            if code:
                lines = [line[2:] for line in code]
                while lines and not lines[-1].strip():
                    lines.pop()
                is_cpp = any(re.search(r"(?:;(?:\s*//.*)?|\))\s*$", line) for line in lines)
                result.append(fenced("\n".join(lines), "cpp" if is_cpp else "text"))
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

    @staticmethod
    def members(header, entry):
        """The names of an entry's members and enumerators, and their addresses."""
        links = {}
        for group in entry.members:
            for name, anchor in group.anchors.items():
                links.setdefault(member_title(entry, group, name), f"{header.page}#{anchor}")
        return links | {f"`{each.name}`": f"{header.page}#{each.anchor}" for each in entry.enumerators}

    def member_groups(self, entry):
        parts = []
        for group in entry.members:
            heading = titled("###", [(member_title(entry, group, name), anchor)
                                     for name, anchor in group.anchors.items()])
            scopes = scopes_of(group.class_name.rpartition("::")[0], group.class_name)
            parts += [heading, fenced(group.code), self.comment(group.comment, scopes)]
        return parts

    def entry(self, entry):
        names = entry.names
        scope = names[0].rpartition("::")[0]
        is_table = any(each.comment for each in entry.enumerators)
        parts = [titled("##", [(f"`{name}`", entry.anchors[name]) for name in names])]
        if not is_table:
            parts.append("".join(anchored("", each.anchor) for each in entry.enumerators))
        scopes = scopes_of(scope, names[0] if entry.kind == "class" else "")
        if entry.calls:
            parts += [fenced(entry.calls), entry.note, self.comment(entry.comment, scopes)]
        else:
            for group in entry.groups:
                parts += [fenced(group.code), self.comment(group.comment, scopes)]
        if entry.same_as:
            parts.append(f"The same as {self.code(entry.same_as)}.")
        if not entry.calls:
            parts.append(entry.note)
        if is_table:
            parts.append("\n".join(["| enumerator | meaning |", "|---|---|", *(
                f"| {anchored(f'`{each.name}`', each.anchor)} | {cell(self.text(each.comment))} |"
                for each in entry.enumerators)]))
        for base, inherited in entry.inherited:
            listed = ", ".join(f"[`{name}`](ref:{self.links[f'{base}::{name}']})" if f"{base}::{name}" in self.links
                               else f"`{name}`" for name in inherited)
            if listed:
                parts.append(f"Inherited from {self.code(base)}: {listed}.")
        parts += self.member_groups(entry)
        return "\n\n".join(part for part in parts if part) + "\n"

    def page(self, header):
        parts = [f"# {header.path}", self.comment(header.about), f"[Source of the header](repo:include/{header.path})"]
        if header.ahead:
            parts.append("It declares " + ", ".join(self.code(name) for name in header.ahead) + ".")
        if header.includes:
            items = []
            for path in header.includes:
                names = [name for entry in self.by_path[path].entries for name in entry.names]
                listed = ": " + ", ".join(map(self.code, names)) if names and header.path != UMBRELLA else ""
                items.append(f"- [`{path}`](ref:{self.by_path[path].page}){listed}")
            parts.append("It includes\n\n" + "\n".join(items))
        return "\n\n".join([*parts, *(self.entry(entry) for entry in header.entries)])


def member_title(entry, group, name):
    class_name = group.class_name.rpartition("::")[2]
    if name == CONSTRUCTOR:
        return f"constructor of `{class_name}`" if entry.has_several_classes else "constructor"
    return f"`{class_name}::{name}`" if entry.has_several_classes else f"`{name}`"


def scopes_of(*names):
    return [f"{name}::" for name in reversed(names) if name]


def anchored(text, anchor):
    return f'<a id="{anchor}"></a>{text}'


def titled(level, names):
    """A heading with an anchor for each name."""
    (first, address), *others = names
    return f"{level} {', '.join([first, *(anchored(*other) for other in others)])} {{#{address}}}"


def fenced(code, language="cpp"):
    return f"```{language}\n{code}\n```"


def cell(text):
    return text.replace("|", "\\|")


def read_headers(root):
    return Reader(pathlib.Path(root)).read()
