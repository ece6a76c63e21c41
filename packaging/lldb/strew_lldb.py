# SPDX-License-Identifier: Apache-2.0
"""What lldb shows of the types of strew:

    (lldb) command script import <prefix>/share/strew/strew_lldb.py

A view is shown as its element type, extents, strides and elements, rows in rows. Nothing is called in the program. What
makes no sense is named and not followed.
"""

import math

import lldb

NAMESPACE = r"^(const )?strew::(v[0-9]+_[0-9]+r[0-9]+::)?"
MOST_ELEMENTS = 256  # of one view
LONGEST_TEXT = 1024

# What a row that this script made stands for is in its size_, which is never negative otherwise: one of these, or
# FIRST_ROW minus the elements it may show.
NO_MORE, UNREADABLE, FIRST_ROW = -1, -2, -2


class Corrupt(Exception):
    """A value that no program of strew makes."""


def raw(value):
    """The object itself: not a reference to it, nor what this script shows of it."""
    value = value.GetNonSyntheticValue()
    return value.Dereference().GetNonSyntheticValue() if value.GetType().IsReferenceType() else value


def member(value, *path):
    """A member, wherever a base class has it."""
    for name in path:
        found = value.GetChildMemberWithName(name).GetNonSyntheticValue()
        if not found.IsValid():
            raise Corrupt(f"no {name}")
        value = found
    return value


def number(value):
    error = lldb.SBError()
    result = value.GetValueAsSigned(error)
    if error.Fail():
        raise Corrupt(str(error))
    return result


def guarded(summary):
    """Errors become the text."""

    def run(value, _settings):
        try:
            return summary(raw(value))
        except Corrupt as error:
            return f"<corrupt: {error}>"

    return run


def entries(value):
    """The numbers of an index_list."""
    size, values = number(member(value, "size_")), member(value, "values_")
    capacity = values.GetNumChildren()
    if not 0 <= size <= capacity:
        raise Corrupt(f"{size} entries, at most {capacity} fit")
    return [number(values.GetChildAtIndex(k)) for k in range(size)]


def written(value):
    """The numbers as messages have them: what was 2^63 or more when it was given is marked."""
    flags, texts = number(member(value, "flags_")), []
    for k, entry in enumerate(entries(value)):
        if entry == 2**63 - 1 and flags & 4 and k == flags >> 8:
            texts.append(str(member(value, "saturated_value_").GetValueAsUnsigned()))
        else:
            is_cut = entry == 2**63 - 1 and flags & 2 and not (flags & 4 and k < flags >> 8)
            texts.append(f"{entry} or more" if is_cut else str(entry))
    return "[" + ", ".join(texts) + "]"


def sides(layout):
    """Extents, strides and size of a strided_layout."""
    extents, strides = entries(member(layout, "extents_")), entries(member(layout, "strides_"))
    size = number(member(layout, "size_"))
    if len(extents) != len(strides):
        raise Corrupt(f"{len(extents)} extents, {len(strides)} strides")
    if any(extent < 0 for extent in extents):
        raise Corrupt(f"extents {extents}")
    if size >= 0 and size != math.prod(extents):
        raise Corrupt(f"extents {extents}, but {size} elements")
    return extents, strides, size


def is_made_here(value):
    return value.GetLoadAddress() == lldb.LLDB_INVALID_ADDRESS


@guarded
def show_list(value):
    flags = number(member(value, "flags_"))
    if flags & 8 and not entries(value):
        return "left out"
    return written(value) + (", ... (too many were given)" if flags & 1 else "")


@guarded
def show_axes(value):
    return "leading" if number(member(value, "flags_")) & 8 and not entries(value) else written(value)


@guarded
def show_layout(value):
    extents, strides, _ = sides(value)
    return f"{extents} strides {strides}"


@guarded
def show_view(value):
    extents, strides, size = sides(member(value, "layout_"))
    data = member(value, "data_")
    if size < 0 and is_made_here(value):
        return {NO_MORE: "...", UNREADABLE: f"<cannot read memory at {data.GetValueAsUnsigned():#x}>"}.get(size, "")
    if size < 0:
        raise Corrupt(f"{size} elements")
    if size > 0 and data.GetValueAsUnsigned() == 0:
        raise Corrupt(f"extents {extents}, but no memory")
    return f"tensor_view<{data.GetType().GetPointeeType().GetName()}> {extents} strides {strides}"


