# SPDX-License-Identifier: Apache-2.0
# 'outboard demo'. Sourced by the launcher.

outboard_demo() {
  [ $# -eq 0 ] || usage_error "demo takes no arguments"
  echo "outboard: the demo builds what is not built (minutes at first), starts a backend"
  echo "on this machine's GPU or on the software GPU, and runs CUDA programs on it, each as you would"
  build_if_needed
  make -s -C "$root/examples" driver || fail "the examples do not build"
  echo "outboard: starting a backend for this demo"
  embed auto
  demo_programs
  demo_end
}

demo_programs() {
  passed=0 failed= number=0
  count=$(find "$root"/examples/target/driver -type f | wc -l)
  for program in "$root"/examples/target/driver/*; do
    number=$((number + 1))
    echo
    echo "outboard: program $number of $count"
    echo "\$ ./outboard run -- examples/target/driver/${program##*/}"
    if "$tools/outboard-run" -- "$program"; then
      passed=$((passed + 1))
    else
      failed="$failed ${program##*/}"
    fi
  done
}

demo_end() {
  echo
  if [ -n "$failed" ]; then
    fail "the demo FAILED:$failed"
  fi
  cat <<END
outboard: the demo ended in success: $passed programs, each an ordinary executable that was linked with libcuda.so.1, ran on the device
named in its line. Their sources are in examples/cuda/driver. Next:
  ./outboard run -- PROGRAM          runs a CUDA program of yours, unmodified
  ./outboard serve                   keeps a backend running; 'run' then finds it
  ./outboard dist                    makes a client for machines without Java
  ./outboard --help                  has the rest
END
}
