# SPDX-License-Identifier: Apache-2.0
"""The syntax trees of the functions of the headers, as libclang reads them from the real files."""

import ctypes
import functools
import pathlib
import subprocess
import tempfile

from clang import cindex

from arithmetic import Integer

# What each assertion of the headers calls here, so that it becomes a condition to prove.
ASSERTION = "strew_proofs::assertion"

INTEGER_KINDS = {
    "BOOL": False, "CHAR_U": False, "UCHAR": False, "USHORT": False, "UINT": False, "ULONG": False, "ULONGLONG": False,
    "UINT128": False, "CHAR_S": True, "SCHAR": True, "SHORT": True, "INT": True, "LONG": True, "LONGLONG": True,
    "INT128": True,
}  # fmt: skip
REFERENCES = {"TYPE_REF", "NAMESPACE_REF", "TEMPLATE_REF", "OVERLOADED_DECL_REF"}
FUNCTIONS = {"FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR"}
SCOPES = {"NAMESPACE", "CLASS_DECL", "STRUCT_DECL", "UNEXPOSED_DECL", "LINKAGE_SPEC"}


class UnsupportedCode(Exception):
    """A construct that is not translated."""


def _bind(name, result, *parameters):
    function = getattr(cindex.conf.lib, name)
    function.restype = result
    function.argtypes = list(parameters)
    if result is cindex._CXString:
        function.errcheck = cindex._CXString.from_result
    return function


# Functions of libclang for which its package for Python has no method.
_binary_kind = _bind("clang_getCursorBinaryOperatorKind", ctypes.c_int, cindex.Cursor)
_binary_name = _bind("clang_getBinaryOperatorKindSpelling", cindex._CXString, ctypes.c_int)
_unary_kind = _bind("clang_getCursorUnaryOperatorKind", ctypes.c_int, cindex.Cursor)
_unary_name = _bind("clang_getUnaryOperatorKindSpelling", cindex._CXString, ctypes.c_int)
_is_inline_namespace = _bind("clang_Cursor_isInlineNamespace", ctypes.c_uint, cindex.Cursor)
_evaluate = _bind("clang_Cursor_Evaluate", ctypes.c_void_p, cindex.Cursor)
_value_kind = _bind("clang_EvalResult_getKind", ctypes.c_int, ctypes.c_void_p)
_value_is_unsigned = _bind("clang_EvalResult_isUnsignedInt", ctypes.c_uint, ctypes.c_void_p)
_value_signed = _bind("clang_EvalResult_getAsLongLong", ctypes.c_longlong, ctypes.c_void_p)
_value_unsigned = _bind("clang_EvalResult_getAsUnsigned", ctypes.c_ulonglong, ctypes.c_void_p)
_dispose_value = _bind("clang_EvalResult_dispose", None, ctypes.c_void_p)
_INTEGER_VALUE = 1


def qualified_name(cursor):
    """The name with its scopes, without inline namespaces, which name the version and the switches of a build."""
    names = []
    while cursor is not None and cursor.kind.name != "TRANSLATION_UNIT":
        if not (cursor.kind.name == "NAMESPACE" and _is_inline_namespace(cursor)):
            names.append(cursor.spelling)
        cursor = cursor.semantic_parent
    return "::".join(reversed(names))


class Record:
    """A class: its name and its data members, those of its base classes first."""

    def __init__(self, cursor):
        self.name = qualified_name(cursor)
        self.members = []
        for child in cursor.get_children():
            if child.kind.name == "CXX_BASE_SPECIFIER":
                self.members += Type(child.type).record.members
            elif child.kind.name == "FIELD_DECL":
                self.members.append(Node(child))

    def __repr__(self):
        return self.name


@functools.cache
def _record(key, cursor):
    del key
    return Record(cursor)


