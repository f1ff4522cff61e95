# SPDX-License-Identifier: Apache-2.0
# 'outboard test'. Sourced by the launcher.

runner=$root/target/testrun

# Becomes the runner of tests: the module testrun, which is built first.
outboard_test() {
  may_build
  build_runner
  columns=0
  if [ -t 1 ] && [ "${TERM:-dumb}" != dumb ]; then
    columns=$(tput cols 2>/dev/null) || columns=80
  fi
  exec "$java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xmx128m \
    --enable-native-access=ALL-UNNAMED -cp "$runner/classes" io.outboard.testrun.Main \
    "$root" "$columns" "$@"
}

# A copy, which the build that the runner starts does not touch. Each virtual machine that runs
# tests has it on its class path, and writes there what happens.
build_runner() {
  module=$root/testrun
  if [ -f "$runner/built" ] && [ -z "$(find "$root/pom.xml" "$module/pom.xml" "$module/src/main" \
    -newer "$runner/built" -print -quit)" ]; then
    return 0
  fi
  echo "outboard: building what runs the tests (the first time fetches what the build needs)"
  mkdir -p "$runner"
  : >"$runner/building"
  maven_build process-classes -pl testrun -Dspotless.check.skip=true >/dev/null
  rm -rf "$runner/classes"
  cp -R "$module/target/classes" "$runner/classes"
  mv "$runner/building" "$runner/built"
}
