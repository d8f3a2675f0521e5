// Properties draw the same inputs in every run, so that a test that passes passes again. RC_PARAMS="seed=…" in the environment
// explores others; a failure prints what to set to see it again.
#include <cstdlib>

namespace {

[[maybe_unused]] const int kSeeded = setenv("RC_PARAMS", "seed=20261115", /*overwrite=*/0);

}  // namespace
