#!/bin/sh
# Builds the Debian package and runs the program out of it, without installing anything.
set -eu
cd "$(dirname "$0")/.."
out=build/package
rm -rf "$out"
mkdir -p "$out"
cmake --build build/release --target all >"$out/build.log" 2>&1
cpack --config build/release/CPackConfig.cmake -B "$out" >"$out/cpack.log" 2>&1 || { cat "$out/cpack.log" >&2; exit 1; }
deb=$(find "$out" -maxdepth 1 -name '*.deb')
dpkg-deb -x "$deb" "$out/root"
"$out/root/usr/bin/railyard" --version
"$out/root/usr/bin/railyard" run "$out/root/usr/share/railyard/scenarios/first.toml" --quiet
PYTHONPATH="$out/root/usr/lib/python3/dist-packages" /usr/bin/python3 -c 'import railyard; print(railyard.run("first").fingerprint)'
for file in usr/share/bash-completion/completions/railyard usr/share/doc/railyard/LICENSE; do
  [ -s "$out/root/$file" ] || { printf '%s is missing from the package\n' "$file" >&2; exit 1; }
done
dpkg-deb -f "$deb" Depends | grep -q libfmt || { printf 'the package does not name its libraries\n' >&2; exit 1; }
printf 'package: %s\n' "$(basename "$deb")"
