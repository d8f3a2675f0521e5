#!/bin/sh
# Builds the Debian packages and runs the program out of them, under mpirun too, without installing anything.
set -eu
cd "$(dirname "$0")/.."
out=build/package
rm -rf "$out"
mkdir -p "$out"
cmake --build build/release --target all >"$out/build.log" 2>&1
cpack --config build/release/CPackConfig.cmake -B "$out" >"$out/cpack.log" 2>&1 || { cat "$out/cpack.log" >&2; exit 1; }
deb=$(find "$out" -maxdepth 1 -name 'railyard_*.deb')
dpkg-deb -x "$deb" "$out/root"
"$out/root/usr/bin/railyard" --version
"$out/root/usr/bin/railyard" run "$out/root/usr/share/railyard/scenarios/first.toml" --quiet
PYTHONPATH="$out/root/usr/lib/python3/dist-packages" /usr/bin/python3 -c 'import railyard; print(railyard.run("first").fingerprint)'
for file in usr/share/bash-completion/completions/railyard usr/share/doc/railyard/LICENSE \
    usr/share/doc/railyard/docs/integrations.md usr/share/doc/railyard/docs/incast.png usr/share/doc/railyard/docs/traces/token.goal \
    usr/share/doc/railyard/examples/incast.py usr/share/railyard/integrations/prometheus/alerts.yml \
    usr/share/railyard/integrations/grafana/network.json usr/share/railyard/integrations/runbooks/SenderPaused.md; do
  [ -s "$out/root/$file" ] || { printf '%s is missing from the package\n' "$file" >&2; exit 1; }
done
dpkg-deb -f "$deb" Depends | grep -q libfmt || { printf 'the package does not name its libraries\n' >&2; exit 1; }
if dpkg-deb -f "$deb" Depends | grep -q openmpi; then
  printf 'railyard asks for MPI, which railyard-mpi alone should\n' >&2
  exit 1
fi
printf 'package: %s\n' "$(basename "$deb")"

# Two processes of what is installed write what one does.
mpi=$(find "$out" -maxdepth 1 -name 'railyard-mpi_*.deb')
[ -n "$mpi" ] || { printf 'no railyard-mpi: there was no MPI to build with\n'; exit 0; }
dpkg-deb -x "$mpi" "$out/root"
dpkg-deb -f "$mpi" Depends | grep -q 'railyard (= .*openmpi' || { printf 'railyard-mpi does not name what it needs\n' >&2; exit 1; }
printf 'extends = "first"\n[sweep.axes]\nengine.seed = { from = 1, to = 40 }\n' >"$out/sweep.toml"
"$out/root/usr/bin/railyard" sweep "$out/sweep.toml" --quiet --csv "$out/alone.csv"
mpirun --oversubscribe --allow-run-as-root --bind-to none -n 2 "$out/root/usr/bin/railyard" sweep "$out/sweep.toml" --quiet --csv "$out/team.csv"
cmp "$out/alone.csv" "$out/team.csv"
printf 'package: %s\n' "$(basename "$mpi")"
