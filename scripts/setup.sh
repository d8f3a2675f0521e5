# Steps that ./run and ./test share: packages, configuration, build. Sourced, not run.
# Every step says what it does in one line on stderr, does nothing when it is done already, and fails with a sentence.

BUILD_PACKAGES="g++ cmake ninja-build pkg-config ccache mold libfmt-dev libtomlplusplus-dev nlohmann-json3-dev libexpected-dev
  libcli11-dev libxxhash-dev libyaml-cpp-dev libmetis-dev libprotobuf-dev protobuf-compiler zlib1g-dev libsqlite3-dev libpugixml-dev
  libcpp-httplib-dev pybind11-dev python3-dev libgtest-dev librapidcheck-dev libopenmpi-dev clang-14"
TEST_PACKAGES="python3 git clang-format-14 black chromium libbenchmark-dev tshark prometheus sqlite3 slurmctld slurmd slurm-client
  munge openmpi-bin python3-pandas python3-matplotlib python3-yaml"
ALL_TEST_PACKAGES="libclang-rt-14-dev dpkg-dev file"

# Whatever node and npm are there will do; Debian's where there are none.
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then BUILD_PACKAGES="$BUILD_PACKAGES nodejs npm"; fi

say() { printf 'railyard: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# logged NAME COMMAND…: runs it with its output in build/log/NAME.log; on failure shows what looks like the reason.
logged() {
  log="build/log/$1.log"
  shift
  mkdir -p build/log && touch "$log" 2>/dev/null || fail "build/ cannot be written; does it belong to another user?"
  "$@" >"$log" 2>&1 && return 0
  grep -nE '(^E:|[Ee]rror|FAILED|undefined reference)' "$log" | head -n 6 | cut -c 1-200 >&2
  return 1
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# install_packages PACKAGE…: those that are missing, with apt.
install_packages() {
  missing=""
  for package in "$@"; do
    dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
  done
  [ -z "$missing" ] && return 0
  command -v apt-get >/dev/null || fail "these packages are missing and there is no apt-get to install them:$missing"
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    fail "these packages are missing; install them as root, then try again:$missing"
  fi
  say "installing$missing"
  if [ "$(id -u)" -ne 0 ]; then sudo true || fail "sudo is needed to install packages, and it refused"; fi
  logged apt-update as_root apt-get -o DPkg::Lock::Timeout=300 update || fail "apt-get update failed; is the network there?"
  # shellcheck disable=SC2086
  logged apt-install as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends $missing ||
    fail "apt-get could not install$missing"
}

# is_of_here FOLDER: what was configured in it is of this checkout. A copy of another one's names its files.
is_of_here() {
  [ ! -f "$1/CMakeCache.txt" ] || grep -qxF -e "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" -e "CMAKE_HOME_DIRECTORY:INTERNAL=$(pwd -P)" "$1/CMakeCache.txt"
}

# configure PRESET [CMAKE ARGS…]: unless build/PRESET has been configured like that since the presets changed.
configure() {
  preset=$1
  shift
  stamp="build/$preset/configured"
  if ! is_of_here "build/$preset"; then
    say "build/$preset is of another checkout: building anew"
    rm -rf "build/$preset"
  fi
  [ -f "build/$preset/build.ninja" ] && [ "$stamp" -nt CMakePresets.json ] && [ "$(cat "$stamp")" = "$*" ] && return 0
  say "configuring build/$preset"
  logged "configure-$preset" cmake --preset "$preset" "$@" || fail "the configuration failed; build/log/configure-$preset.log has it all"
  printf '%s' "$*" >"$stamp"
}

# watch_build PRESET: tells how far the build in the background is, by Ninja's own counter; on a terminal every second in one
# line, else every 20 seconds in a new one. A build with nothing to do is over before the first.
watch_build() {
  begun=$(date +%s)
  quiet_until=0
  while sleep 1; do
    elapsed=$(($(date +%s) - begun))
    [ -t 2 ] || [ "$elapsed" -ge "$quiet_until" ] || continue
    quiet_until=$((elapsed + 20))
    counter=$(sed -n 's/^\[\([0-9]*\)\/\([0-9]*\)\].*/\1 \2/p' "build/log/build-$1.log" | tail -n 1)
    text="building build/$1"
    if [ -n "$counter" ]; then
      # shellcheck disable=SC2086
      set -- "$1" $counter
      text="$text: $2 of $3 steps"
      [ "$elapsed" -lt 10 ] || [ "$2" -eq 0 ] || text="$text, about $((elapsed * ($3 - $2) / $2)) s left"
    fi
    if [ -t 2 ]; then printf '\r\033[Krailyard: %s' "$text" >&2; else say "$text"; fi
  done
}

# build PRESET TARGET [CMAKE ARGS…]: configures build/PRESET where that is due, builds TARGET if anything changed.
build() {
  preset=$1
  target=$2
  shift 2
  configure "$preset" "$@"
  : >"build/log/build-$preset.log"
  watch_build "$preset" &
  watcher=$!
  built=yes
  NINJA_STATUS='[%f/%t] ' logged "build-$preset" cmake --build "build/$preset" --target "$target" || built=no
  kill "$watcher" 2>/dev/null || true
  wait "$watcher" 2>/dev/null || true
  [ ! -t 2 ] || printf '\r\033[K' >&2
  [ $built = yes ] || fail "the build failed; build/log/build-$preset.log has it all"
}
