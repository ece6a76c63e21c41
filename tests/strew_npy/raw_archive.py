# SPDX-License-Identifier: Apache-2.0
"""Archives that zipfile would not write: a test determines each field of the headers."""

import dataclasses
import struct
import zlib

LOCAL = b"PK\x03\x04"
CENTRAL = b"PK\x01\x02"
END = b"PK\x05\x06"
END64 = b"PK\x06\x06"
LOCATOR64 = b"PK\x06\x07"
DESCRIPTOR = b"PK\x07\x08"

SIZES_FOLLOW = 8


@dataclasses.dataclass
class Member:
    """A stored member and the fields of its headers, which are right unless given otherwise."""

    name: bytes
    content: bytes
    extra: bytes = b""  # of the local header
    flags: int = 0
    method: int = 0
    version: int = 20
    size: int = None
    after: bytes = b""  # its data descriptor
    at: int = None  # set by body()

    @property
    def checksum(self):
        return zlib.crc32(self.content)

    @property
    def declared(self):
        return len(self.content) if self.size is None else self.size

    def local(self, **changes):
        """The local header with the given extra field. It has no sizes if they follow in a data descriptor."""
        said = {"name": self.name, "flags": self.flags, "method": self.method, "extra": self.extra}
        follow = self.flags & SIZES_FOLLOW
        said |= {"crc": 0 if follow else self.checksum, "packed": 0 if follow else len(self.content)}
        said |= {"size": 0 if follow else self.declared} | changes
        numbers = (self.version, said["flags"], said["method"], 0, 0, said["crc"], said["packed"], said["size"])
        lengths = (len(said["name"]), len(said["extra"]))
        return struct.pack("<4sHHHHHIIIHH", LOCAL, *numbers, *lengths) + said["name"] + said["extra"]

    def whole(self, **changes):
        return self.local(**changes) + self.content + self.after

    def central(self, **changes):
        said = {"name": self.name, "crc": self.checksum, "packed": len(self.content), "size": self.declared}
        said |= {"at": self.at, "extra": b""} | changes
        numbers = (self.version, self.version, self.flags, self.method, 0, 0, said["crc"], said["packed"], said["size"])
        lengths = (len(said["name"]), len(said["extra"]), 0, 0, 0, 0)
        head = struct.pack("<4sHHHHHHIIIHHHHHII", CENTRAL, *numbers, *lengths, said["at"])
        return head + said["name"] + said["extra"]


def body(members, gap=b""):
    """The members one after the other; sets their offsets."""
    text = b""
    for member in members:
        member.at = len(text)
        text += member.whole() + gap
    return text


def finished(before, entries):
    """An archive whose central directory, of the given entries, follows `before`."""
    directory = b"".join(entries)
    numbers = (0, 0, len(entries), len(entries), len(directory), len(before), 0)
    return before + directory + struct.pack("<4sHHHHIIH", END, *numbers)


def with_zip64(archive, sentinels=True):
    """The archive, with the zip64 records that one beyond 4 GiB has. Info-ZIP writes them to smaller ones too, and then
    the last record has the same numbers."""
    end = archive.rindex(END)
    _, _, _, _, count, size, offset, _ = struct.unpack("<4sHHHHIIH", archive[end:])
    record = struct.pack("<4sQHHIIQQQQ", END64, 44, 45, 45, 0, 0, count, count, size, offset)
    locator = struct.pack("<4sIQI", LOCATOR64, 0, end, 1)
    last = struct.pack("<4sHHHHIIH", END, 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return archive[:end] + record + locator + (last if sentinels else archive[end:])


def with_checksum(prefix, wanted):
    """`prefix` and four bytes that give the CRC-32 of all of it."""
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0xEDB88320 if byte & 1 else 0)
        table.append(byte)
    state = wanted ^ 0xFFFFFFFF
    for _ in range(4):  # what the register held four bytes before its end
        index = next(k for k in range(256) if table[k] >> 24 == state >> 24)
        state = (state ^ table[index]) << 8 | index
    state ^= zlib.crc32(prefix) ^ 0xFFFFFFFF
    made = prefix + (state & 0xFFFFFFFF).to_bytes(4, "little")
    assert zlib.crc32(made) == wanted
    return made
