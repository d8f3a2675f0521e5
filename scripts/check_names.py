#!/usr/bin/env python3
"""Fails if two types of one namespace have the same name: linked into one program they would break the one-definition rule.

check_names.py [ROOT]: ROOT is the folder that holds src/ (default: the repository). Types in an anonymous namespace are private
to their source and may repeat elsewhere; types inside other types have their owner's name.
"""
import collections
import pathlib
import re

import checking

TOKEN = re.compile(
    r"""
    (?P<skip>//[^\n]*|/\*.*?\*/|R"(?P<raw>[^(\s]*)\(.*?\)(?P=raw)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|\#[^\n]*(?:\\\n[^\n]*)*)
  | (?P<namespace>\bnamespace\b\s*(?P<space>[\w:]*)\s*\{)
  | (?P<type>(?:\benum\s+)?\b(?:class|struct|union|enum)\s+(?:alignas\([^)]*\)\s*|\[\[[^\]]*\]\]\s*)*(?P<name>\w+)
        (?P<special>\s*<[^;{]*>)?\s*(?:final\s*)?(?::(?!:)[^;{()]*)?\{)
  | (?P<open>\{) | (?P<close>\})
""",
    re.VERBOSE | re.DOTALL,
)


def types_of(text):
    """Namespace, name and line of every type that the text defines at namespace scope. Specialisations have no name of their own."""
    scopes = (
        []
    )  # the namespace that a brace opened, "" for an anonymous one, or None for anything else
    for found in TOKEN.finditer(text):
        if found["namespace"]:
            scopes.append(found["space"])
        elif found["type"]:
            if None not in scopes and "" not in scopes and not found["special"]:
                yield "::".join(scopes), found["name"], text.count("\n", 0, found.start()) + 1
            scopes.append(None)
        elif found["open"]:
            scopes.append(None)
        elif found["close"] and scopes:
            scopes.pop()


def mistakes(root):
    places = collections.defaultdict(list)
    for file in sorted((root / "src").rglob("*")):
        if file.suffix in (".h", ".cpp"):
            for space, name, line in types_of(file.read_text()):
                places[space, name].append(f"{file.relative_to(root)}:{line}")
    for (space, name), where in sorted(places.items()):
        if len(where) > 1:
            yield f"{where[-1]}: {space}::{name} is a type in {where[0]} too; give one of them another name"


if __name__ == "__main__":
    checking.run("names", mistakes)
