# Steps that ./run and ./test share: packages, configuration, build. Sourced, not run.
# Every step says what it does in one line on stderr, does nothing when it is done already, and fails with a sentence.

BUILD_PACKAGES="g++ cmake ninja-build pkg-config libfmt-dev libtomlplusplus-dev nlohmann-json3-dev libexpected-dev
  libcli11-dev libxxhash-dev libgtest-dev librapidcheck-dev"
TEST_PACKAGES="python3 git clang-format-14 chromium"
ALL_TEST_PACKAGES="clang-14 libclang-rt-14-dev libbenchmark-dev dpkg-dev file"

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

# build PRESET TARGET: configures build/PRESET if that was never done or the presets changed, builds TARGET if anything changed.
# A build with nothing to do is over before the line that announces it.
build() {
  if [ ! -f "build/$1/build.ninja" ] || [ CMakePresets.json -nt "build/$1/build.ninja" ]; then
    say "configuring build/$1"
    logged "configure-$1" cmake --preset "$1" || fail "the configuration failed; build/log/configure-$1.log has it all"
  fi
  (sleep 0.6 && say "building build/$1 (minutes the first time)") &
  herald=$!
  built=yes
  logged "build-$1" cmake --build "build/$1" --target "$2" || built=no
  kill "$herald" 2>/dev/null || true
  wait "$herald" 2>/dev/null || true
  [ $built = yes ] || fail "the build failed; build/log/build-$1.log has it all"
}
