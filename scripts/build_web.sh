#!/bin/sh
# Builds the pages of web/ into build/web (index.html and serve.html), unless they are there and nothing has changed. Fails with a sentence.
set -eu
cd "$(dirname "$(readlink -f "$0")")/.."
out=build/web
say() { printf 'railyard: %s\n' "$*" >&2; }
fail() { say "error: $*"; exit 1; }

mkdir -p "$out"
exec 9>"$out/lock"
flock 9  # presets that build at the same time share one page

sum() { find "$@" -type f | LC_ALL=C sort | xargs sha256sum | sha256sum; }
stamp=$(sum web/src web/*.html web/*.json web/*.ts docs/glossary.md scripts/build_web.sh)
packages=$(sum web/package.json web/package-lock.json)
is_installed() { [ "$(cat web/node_modules/.railyard 2>/dev/null)" = "$packages" ]; }
is_installed && [ -s "$out/index.html" ] && [ -s "$out/serve.html" ] && [ "$(cat "$out/stamp" 2>/dev/null)" = "$stamp" ] && exit 0

command -v node >/dev/null && command -v npm >/dev/null ||
  fail "node and npm are needed to build the page; ./run installs them, or: apt-get install nodejs npm"
if ! is_installed; then
  npm ci --prefix web --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=3 --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=8000 >"$out/npm.log" 2>&1 ||
    { tail -n 5 "$out/npm.log" >&2; fail "npm could not install what the page is built with (error above, all of it in $out/npm.log); can its registry be reached?"; }
  printf '%s' "$packages" >web/node_modules/.railyard
fi
npm run --prefix web --silent build >"$out/build.log" 2>&1 || { tail -n 20 "$out/build.log" >&2; fail "the page could not be built; $out/build.log has it all"; }
[ "$(grep -c '<script type="application/json" id="data"></script>' "$out/index.html")" = 1 ] ||
  fail "the built page has no place for its data, or several"
printf '%s' "$stamp" >"$out/stamp"
