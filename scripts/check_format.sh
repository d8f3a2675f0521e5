#!/bin/sh
# Fails if a source is not formatted as .clang-format says. `scripts/check_format.sh --fix` formats it.
set -eu
cd "$(dirname "$0")/.."
format=$(command -v clang-format-14 || command -v clang-format) || { echo "clang-format-14 is missing; ./test installs it" >&2; exit 1; }
files=$(find src tests bench -name '*.h' -o -name '*.cpp')
if [ "${1:-}" = "--fix" ]; then
  # shellcheck disable=SC2086
  exec "$format" -i $files
fi
# shellcheck disable=SC2086
"$format" --dry-run --Werror $files && echo "format: fine"
