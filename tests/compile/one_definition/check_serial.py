# SPDX-License-Identifier: Apache-2.0
"""Checks that an object of serial calls holds no code that shares out work, and that one of threaded calls does.

python check_serial.py NM SERIAL_OBJECT THREADED_OBJECT
"""
import re
import subprocess
import sys


def sharing_symbols(nm, path):
    text = subprocess.run([nm, "-C", "--defined-only", path], check=True, capture_output=True, text=True).stdout
    return [line for line in text.splitlines() if re.search(r"::(parallel_for_parts|share_check|partition)\b", line)]


nm, serial_object, threaded_object = sys.argv[1:]
if not sharing_symbols(nm, threaded_object):
    sys.exit("the object of threaded calls holds no such code: this test sees nothing")
found = sharing_symbols(nm, serial_object)
print("\n".join(found) or "no code of serial calls shares out work")
sys.exit(1 if found else 0)
