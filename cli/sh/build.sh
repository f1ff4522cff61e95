# SPDX-License-Identifier: Apache-2.0
# Builds what the command runs, with progress. Sourced by the launcher.

stamp=$root/target/built

# Builds if a source is newer than the last build; a second caller waits for the first one's build.
build_if_needed() {
  is_stale || return 0
  check_tools building
  may_build
  mkdir -p "$root/target"
  (
    if command -v flock >/dev/null; then flock 9; fi
    if is_stale; then build >&2; fi
  ) 9>"$root/target/lock"
}

# A checkout that was built works for everybody who can read it.
may_build() {
  if [ ! -w "$root" ] || { [ -e "$root/target" ] && [ ! -w "$root/target" ]; }; then
    fail "$root is not built, or has newer sources, and this user cannot write there: its owner runs './outboard version' once, or copy it"
  fi
}

# is_stale [STAMP]: whether a source is newer than that file, the last build's without one. It looks
# at sources only: a user's own files may lie about.
is_stale() {
  built=${1:-$stamp}
  [ -f "$built" ] || return 0
  [ -n "$(find "$root/pom.xml" "$root/.mvn" "$root/cli/sh" "$root/examples/cuda/driver" \
    "$root/frontend" "$root/bench/c" "$root/bench/gpu" "$root"/*/pom.xml \
    "$root"/*/src/main "$root"/*/*.lock "$root"/*/*.tsv \
    \( -name target -o -path "$root/frontend/test" -o -path "$root/testrun/*" \) -prune \
    -o -type f -newer "$built" -print -quit)" ]
}

build() {
  started=$(date +%s)
  echo "outboard: building (the first time fetches what the build needs)"
  mkdir -p "$root/target"
  begun=$root/target/building
  : >"$begun"
  maven_build package -pl cli,frontend -am -Dmaven.test.skip=true -DskipTests -Dspotless.check.skip=true
  train
  mv "$begun" "$stamp"
  echo "outboard: built in $(($(date +%s) - started)) s"
}

# Remembers the classes that an embedded backend and its worker load, so that the next ones start
# sooner. That is a gain and no more: where the training run fails, commands still run.
train() {
  make -s -C "$root/examples" driver || fail "the examples do not build"
  echo "outboard: running a program once, so that Java remembers what it loads: later starts take less (some 10 s)"
  sh "$root/cli/sh/train.sh" "$java" "$jar" "$root/frontend/target" "$root/examples/target/driver/histogram" "$cache" >"$root/target/train.log" 2>&1 ||
    echo "outboard: no start-up cache could be made (see target/train.log): starts will be slower"
}

# check_tools [building]: finds a JDK 25 and, where something is built, what else that needs; says
# all that is missing in one line, before anything is done.
check_tools() {
  missing=
  outboard_find_jdk 2>/dev/null || missing=" $(jdk_package)"
  if [ -n "${1:-}" ]; then
    need mvn maven
    need gcc gcc
    need make make
  fi
  [ -n "$missing" ] || return 0
  as_root=
  [ "$(id -u)" -eq 0 ] || as_root='sudo '
  note=
  case $missing in
    *temurin*) note=" (temurin-25-jdk is Adoptium's: adoptium.net/installation/linux)" ;;
  esac
  fail "programs are missing here$note; paste: ${as_root}apt-get install$missing"
}

need() {
  command -v "$1" >/dev/null 2>&1 || missing="$missing $2"
}

# Distributions have a JDK 25 from 2025 on; Temurin's is for older ones.
jdk_package() {
  if apt-cache show openjdk-25-jdk-headless >/dev/null 2>&1; then
    echo openjdk-25-jdk-headless
  else
    echo temurin-25-jdk
  fi
}

# Runs Maven with one line a module; the whole log is in target/build.log, of which errors are
# shown.
maven_build() {
  log=$root/target/build.log
  { "$root/mvnw" --batch-mode --color never "$@" && echo "BUILD COMPLETE"; } 2>&1 | tee "$log" |
    sed -nu 's/^\[INFO\] Building Outboard: \(.*\) [0-9][^ ]* *\(\[[0-9/]*\]\)$/  \2 \1/p'
  if ! grep -q 'BUILD COMPLETE$' "$log"; then
    grep '^\[ERROR\]' "$log" | head -40 >&2
    fail "the build failed; the whole log is in $log"
  fi
}
