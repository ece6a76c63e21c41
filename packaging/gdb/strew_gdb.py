# SPDX-License-Identifier: Apache-2.0
"""Pretty printers of gdb for the types of strew. For gdb 9 and newer, built with Python 3:

    (gdb) source <prefix>/share/strew/strew_gdb.py

A view is shown as its element type, extents, strides and elements, rows in rows; at most `print elements` elements are
read. Nothing is called in the program, so core files do as well. What makes no sense is named and not followed: a list
longer than it can be, extents and a size that do not agree, memory that cannot be read.
"""

import functools
import math
import struct

import gdb
import gdb.printing

NAMESPACE = r"^strew::(v\d+_\d+r\d+::)?"
MOST_ELEMENTS = 10000  # shown where `print elements` is unlimited
LONGEST_TEXT = 1024
MOST_BYTES = 16  # shown of an element whose type is not known

# What a row that this script made stands for is in its size_, which is never negative otherwise: one of these, or
# FIRST_ROW minus the elements it may show.
NO_MORE, UNREADABLE, FIRST_ROW = -1, -2, -2


class Corrupt(Exception):
    """A value that no program of strew makes."""


def guarded(method):
    """Errors become the text."""

    @functools.wraps(method)
    def run(self):
        try:
            return method(self)
        except Corrupt as error:
            return f"<corrupt: {error}>"
        except (gdb.error, OverflowError, UnicodeError, ValueError) as error:
            return f"<cannot be read: {error}>"

    return run


def enumerator(value):
    """The name of an enumeration's value, without its scope."""
    for field in value.type.strip_typedefs().fields():
        if field.enumval == int(value):
            return field.name.rsplit("::", 1)[-1]
    raise Corrupt(f"{int(value)} is no {value.type.strip_typedefs().name.rsplit('::', 1)[-1]}")


def text_at(pointer):
    """A text of the program, of which strew has no long ones."""
    letters = bytearray()
    for offset in range(LONGEST_TEXT):
        letter = int((pointer + offset).dereference()) % 256
        if letter == 0:
            return letters.decode(errors="replace")
        letters.append(letter)
    raise Corrupt(f"a text of more than {LONGEST_TEXT} characters")


def referred(value):
    """The object itself, given a reference to it."""
    is_reference = value.type.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)
    return value.referenced_value() if is_reference else value


# ---- Lists and layouts


def entries(value):
    """The numbers of an index_list."""
    size, capacity = int(value["size_"]), value["values_"].type.range()[1] + 1
    if not 0 <= size <= capacity:
        raise Corrupt(f"{size} entries, at most {capacity} fit")
    return [int(value["values_"][k]) for k in range(size)]


def written(value):
    """The numbers as messages have them: what was 2^63 or more when it was given is marked."""
    numbers, flags = entries(value), int(value["flags_"])
    saturated, known, first = flags & 2, flags & 4, flags >> 8
    texts = []
    for k, number in enumerate(numbers):
        if number == 2**63 - 1 and known and k == first:
            texts.append(str(int(value["saturated_value_"])))
        else:
            is_cut = number == 2**63 - 1 and saturated and not (known and k < first)
            texts.append(f"{number} or more" if is_cut else str(number))
    return "[" + ", ".join(texts) + "]"


def sides(layout):
    """Extents and strides of a strided_layout."""
    extents, strides, size = entries(layout["extents_"]), entries(layout["strides_"]), int(layout["size_"])
    if len(extents) != len(strides):
        raise Corrupt(f"{len(extents)} extents, {len(strides)} strides")
    if any(extent < 0 for extent in extents):
        raise Corrupt(f"extents {extents}")
    if size >= 0 and size != math.prod(extents):
        raise Corrupt(f"extents {extents}, but {size} elements")
    return extents, strides


class ListPrinter:
    def __init__(self, value):
        self.value = referred(value)

    @guarded
    def to_string(self):
        flags = int(self.value["flags_"])
        if flags & 8 and not entries(self.value):
            return "left out"
        return written(self.value) + (", ... (too many were given)" if flags & 1 else "")


class AxesPrinter(ListPrinter):
    @guarded
    def to_string(self):
        return "leading" if int(self.value["flags_"]) & 8 and not entries(self.value) else written(self.value)


class LayoutPrinter(ListPrinter):
    @guarded
    def to_string(self):
        extents, strides = sides(self.value)
        return f"{extents} strides {strides}"


# ---- Tensors




def offset_of(kind, path):
    """The type and the place in bytes of a member."""
    offset = 0
    for name in path:
        kind, place = member(kind.strip_typedefs(), name)
        offset += place
    return kind, offset


def member(kind, name):
    for field in kind.fields():
        if field.name == name:
            return field.type, field.bitpos // 8
        if field.is_base_class:
            try:
                found, place = member(field.type.strip_typedefs(), name)
                return found, place + field.bitpos // 8
            except KeyError:
                continue
    raise KeyError(name)


def elements_to_show():
    try:
        most = gdb.print_options().get("max_elements")  # from gdb 13 on: also what one command asks for
    except AttributeError:
        most = gdb.parameter("print elements")
    return min(most or MOST_ELEMENTS, MOST_ELEMENTS)


