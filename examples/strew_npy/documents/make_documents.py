# SPDX-License-Identifier: Apache-2.0
"""Makes the man page and the shell completions of strew-npy from what its --help prints.

    make_documents.py DIRECTORY PROGRAM...

The files in DIRECTORY are strew-npy.1, strew-npy.bash and _strew-npy (of zsh). The date of the man page is today, or
SOURCE_DATE_EPOCH where that is set. PROGRAM may be an emulator and what it runs.
"""

import dataclasses
import datetime
import os
import pathlib
import re
import subprocess
import sys
import textwrap
import time

NAME = "strew-npy"


@dataclasses.dataclass(frozen=True)
class Argument:
    """An option or an operand: its names, what its value is called (empty for flags), and what it is for."""

    names: tuple
    value: str
    is_required: bool
    text: str

    @property
    def is_list(self):
        return self.value.endswith(" ...")


@dataclasses.dataclass
class Help:
    """What one --help prints."""

    summary: str
    arguments: dict  # by the heading of their section
    notes: dict  # what follows the sections, by its title
    examples: list  # command lines, of an operator


def parse_argument(names, text):
    words = names.split()
    is_required = words[-1] == "REQUIRED"
    value = " ".join(words[1 : len(words) - is_required])
    return Argument(tuple(words[0].split(",")), value, is_required, text)


def parse_help(printed):
    sections = {}
    notes = {}
    examples = []
    lines = printed.strip().splitlines()
    usage = next(k for k, line in enumerate(lines) if line.lower().startswith("usage:"))
    section = None
    pending = None  # an argument that is too long for its column: what it is for stands on the next line
    for line in lines[usage + 1 :]:
        heading = re.fullmatch(r"([A-Za-z]+):", line)
        if line == "Examples:":
            section = examples
        elif section is examples:
            examples.append(line.strip())
        elif heading:
            section = sections.setdefault(heading[1].capitalize(), [])
        elif line.startswith("  ") and section is not None:
            columns = [part for part in re.split(r" {2,}", line.strip()) if part]
            if not line.startswith("   ") and len(columns) == 1:
                pending = columns[0]
            elif line.startswith("   "):
                section.append(parse_argument(pending, columns[0]))
            else:
                section.append(parse_argument(columns[0], columns[1]))
        elif line:
            title = re.match(r"([A-Z][a-z ]+): (.*)", line)
            if title:
                notes[title[1]] = title[2]
            else:
                last = list(notes)[-1]
                notes[last] += " " + line
    return Help(" ".join(lines[:usage]).strip(), sections, notes, examples)


def read_help(program, *operator):
    printed = subprocess.run([*program, *operator, "--help"], check=True, capture_output=True, text=True).stdout
    return parse_help(printed)


# ---- The man page


def roff(text):
    """Text as it is, in lines of at most 80 bytes. A control character at the beginning of one is none."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    lines = textwrap.wrap(escaped, 78, break_long_words=False, break_on_hyphens=False)
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in lines)


def today():
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).date()


def man_argument(argument):
    names = ", ".join(f"\\fB{roff(name)}\\fR" for name in argument.names)
    value = f" \\fI{roff(argument.value)}\\fR" if argument.value else ""
    required = " (required)" if argument.is_required and argument.names[0].startswith("-") else ""
    return [".TP", names + value + required, roff(argument.text)]


def man_operand(argument):
    text = f"\\fI{roff(argument.names[0])}\\fR" + ("..." if argument.is_list else "")
    return text if argument.is_required else f"[{text}]"


def man_commands(commands):
    """Command lines as they are typed, of which long ones go on in the next line."""
    return [".nf", *(roff(command).replace("\n", " \\e\n") for command in commands), ".fi"]


def man_page(version, top, operators):
    common = set.intersection(*(set(help.arguments["Options"]) for help in operators.values()))
    lines = [
        f'.TH {NAME.upper()} 1 "{today()}" "{version}" "User Commands"',
        ".SH NAME",
        f"{roff(NAME)} \\- scatter operators on NumPy's .npy files",
        ".SH SYNOPSIS",
        f".B {roff(NAME)}",
        "\\fIoperator\\fR [\\fIoption\\fR]... \\fIdata\\fR [\\fIoperand\\fR]...",
        ".br",
        f".B {roff(NAME)}",
        "[\\fIoperator\\fR] \\fB\\-\\-help\\fR | \\fB\\-\\-version\\fR",
        ".SH DESCRIPTION",
        roff(top.summary),
    ]
    described = {}  # the operands, of which a few mean something else to some operator
    for help in operators.values():
        for one in help.arguments["Positionals"]:
            described.setdefault(one.names, one)
    for name, help in operators.items():
        operands = " ".join(man_operand(one) for one in help.arguments["Positionals"])
        lines += [f".SS {roff(name)}", roff(help.summary) + ".", ".PP", f"Operands: {operands}."]
        for argument in help.arguments["Positionals"]:
            if argument != described[argument.names]:
                lines += man_argument(argument)
        for argument in help.arguments["Options"]:
            if argument not in common:
                lines += man_argument(argument)
        lines += [".PP", "Examples:" if len(help.examples) > 1 else "Example:", ".PP", ".RS 4"]
        lines += [*man_commands(help.examples), ".RE"]
    lines.append(".SH OPERANDS")
    for argument in described.values():
        lines += man_argument(argument)
    lines.append(".SH OPTIONS OF ALL OPERATORS")
    for argument in next(iter(operators.values())).arguments["Options"]:
        if argument in common:
            lines += man_argument(argument)
    for title, text in top.notes.items():
        if title == "Options of an operator":
            continue
        if title == "Example":
            lines += [".SH EXAMPLE", *man_commands([text])]
        else:
            lines += [f".SH {title.upper()}", roff(text)]
    return "\n".join(lines) + "\n"


# ---- Completion


BASH = r"""# Completion of {name} in bash, made from its help.