class ViewChildren:
    """The elements of a view, or its rows: views of this script's making with one axis less."""

    def __init__(self, value, _dictionary):
        self.value = value
        self.update()

    def update(self):
        self.value = raw(self.value)
        self.extents, self.strides, self.budget = [], [], 0
        try:
            extents, strides, size = sides(member(self.value, "layout_"))
            if size > 0 and member(self.value, "data_").GetValueAsUnsigned() != 0:
                self.budget = min(size, MOST_ELEMENTS)
            elif size < FIRST_ROW and is_made_here(self.value):
                self.budget = FIRST_ROW - size
            self.extents, self.strides = extents, strides
        except Corrupt:
            pass
        return False

    def num_children(self, _most=None):
        if self.budget == 0:
            return 0
        if not self.extents:
            return 1
        row = max(1, math.prod(self.extents[1:]))
        shown = min(self.extents[0], -(-self.budget // row))
        return shown if shown == self.extents[0] else shown + 1

    def get_child_index(self, name):
        return int(name.strip("[]")) if name.strip("[]").isdigit() else -1

    def get_child_at_index(self, index):
        name = f"[{index}]"
        row = max(1, math.prod(self.extents[1:]))
        left = self.budget - index * row
        kind = member(self.value, "data_").GetType().GetPointeeType()
        address = member(self.value, "data_").GetValueAsUnsigned()
        if self.extents:
            if left <= 0:
                return self.made(name, 0, [], [], NO_MORE)
            address += index * self.strides[0] * kind.GetByteSize()
        error = lldb.SBError()
        self.value.GetProcess().ReadMemory(address, kind.GetByteSize(), error)
        if error.Fail():
            return self.made(name, address, [], [], UNREADABLE)
        if len(self.extents) <= 1:
            return self.value.CreateValueFromAddress(name, address, kind)
        return self.made(name, address, self.extents[1:], self.strides[1:], FIRST_ROW - min(left, row))

    def made(self, name, address, extents, strides, size):
        kind = self.value.GetType().GetCanonicalType().GetUnqualifiedType()
        process = self.value.GetProcess()
        order = "big" if process.GetByteOrder() == lldb.eByteOrderBig else "little"
        memory = bytearray(kind.GetByteSize())

        def store(entry, length, place):
            memory[place : place + length] = (entry % (1 << 8 * length)).to_bytes(length, order)

        store(address, process.GetAddressByteSize(), place_of(kind, "data_"))
        for numbers, side in ((extents, "extents_"), (strides, "strides_")):
            for k, entry in enumerate(numbers):
                store(entry, 8, place_of(kind, "layout_", side, "values_") + 8 * k)
            store(len(numbers), 4, place_of(kind, "layout_", side, "size_"))
        store(size, 8, place_of(kind, "layout_", "size_"))
        data = lldb.SBData()
        data.SetData(lldb.SBError(), bytes(memory), process.GetByteOrder(), process.GetAddressByteSize())
        return self.value.CreateValueFromData(name, data, kind)


def place_of(kind, *path):
    """Where a member lies, in bytes."""
    place = 0
    for name in path:
        for field in kind.GetCanonicalType().fields:
            if field.GetName() == name:
                place, kind = place + field.GetOffsetInBytes(), field.GetType()
                break
        else:
            raise Corrupt(f"no {name}")
    return place


def text_of(value):
    error = lldb.SBError()
    text = value.GetProcess().ReadCStringFromMemory(value.GetValueAsUnsigned(), LONGEST_TEXT, error)
    if error.Fail():
        raise Corrupt(f"no text at {value.GetValueAsUnsigned():#x}")
    return text


def enumerator(value):
    name = (value.GetValue() or "").rsplit("::", 1)[-1]
    if not name.isidentifier():
        bits = value.GetValueAsUnsigned() % (1 << 8 * value.GetByteSize())
        raise Corrupt(f"{bits} is no {value.GetType().GetName().rsplit('::', 1)[-1]}")
    return name


@guarded
def show_status(value):
    code = enumerator(member(value, "code_"))
    if code == "ok":
        return "ok"
    parts = [text_of(member(value, "operation_")), ": ", text_of(member(value, "operand_"))]
    text = text_of(member(value, "text_"))
    while text:
        before, brace, text = text.partition("{")
        parts.append(before)
        if brace:
            parts.append(field_of(value, text[:1]))
            text = text[2:]
    return f"{code}: {''.join(parts)}"


def field_of(value, name):
    coordinate = member(value, "coordinate_")
    if name in ("c", "a"):
        return written(coordinate) if name == "c" or entries(coordinate) else ""
    if name == "o":
        return text_of(member(value, "other_"))
    numbers = member(value, "numbers_")
    if not name.isdigit() or int(name) >= numbers.GetNumChildren():
        return "?"
    entry = number(numbers.GetChildAtIndex(int(name)))
    kind = enumerator(member(value, "first_number_")) if name == "0" else "as_signed"
    entry = entry if kind == "as_signed" else entry % 2**64
    return f"{entry} or more" if kind == "at_least" else str(entry)


def show_error(value, settings):
    return show_status(raw(value).GetChildMemberWithName("status_"), settings)


def __lldb_init_module(debugger, _dictionary):
    def add(command, pattern, *options):
        debugger.HandleCommand(" ".join(["type", command, "add", "-w strew", *options, "-x", f'"{NAMESPACE}{pattern}$"']))

    for pattern, function, options in (
        ("(index|optional|stop)_list", "show_list", ""),
        ("axes_list", "show_axes", ""),
        ("strided_layout", "show_layout", ""),
        ("status", "show_status", ""),
        ("scatter_error", "show_error", ""),
        ("tensor_view<.*>", "show_view", "-e"),
    ):
        add("summary", pattern, f"-F {__name__}.{function}", options)
    add("synthetic", "tensor_view<.*>", f"-l {__name__}.ViewChildren")
    debugger.HandleCommand("type category enable strew")
