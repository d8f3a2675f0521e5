#!/usr/bin/env python3
"""Wraps the prose of Markdown files at 100 columns; code, tables, headings and generated parts stay as they are.

wrap_markdown.py [--check] [FILES…] (default: every tracked Markdown file). --check changes nothing and fails where a file would.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WIDTH = 100
ITEM = re.compile(r"^(\s*)([-*+]|\d+[.)])(\s+)")
AS_IT_IS = re.compile(r"^\s*(#|\||>|<|\[[^\]]+\]:|---+\s*$|===+\s*$|\*\*\*+\s*$)")
# What would mean something else at the beginning of a line.
MARKER = re.compile(r"^([-*+>|#=]|\d+[.)])")


def words_of(text):
    """Words that stay together: a code span is one word, and so is a number with its per cent sign."""
    return re.findall(r"(?:`+[^`]*`+|\S)+(?: %\S*)?", text)


def wrapped(text, indent, first):
    """`text` in lines of at most WIDTH; the first begins with `first`, others with `indent` blanks."""
    lines, line = [], first
    empty = True
    for word in words_of(text):
        fits = len(line) + len(word) + (0 if empty else 1) <= WIDTH
        if empty or fits or MARKER.match(word):
            line += word if empty else " " + word
        else:
            lines.append(line)
            line = " " * indent + word
        empty = False
    return lines + [line]


def rewrap(text):
    out, paragraph = [], []  # a paragraph: its indent, what its first line begins with, its text
    fence = generated = False
    inside = 0  # what an item of a list is indented by, as long as lines belong to it

    def flush():
        if paragraph:
            indent, first, parts = paragraph
            out.extend(wrapped(" ".join(parts), indent, first))
            paragraph.clear()

    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith(("```", "~~~")):
            flush()
            fence = not fence
            out.append(line)
        elif fence or generated or stripped.startswith("<!--"):
            flush()
            generated = (
                generated or stripped.startswith("<!-- railyard")
            ) and stripped != "<!-- end -->"
            out.append(line)
        elif not stripped or AS_IT_IS.match(line):
            flush()
            out.append(line.rstrip())
        elif not paragraph and len(line) - len(line.lstrip()) >= inside + 4:  # code
            out.append(line.rstrip())
        elif item := ITEM.match(line):
            flush()
            inside = len(item[0])
            paragraph[:] = [len(item[0]), item[0], [line[len(item[0]) :].strip()]]
        elif paragraph:
            paragraph[2].append(stripped)
        else:
            indent = len(line) - len(line.lstrip())
            inside = inside if indent > 0 else 0
            paragraph[:] = [indent, " " * indent, [stripped]]
    flush()
    return "\n".join(out) + "\n"


def tracked():
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "-C", str(ROOT), "ls-files", "*.md"],
        check=True,
        capture_output=True,
        text=True,
    )
    return [ROOT / name for name in listed.stdout.split()]


def main():
    names = [name for name in sys.argv[1:] if name != "--check"]
    bad = []
    for path in [pathlib.Path(name) for name in names] or tracked():
        text = path.read_text()
        if (new := rewrap(text)) == text:
            continue
        bad.append(path)
        if "--check" not in sys.argv:
            path.write_text(new)
    if "--check" in sys.argv:
        print(
            "\n".join(
                f"{path}: prose is not wrapped at {WIDTH} columns; scripts/wrap_markdown.py does it"
                for path in bad
            )
            or "markdown: fine"
        )
        return 1 if bad else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