_strew_npy_files() {{
  local file
  compopt -o filenames 2>/dev/null
  while IFS= read -r file; do
    if [[ -d $file || $file == *.npy || ($1 == inputs && $file == *.npz) ]]; then COMPREPLY+=("$file"); fi
  done < <(compgen -f -- "$cur")
}}

_strew_npy() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}} options value
  COMPREPLY=()
  # bash takes --option=value for three words.
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${{COMP_WORDS[COMP_CWORD - 2]}}; fi
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "{operators} {top}" -- "$cur")
    return
  fi
  case ${{COMP_WORDS[1]}} in
{cases}
    *) return ;;
  esac
  for value in "${{values[@]}}"; do
    if [[ $prev != "${{value%%=*}}" ]]; then continue; fi
    value=${{value#*=}}
    case $value in
      FILE) _strew_npy_files outputs ;;
      *"|"*) mapfile -t COMPREPLY < <(compgen -W "${{value//|/ }}" -- "$cur") ;;
    esac
    return
  done
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
  else
    _strew_npy_files inputs
  fi
}}

complete -F _strew_npy {name}
"""


def bash_completion(top, operators):
    cases = []
    for name, help in operators.items():
        options = help.arguments["Options"]
        names = " ".join(one for option in options for one in option.names)
        values = " ".join(f"'{one}={option.value}'" for option in options if option.value for one in option.names)
        cases.append(f"    {name})\n      options='{names}'\n      local values=({values})\n      ;;")
    top_names = " ".join(one for option in top.arguments["Options"] for one in option.names)
    return BASH.format(name=NAME, operators=" ".join(operators), top=top_names, cases="\n".join(cases))


ZSH = r"""#compdef {name}
# Completion of {name} in zsh, made from its help.

_strew_npy() {{
  local -a operators=(
{operators}
  )
  if ((CURRENT == 2)); then
    _describe -t operators operator operators
    _arguments {top}
    return
  fi
  local operator=$words[2]
  shift words
  ((CURRENT--))
  case $operator in
{cases}
  esac
}}

_strew_npy "$@"
"""


def zsh_text(text):
    return text.replace("'", r"'\''").replace("[", r"\[").replace("]", r"\]").replace(":", r"\:")


def zsh_value(value, files):
    if not value:
        return ""
    if value == "FILE":
        return f':file:_files -g "{files}"'
    if "|" in value:
        return f":name:({value.replace('|', ' ')})"
    return f":{zsh_text(value)}: "


def zsh_argument(argument):
    lines = []
    for name in argument.names:
        others = f"({' '.join(argument.names)})" if len(argument.names) > 1 else ""
        joined = "=" if argument.value and name.startswith("--") else ""
        value = zsh_value(argument.value, "*.npy")
        lines.append(f"'{others}{name}{joined}[{zsh_text(argument.text)}]{value}'")
    return lines


def zsh_completion(top, operators):
    cases = []
    for name, help in operators.items():
        specifications = [line for one in help.arguments["Options"] for line in zsh_argument(one)]
        for one in help.arguments["Positionals"]:
            # What comes after a list is completed as a part of it.
            place = "*:" if one.is_list else ":" if one.is_required else "::"
            specifications.append(f"'{place}{one.names[0]}:_files -g \"*.np[yz]\"'")
            if one.is_list:
                break
        cases.append(
            f"    {name})\n      _arguments -s -S \\\n        " + " \\\n        ".join(specifications) + "\n      ;;"
        )
    summaries = {name: help.summary.replace("'", r"'\''").replace(":", r"\:") for name, help in operators.items()}
    listed = "\n".join(f"    '{name}:{summary}'" for name, summary in summaries.items())
    top_options = " ".join(line for one in top.arguments["Options"] for line in zsh_argument(one))
    return ZSH.format(name=NAME, operators=listed, top=top_options, cases="\n".join(cases))


def main():
    directory, program = pathlib.Path(sys.argv[1]), sys.argv[2:]
    version = subprocess.run([*program, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    top = read_help(program)
    operators = {one.names[0]: read_help(program, one.names[0]) for one in top.arguments["Subcommands"]}
    directory.mkdir(parents=True, exist_ok=True)
    (directory / f"{NAME}.1").write_text(man_page(version, top, operators))
    (directory / f"{NAME}.bash").write_text(bash_completion(top, operators))
    (directory / f"_{NAME}").write_text(zsh_completion(top, operators))


if __name__ == "__main__":
    main()
