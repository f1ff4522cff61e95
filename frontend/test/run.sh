#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a test: run.sh NAME LABEL LOG COMMAND [ARGUMENT]...; of one that fails the output is shown.
# Where TEST_RUN_EVENTS names a file, the result is a line there, as testrun's Event describes it;
# then a failure is counted by the reader of that file, and ends no build.
set -eu
name=$1 label=$2 log=$3
shift 3

mkdir -p "${log%/*}"
last_line() {
  grep -v '^ *$' "$log" | tail -n 1 | tr -s '\t ' ' ' | cut -c 1-300
}

limit=1800
began=$(date +%s%N)
status=0
timeout "$limit" "$@" >"$log" 2>&1 || status=$?
millis=$((($(date +%s%N) - began) / 1000000))

reason=
case $status in
  0) kind=PASSED ;;
  124) kind=FAILED reason="it did not end within $limit s" ;;
  *) kind=FAILED reason="status $status: $(last_line)" ;;
esac
case $kind in
  PASSED) echo "passed: $name $label" ;;
  FAILED)
    cat "$log"
    echo "FAILED: $name $label"
    ;;
esac
if [ -n "${TEST_RUN_EVENTS:-}" ]; then
  printf '%s\tfrontend\t%s\t\t%s\t%s\t%s\n' "$kind" "$name" "$label" "$millis" "$reason" \
    >>"$TEST_RUN_EVENTS"
else
  [ "$kind" = PASSED ]
fi