class Type:
    """A type, without const: `integer` if it is an integer, a boolean or an enumeration, `record` if it is a class,
    `element` for an array, a pointer or a reference."""

    def __init__(self, given):
        canonical = given.get_canonical()
        self.name = canonical.spelling
        self.is_const = canonical.is_const_qualified()
        self.kind = canonical.kind.name
        self.given = canonical
        self.integer = None
        if self.kind == "ENUM":
            self.integer = Type(canonical.get_declaration().enum_type).integer
        elif self.kind in INTEGER_KINDS:
            bits = 1 if self.kind == "BOOL" else 8 * canonical.get_size()
            self.integer = Integer(bits, INTEGER_KINDS[self.kind])

    @property
    def is_reference(self):
        return self.kind in ("LVALUEREFERENCE", "RVALUEREFERENCE")

    @property
    def is_pointer(self):
        return self.kind == "POINTER"

    @property
    def is_array(self):
        return self.kind == "CONSTANTARRAY"

    @property
    def element(self):
        return Type(self.given.element_type if self.is_array else self.given.get_pointee())

    @property
    def length(self):
        return self.given.element_count

    @property
    def record(self):
        if self.kind != "RECORD":
            return None
        declaration = self.given.get_declaration()
        definition = declaration.get_definition() or declaration
        return _record(definition.hash, definition)


class Node:
    """A node of a syntax tree. Parts that are read repeatedly are kept, since a function is executed once a path."""

    def __init__(self, cursor):
        self.cursor = cursor
        self.kind = cursor.kind.name
        self.name = cursor.spelling

    @functools.cached_property
    def children(self):
        return [Node(child) for child in self.cursor.get_children() if child.kind.name not in REFERENCES]

    @functools.cached_property
    def type(self):
        return Type(self.cursor.type)

    @functools.cached_property
    def key(self):
        """Identifies a declaration."""
        return self.cursor.canonical.hash

    @functools.cached_property
    def target(self):
        """The declaration that an expression refers to."""
        referenced = self.cursor.referenced
        return None if referenced is None else Node(referenced)

    @functools.cached_property
    def definition(self):
        """Of a function: its declaration with a body; None if there is none, as for functions that are defaulted."""
        if self.cursor.is_default_method():
            return None
        found = self if self.cursor.is_definition() else Node(self.cursor.get_definition() or self.cursor)
        return found if found.body is not None else None

    @functools.cached_property
    def body(self):
        bodies = [child for child in self.children if child.kind == "COMPOUND_STMT"]
        return bodies[-1] if bodies else None

    @functools.cached_property
    def parameters(self):
        return [child for child in self.children if child.kind == "PARM_DECL"]

    @functools.cached_property
    def qualified_name(self):
        return qualified_name(self.cursor)

    @functools.cached_property
    def operator(self):
        if self.kind == "UNARY_OPERATOR":
            kind = _unary_kind(self.cursor)
            # The spelling of ++ and -- is the same before and after the operand.
            after = kind in (1, 2)
            return _unary_name(kind) + ("after" if after else "")
        return _binary_name(_binary_kind(self.cursor))

    @functools.cached_property
    def constant(self):
        """The value of an integer constant expression, as clang computes it; None if it is no such expression."""
        result = _evaluate(self.cursor)
        if not result:
            return None
        value = None
        if _value_kind(result) == _INTEGER_VALUE:
            value = _value_unsigned(result) if _value_is_unsigned(result) else _value_signed(result)
        _dispose_value(result)
        return value

    @functools.cached_property
    def loop_parts(self):
        """Initialisation, condition, advance and body of a for statement, None for those that are left out. libclang
        does not say which of them a child is, so the semicolons do."""
        depth, limits = 0, []
        for token in self.cursor.get_tokens():
            if token.spelling in "()[]{}" and len(token.spelling) == 1:
                depth += 1 if token.spelling in "([{" else -1
                if depth == 0:
                    limits.append(token.location.offset)
                    break
            elif token.spelling == ";" and depth == 1:
                limits.append(token.location.offset)
        if len(limits) != 3:
            raise self.unsupported("the parts of this loop")
        parts = [None] * 4
        for child in self.children:
            begin = child.cursor.extent.start.offset
            parts[sum(begin > limit for limit in limits)] = child
        if parts[3] is None:
            raise self.unsupported("a loop without a body")
        return parts

    @functools.cached_property
    def line(self):
        location = self.cursor.location
        file = pathlib.Path(location.file.name).name if location.file else "?"
        return f"{file}:{location.line}"

    def unsupported(self, construct):
        return UnsupportedCode(f"{self.line}: {construct} is not translated ({self.kind})")


