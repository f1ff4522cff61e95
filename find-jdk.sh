# Sourced by outboard and mvnw: sets JAVA_HOME to a JDK 25 or newer, or says what to install.

outboard_is_jdk25() {
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] || return 1
  major=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release" 2>/dev/null)
  [ "${major:-0}" -ge 25 ]
}

# The folder of the JDK whose compiler is first on PATH, through the links that distributions make;
# else nothing.
outboard_jdk_on_path() {
  compiler=$(command -v javac) && compiler=$(readlink -f "$compiler") || return 0
  compiler=${compiler%/*}
  printf '%s\n' "${compiler%/*}"
}

# HOME may be unset.
outboard_find_jdk() {
  for candidate in "${JAVA_HOME:-}" "$(outboard_jdk_on_path)" /usr/lib/jvm/*25* /usr/lib/jvm/* /opt/java/* /opt/jdk* \
    "${HOME:-/nonexistent}"/.sdkman/candidates/java/*; do
    if [ -n "$candidate" ] && outboard_is_jdk25 "$candidate"; then
      JAVA_HOME=$candidate
      export JAVA_HOME
      return 0
    fi
  done
  echo "outboard: no JDK 25 found (looked at JAVA_HOME, PATH, /usr/lib/jvm, /opt, ~/.sdkman)." >&2
  echo "outboard: install one, for example 'apt-get install temurin-25-jdk' or 'openjdk-25-jdk', or set JAVA_HOME." >&2
  return 1
}
