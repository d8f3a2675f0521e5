# What ./test did and how long it took: one table at the end, also where it fails. Sourced after setup.sh, not run.

phases=$(mktemp)
phase_name=""
phase_tests="-"
phases_took=0

# phase NAME SECONDS COMMAND…: runs a step of ./test that is meant to end within SECONDS on two cores, whatever is cached.
phase() {
  phase_name=$1
  phase_budget=$2
  phase_begun=$(date +%s)
  phase_tests="-"
  shift 2
  "$@"
  note_phase ""
  phase_name=""
}

# note_phase WORD: a row of the table.
note_phase() {
  took=$(($(date +%s) - phase_begun))
  phases_took=$((phases_took + took))
  remark=$1
  [ "$took" -le "$phase_budget" ] || remark="$remark over its budget"
  printf '%-34s %6s %8s %8s  %s\n' "$phase_name" "$phase_tests" "$took" "$phase_budget" "$remark" >>"$phases"
}

print_phases() {
  [ -z "$phase_name" ] || note_phase "failed"
  if [ -s "$phases" ]; then
    printf '\n%-34s %6s %8s %8s\n' phase tests seconds budget
    cat "$phases"
    printf '%-34s %6s %8s\n' all "" "$phases_took"
  fi
  rm -f "$phases"
}
trap print_phases EXIT