@functools.cache
def system_folders(compiler):
    """Where a compiler finds the headers of the standard library."""
    command = [compiler, "-std=c++20", "-E", "-v", "-x", "c++", "/dev/null"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stderr.splitlines()
    begin = next(k for k, line in enumerate(lines) if line.startswith("#include <...>"))
    end = next(k for k, line in enumerate(lines) if line.startswith("End of search list"))
    return [line.strip() for line in lines[begin + 1 : end]]


class Headers:
    """The functions of some headers, by their names without inline namespaces, and of their templates those instances
    that are listed: the type of the instance, as it is called here, and its name in C++."""

    def __init__(self, include, headers, instances, compiler):
        lines = ["namespace strew_proofs { constexpr void assertion(bool) noexcept {} }"]
        lines += [f"#include <{header}>" for header in headers]
        lines += [f"inline constexpr auto strew_instance_{k} = &{name};" for k, name in enumerate(instances)]
        arguments = ["-std=c++20", "-nostdinc", "-nostdinc++", f"-I{include}"]
        arguments += [f"-isystem{folder}" for folder in system_folders(compiler)]
        arguments += ["-DSTREW_USE_INTRINSICS=0", f"-DSTREW_ASSERT(condition)=::{ASSERTION}(static_cast<bool>(condition))"]
        name = str(pathlib.Path(tempfile.gettempdir()) / "strew_proofs.cpp")
        self.unit = cindex.Index.create().parse(name, args=arguments, unsaved_files=[(name, "\n".join(lines))])
        errors = [str(found) for found in self.unit.diagnostics if found.severity >= cindex.Diagnostic.Error]
        if errors:
            raise UnsupportedCode("libclang cannot read the headers: " + "; ".join(errors))
        self.include = str(include)
        self.functions = {}
        self.classes = {}
        self.variables = {}
        self.enumerators = {}
        self.find(self.unit.cursor, list(instances))

    def find(self, scope, instances):
        for child in scope.get_children():
            file = child.location.file
            if file is None or not (file.name.startswith(self.include) or file.name.endswith("strew_proofs.cpp")):
                continue
            kind = child.kind.name
            if kind in FUNCTIONS and child.is_definition():
                self.functions.setdefault(qualified_name(child), []).append(Node(child))
            elif kind == "VAR_DECL" and child.spelling.startswith("strew_instance_"):
                name = instances[int(child.spelling.rpartition("_")[2])]
                self.functions[name] = [find_function(Node(child))]
            elif kind == "VAR_DECL":
                self.variables[qualified_name(child)] = Node(child)
            elif kind == "ENUM_DECL":
                for one in child.get_children():
                    if one.kind.name == "ENUM_CONSTANT_DECL":
                        self.enumerators[qualified_name(one)] = one.enum_value
            elif kind in SCOPES:
                if kind in ("CLASS_DECL", "STRUCT_DECL") and child.is_definition():
                    self.classes[qualified_name(child)] = child
                self.find(child, instances)

    def function(self, name, parameters=None):
        """A function by its name, and where it is overloaded by the number of its parameters too."""
        found = self.functions.get(name, [])
        if parameters is not None:
            found = [one for one in found if len(one.parameters) == parameters]
        if len(found) != 1:
            raise UnsupportedCode(f"{len(found)} functions are called {name}")
        return found[0]

    def constant(self, name):
        """The value of a constant."""
        value = self.variables[name].constant if name in self.variables else None
        if value is None:
            raise UnsupportedCode(f"no constant is called {name}")
        return value

    def enumerator(self, name):
        """The value of an enumerator, of an enumeration in a namespace or in a class."""
        if name not in self.enumerators:
            raise UnsupportedCode(f"no enumerator is called {name}")
        return self.enumerators[name]

    def record(self, name):
        if name not in self.classes:
            raise UnsupportedCode(f"no class is called {name}")
        return Type(self.classes[name].type)


def find_function(node):
    """The function to which an initialiser of an instance refers."""
    for child in node.children:
        if child.kind == "DECL_REF_EXPR" and child.target is not None and child.target.kind in FUNCTIONS:
            return child.target
        found = find_function(child)
        if found is not None:
            return found
    return None
