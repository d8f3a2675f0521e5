#!/bin/sh
# Fails if a source is not formatted: C++ as .clang-format says, Python by black, Markdown with its prose wrapped at 100 columns.
# `scripts/check_format.sh --fix` formats them, and web/ by prettier, which the test web/format checks once the page is built.
set -eu
cd "$(dirname "$0")/.."
format=$(command -v clang-format-14 || command -v clang-format) || { echo "clang-format-14 is missing; ./test installs it" >&2; exit 1; }
command -v black >/dev/null || { echo "black is missing; ./test installs it" >&2; exit 1; }
files=$(find src tests bench -name '*.h' -o -name '*.cpp')
if [ "${1:-}" = "--fix" ]; then
  # shellcheck disable=SC2086
  "$format" -i $files
  black -q -l 100 scripts bench tests python examples
  npm run --prefix web --silent format >/dev/null
  exec scripts/wrap_markdown.py
fi
# shellcheck disable=SC2086
"$format" --dry-run --Werror $files
black -q -l 100 --check scripts bench tests python examples || { echo "Python is not formatted; scripts/check_format.sh --fix does it" >&2; exit 1; }
scripts/wrap_markdown.py --check
echo "format: fine"