def byte_order():
    return "big" if "big" in gdb.execute("show endian", to_string=True) else "little"


class TensorPrinter:
    """A view, or a row of one: a view of this script's making, with one axis less."""

    def __init__(self, value):
        self.value = referred(value)
        self.kind = self.value.type.strip_typedefs().unqualified()

    # What follows is for tensors whose type is known at run time only to replace.

    def title(self):
        return f"tensor_view<{self.kind.template_argument(0)}>"

    def element(self, offset):
        return (self.value["data_"] + offset).dereference()

    def copy_type(self, _memory):
        pass

    # The same for all tensors.

    @guarded
    def to_string(self):
        size = int(self.value["layout_"]["size_"])
        if size < 0 and self.value.address is None:
            return {NO_MORE: "...", UNREADABLE: f"<cannot read memory at {int(self.value['data_']):#x}>"}.get(size)
        extents, strides = sides(self.value["layout_"])
        if size < 0:
            raise Corrupt(f"{size} elements")
        if size > 0 and int(self.value["data_"]) == 0:
            raise Corrupt(f"extents {extents}, but no memory")
        return f"{self.title()} {extents} strides {strides}"

    def children(self):
        try:
            yield from self.rows()
        except (Corrupt, gdb.error, OverflowError, ValueError):
            return  # to_string has said so

    def rows(self):
        layout = self.value["layout_"]
        size = int(layout["size_"])
        extents, strides = sides(layout)
        budget = elements_to_show()
        if size < 0:
            if self.value.address is not None or size in (NO_MORE, UNREADABLE):
                return
            budget = FIRST_ROW - size
        elif size == 0 or int(self.value["data_"]) == 0:
            return
        if not extents:
            yield "[]", self.element(0)
            return
        row = math.prod(extents[1:])
        for k in range(extents[0]):
            name = f"[{k}]"
            if budget <= 0:
                yield name, self.made(0, [], [], NO_MORE)
                return
            offset = k * strides[0]
            try:
                element = self.element(offset)
                element.fetch_lazy()
            except gdb.error:
                yield name, self.made(offset, [], [], UNREADABLE)
                return
            if len(extents) == 1:
                yield name, element
            else:
                yield name, self.made(offset, extents[1:], strides[1:], FIRST_ROW - min(budget, row))
            budget -= row

    def made(self, offset, extents, strides, size):
        """A view of the same type for gdb to print by this class."""
        memory = bytearray(self.kind.sizeof)
        order = byte_order()

        def store(number, *path):
            kind, place = offset_of(self.kind, path)
            length = kind.strip_typedefs().sizeof
            memory[place : place + length] = (number % (1 << 8 * length)).to_bytes(length, order)

        def store_list(numbers, name):
            kind, place = offset_of(self.kind, ("layout_", name, "values_"))
            length = kind.target().sizeof
            for k, number in enumerate(numbers):
                memory[place + k * length : place + (k + 1) * length] = number.to_bytes(length, order, signed=True)
            store(len(numbers), "layout_", name, "size_")

        store(self.address(offset), "data_")
        store_list(extents, "extents_")
        store_list(strides, "strides_")
        store(size, "layout_", "size_")
        self.copy_type(store)
        return gdb.Value(bytes(memory), self.kind)

    def address(self, offset):
        return int(self.value["data_"] + offset)

    def display_hint(self):
        return "array"


# The types of gdb that elements are read as.
SIGNED = {1: "signed char", 2: "short", 4: "int", 8: "long long"}
UNSIGNED = {1: "unsigned char", 2: "unsigned short", 4: "unsigned int", 8: "unsigned long long"}
FLOATING = {4: "float", 8: "double", 12: "long double", 16: "long double"}


