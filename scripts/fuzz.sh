#!/bin/sh
# fuzz.sh BUILD SECONDS: runs every fuzzer of BUILD for SECONDS, as many at a time as there are processors, starting from scenarios,
# drawings, results and the catalog as seeds, and tells how much of the program each has covered. Fails with the log of the first
# that finds something.
set -eu
cd "$(dirname "$0")/.."
build=$1
seconds=$2
findings="$build/findings"
mkdir -p "$findings"

fuzz_one() {
  name=$(basename "$1" _fuzz)
  corpus="$build/corpus/$name"
  mkdir -p "$corpus"
  find scenarios tests/scenarios tests/fuzz/seeds catalog -name '*.toml' -o -name '*.txt' -o -name '*.csv' -o -name '*.json' -o -path 'tests/fuzz/seeds/config/*' -type f -o -path 'tests/fuzz/seeds/trace/*' -type f -o -path 'tests/fuzz/seeds/capture/*' -type f -o -path 'tests/fuzz/seeds/packed/*' -type f | while read -r seed; do
    cp "$seed" "$corpus/$(printf '%s' "$seed" | tr / _)"
  done
  log="$findings/$name.log"
  if ! "$1" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2048 -max_len=8192 -print_final_stats=1 \
      -artifact_prefix="$findings/" "$corpus" >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    return 1
  fi
  tried=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  covered=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
  edges=$(sed -n 's/.*(\([0-9]*\) inline 8-bit counters).*/\1/p' "$log" | head -n 1)
  printf '%s: %s inputs, %s of %s edges of the program covered\n' "$name" "$tried" "$covered" "$edges"
}

if [ $# -eq 3 ]; then
  fuzz_one "$3"
else
  printf '%s\n' "$build"/tests/fuzz/*_fuzz | xargs -P "$(nproc)" -I FUZZER "$0" "$build" "$seconds" FUZZER
fi
