# SPDX-License-Identifier: Apache-2.0
"""What an object's functions are made of."""
import re
import subprocess


def instructions_of_functions(objdump, path, pattern):
    """The names of the instructions that match, in order, by the symbol of their function."""
    text = subprocess.run([objdump, "--disassemble", "--no-show-raw-insn", path], check=True, capture_output=True,
                          text=True).stdout
    found = {}
    name = None
    for line in text.splitlines():
        if heading := re.match(r"[0-9a-f]+ <(.+)>:", line):
            name = heading[1]
        elif instruction := re.match(rf"\s+[0-9a-f]+:\s+({pattern})(?:\s|$)", line):
            found.setdefault(name, []).append(instruction[1])
    return found