class DynamicPrinter(TensorPrinter):
    def element_type(self):
        return enumerator(self.value["type_"]["kind"]), int(self.value["type_"]["size"])

    def name(self):
        return "index_tensor" if "index_tensor" in self.kind.name else (
            "const_tensor" if "const void" in str(self.kind.template_argument(0)) else "tensor")

    def title(self):
        return f"dynamic::{self.name()} of {type_name(*self.element_type())}"

    def copy_type(self, store):
        store(int(self.value["type_"]["kind"]), "type_", "kind")
        store(int(self.value["type_"]["size"]), "type_", "size")

    def address(self, offset):
        return int(self.value["data_"]) + offset * self.element_type()[1]

    def element(self, offset):
        kind, size = self.element_type()
        if size < 1:
            raise Corrupt(f"elements of {size} bytes")
        count, each = (2, size // 2) if kind == "complex" else (1, size)
        if kind == "brain_float" and each == 2 or kind in ("floating_point", "complex") and each == 2:
            return self.short_floats(offset, kind, count)
        name = {
            "boolean": {1: "bool"},
            "signed_integer": SIGNED,
            "unsigned_integer": UNSIGNED,
            "floating_point": FLOATING,
            "complex": FLOATING,
        }.get(kind, {}).get(each)
        if name is None or gdb.lookup_type(name).sizeof != each:
            return self.numbers("int", "i", self.memory(offset, min(size, MOST_BYTES)))
        kind = gdb.lookup_type(name) if count == 1 else gdb.lookup_type(name).array(1)
        return gdb.Value(self.address(offset)).cast(kind.pointer()).dereference()

    def memory(self, offset, size):
        return gdb.selected_inferior().read_memory(self.address(offset), size).tobytes()

    def numbers(self, name, code, values):
        """Numbers of this script as one of gdb's, or as an array of them."""
        order = ">" if byte_order() == "big" else "<"
        kind = gdb.lookup_type(name)
        memory = struct.pack(f"{order}{len(values)}{code}", *values)
        return gdb.Value(memory, kind if len(values) == 1 else kind.array(len(values) - 1))

    def short_floats(self, offset, kind, count):
        order = ">" if byte_order() == "big" else "<"
        numbers = []
        for bits in struct.unpack(f"{order}{count}H", self.memory(offset, 2 * count)):
            wide, code = (bits << 16, "f") if kind == "brain_float" else (bits, "e")
            numbers.append(struct.unpack("<" + code, struct.pack("<I", wide)[: 4 if code == "f" else 2])[0])
        return self.numbers("float", "f", numbers)


class IndexTensorPrinter(DynamicPrinter):
    def element_type(self):
        name = enumerator(self.value["type_"])
        return ("unsigned_integer" if name[0] == "u" else "signed_integer"), int(name.lstrip("uint")) // 8

    def copy_type(self, store):
        store(int(self.value["type_"]), "type_")


def type_name(kind, size):
    prefix = {"signed_integer": "int", "unsigned_integer": "uint", "floating_point": "float", "complex": "complex"}
    if kind in prefix:
        return f"{prefix[kind]}{8 * size}"
    if kind == "boolean" and size == 1:
        return "bool"
    if kind == "brain_float" and size == 2:
        return "bfloat16"
    return f"{kind} ({size} bytes)"


class ElementTypePrinter(ListPrinter):
    @guarded
    def to_string(self):
        return type_name(enumerator(self.value["kind"]), int(self.value["size"]))


class PolicyPrinter:
    """Indices with a policy for bad ones."""

    def __init__(self, value):
        self.value = referred(value)

    @guarded
    def to_string(self):
        return enumerator(self.value.type.strip_typedefs().template_argument(0))

    def children(self):
        yield "indices", self.value["indices"]


# ---- What calls report


class StatusPrinter(ListPrinter):
    @guarded
    def to_string(self):
        status = self.value
        code = enumerator(status["code_"])
        if code == "ok":
            return "ok"
        parts = [text_at(status["operation_"]), ": ", text_at(status["operand_"])]
        text = text_at(status["text_"])
        while text:
            before, brace, after = text.partition("{")
            parts.append(before)
            if not brace:
                break
            parts.append(self.field(after[:1]))
            text = after[2:]
        return f"{code}: {''.join(parts)}"

    def field(self, name):
        status = self.value
        if name in ("c", "a"):
            return written(status["coordinate_"]) if name == "c" or entries(status["coordinate_"]) else ""
        if name == "o":
            return text_at(status["other_"])
        numbers = status["numbers_"]
        if not name.isdigit() or int(name) > numbers.type.range()[1]:
            return "?"
        number = int(numbers[int(name)])
        if name != "0":
            return str(number)
        kind = enumerator(status["first_number_"])
        number = number if kind == "as_signed" else number % 2**64
        return f"{number} or more" if kind == "at_least" else str(number)


class ScatterErrorPrinter(ListPrinter):
    @guarded
    def to_string(self):
        return StatusPrinter(self.value["status_"]).to_string()


class MessagePrinter(ListPrinter):
    @guarded
    def to_string(self):
        size, capacity = int(self.value["size_"]), self.value["text_"].type.range()[1]
        if not 0 <= size <= capacity:
            raise Corrupt(f"{size} characters, at most {capacity} fit")
        return self.value["text_"].string(errors="replace", length=size)

    def display_hint(self):
        return "string"


def printers():
    collection = gdb.printing.RegexpCollectionPrettyPrinter("strew")
    for name, pattern, printer in (
        ("tensor_view", "tensor_view<.*>$", TensorPrinter),
        ("tensor", r"dynamic::basic_tensor<.*>$", DynamicPrinter),
        ("index_tensor", "dynamic::index_tensor$", IndexTensorPrinter),
        ("element_type", "dynamic::element_type$", ElementTypePrinter),
        ("strided_layout", "strided_layout$", LayoutPrinter),
        ("index_list", "(index|optional|stop)_list$", ListPrinter),
        ("axes_list", "axes_list$", AxesPrinter),
        ("indices_with_policy", "indices_with_policy<.*>$", PolicyPrinter),
        ("status", "status$", StatusPrinter),
        ("scatter_error", "scatter_error$", ScatterErrorPrinter),
        ("error_message", "error_message$", MessagePrinter),
    ):
        collection.add_printer(name, NAMESPACE + pattern, printer)
    return collection


gdb.printing.register_pretty_printer(None, printers(), replace=True)
