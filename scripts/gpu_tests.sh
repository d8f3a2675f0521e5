#!/bin/sh
# Where there is a GPU, compares it with the processor: every scenario that has packets, and random networks. Needs build/release.
set -eu
cd "$(dirname "$0")/.."
say() { printf 'railyard: %s\n' "$*" >&2; }
program=build/release/railyard
properties=build/release/tests/properties_test
[ -x "$program" ] && [ -x "$properties" ] || { say "$program or $properties is not there; ./test builds them"; exit 1; }

# What the program says of this machine: the driver may be there and of no use.
if why=$("$program" run tests/scenarios/packet/incast_2.toml --no-advice --set engine.device=cuda 2>&1); then
  :
elif why=$(printf '%s\n' "$why" | sed -n 's/.*RY-RUN-077: engine.device = "cuda", and \(.*\); set engine.device.*/\1/p') && [ -n "$why" ]; then
  say "no GPU is tested: $why"
  exit 0
else
  say "a GPU is there, and tests/scenarios/packet/incast_2.toml does not run on it"
  exit 1
fi

failed=no
python3 tests/gpu/compare.py "$program" --device cuda "$@" || failed=yes
RAILYARD_GPU=1 "$properties" --gtest_brief=1 --gtest_filter='PacketOnGpu*' || failed=yes
[ $failed = no ] || { say "the GPU and the processor differ"; exit 1; }
