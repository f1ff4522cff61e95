# SPDX-License-Identifier: Apache-2.0
# The commands that need no virtual machine, and how the others start one. Sourced by the launcher,
# in the sources and in the server's tarball, which sets:
#   root   the folder of the launcher      java  the program of that name
#   program  the launcher itself
#   jar    the command's classes           tools the folder of outboard-run and outboard-where
#   cache  what the virtual machine remembers of earlier runs (may be missing)
#   libraries  the folder of liboutboard.so
#   plugins  the folder of plug-ins (may be missing), unless the user names another one
#   example  a program that can be tried (may be missing)
#   installed  true where the sources are not here (may be missing)

fail() {
  echo "outboard: $*" >&2
  exit 1
}

usage_error() {
  echo "outboard: $*" >&2
  echo "Try 'outboard --help'." >&2
  exit 2
}

# A virtual machine with fewer files ends in the middle of its start; a backend wants some for each
# program.
check_files() {
  files=$(ulimit -n)
  if [ "$files" != unlimited ] && [ "$files" -lt 64 ]; then
    fail "a process may have $files open files here (ulimit -n), which is too few for Outboard: try 'ulimit -n 1024', or LimitNOFILE= of a unit"
  fi
}

# check_folder FOLDER: that of the launcher. A colon there ends an entry of Java's class path, a
# semicolon one of the loader's path, and the end of a line an option: none of them has a way to
# write such a character.
check_folder() {
  case $1 in
    *[:\;]* | *"
"*) fail "the folder '$1' has a colon, a semicolon or the end of a line in its name, which neither Java nor the loader of libraries can be told: move it" ;;
  esac
}

# machine COMMAND ARGUMENT...: calls COMMAND with the options of every virtual machine that is
# started, then ARGUMENT...: small heaps, quick starts, and no thread that looks at monitors four
# times a second, which is half of what an idle backend costs.
machine() {
  to=$1
  shift
  "$to" -XX:+UseSerialGC -XX:-UsePerfData -XX:+UnlockDiagnosticVMOptions -XX:AsyncDeflationInterval=10000 \
    --enable-native-access=ALL-UNNAMED "$@"
}

# cached NAME COMMAND ARGUMENT...: the same, with what the build's training run wrote down, if it
# did; "auto": an unfit cache is no error. While training, it is written.
cached() {
  file=$cache/$1.aot next=$2
  shift 2
  if [ -n "${training:-}" ]; then
    # Without the virtual machine's own code, which is for the processor of this machine: on an
    # older one it would be no instruction.
    set -- "-XX:AOTCacheOutput=$file" -XX:-AOTAdapterCaching -XX:-AOTStubCaching "$@"
  elif [ -f "$file" ]; then
    set -- "-XX:AOTCache=$file" -XX:AOTMode=auto -Xlog:aot=off -Xlog:cds=off "$@"
  fi
  machine "$next" "$@"
}

lines() {
  printf '%s\n' "$@"
}

# The options of workers, one a line. They compile kernels, and so want the whole compiler.
worker_options() {
  cached worker lines ${training:+-Doutboard.training=true}
}

# The meaning of outboard-where's status 3.
others="/run/outboard/outboard.sock is not for this user: ask its operator for a lease and a URI, or to be in the socket's group"

# A process that lives for a moment is not worth the optimising compiler; encryption is.
tiers=-XX:TieredStopAtLevel=1

# start_java NAME CLASS ARGUMENT...: becomes the virtual machine; NAME is that of its cache.
start_java() {
  name=$1
  shift
  cached "$name" become ${tiers:+"$tiers"} \
    "-Doutboard.worker.options=$(worker_options)" "-Doutboard.libraries=$libraries" \
    "-Doutboard.example=${example:-}" "-Doutboard.installed=${installed:-false}" \
    -cp "$jar${adapter:+:$(dirname "$jar")/lib/$adapter/*}" "$@"
}

become() {
  exec ${launch:+"$launch"} "$java" "$@"
}

java_command() {
  start_java command io.outboard.cli.Outboard "$@"
}

# bench FOLDER ARGUMENT...: becomes the benchmark in FOLDER, which has its classes and what 'bench
# gpu' runs.
bench() {
  folder=$1
  shift
  machine become --sun-misc-unsafe-memory-access=allow -Dstdout.encoding=UTF-8 "-Doutboard.home=$root" \
    "-Doutboard.launcher=$program" "-Doutboard.tools=$tools" "-Doutboard.programs=$folder/gpu" -jar "$folder/outboard-bench.jar" "$@"
}

wants_help() {
  case ${1:-} in
    -h | --help | -V | --version) return 0 ;;
  esac
  return 1
}

# embed DEVICE [WORKERS]: starts a backend that ends with this process, which becomes the program,
# and sets OUTBOARD to it. The backend says where it listens on a pipe; should it die instead, the
# pipe ends.
embed() {
  folder=$(mktemp -d "${TMPDIR:-/tmp}/outboard.XXXXXX")
  mkfifo -m 600 "$folder/ready"
  # From a shell that ends: the backend is none of the program's children, for which it may wait.
  (start_embedded "$$" "$folder" "$1" "${2:-1}" >"$folder/ready" </dev/null &)
  read -r OUTBOARD <"$folder/ready" || OUTBOARD="failed 1"
  case $OUTBOARD in
    failed*)
      rm -rf "$folder"
      echo "outboard: the backend for this program did not start" >&2
      exit "${OUTBOARD#failed }"
      ;;
  esac
  rm "$folder/ready"
  check=--no-check
  OUTBOARD_FROM="$OUTBOARD a backend of this program's own"
  export OUTBOARD OUTBOARD_FROM
}

# Where no backend is found. That of this machine may be there for others: a user who counts on it
# is told.
find_or_embed() {
  status=0
  "$tools/outboard-where" >/dev/null || status=$?
  [ "$status" -ne 0 ] || return 0
  [ "$status" -ne 3 ] || echo "outboard: $others; this program gets a backend of its own" >&2
  embed auto
}

# In a session of its own: the terminal's signals are the program's.
start_embedded() {
  launch=setsid
  start_java embedded io.outboard.cli.serve.Embedded "$@"
}

# use_lease LEASE: its token, which may be what is given; else the backend is asked. A broker names
# the node that has the lease, too: the program goes straight there.
use_lease() {
  if [ "${#1}" -eq 64 ]; then
    OUTBOARD_TOKEN=$1
  else
    place=$(java_command leases --place ${on:+--on "$on"} -- "$1") || exit $?
    OUTBOARD_TOKEN=${place%% *}
    case $place in
      *' '*) on=${place#* } ;;
    esac
  fi
  export OUTBOARD_TOKEN
}

# use_site NAME: where that is, its token, and whom it has to prove itself to.
use_site() {
  lines=$(java_command sites --variables "$1") || exit $?
  eval "$lines"
  on=$OUTBOARD
}

# set_file VARIABLE FILE: for this process and those that it starts, wherever they go.
set_file() {
  case $2 in
    /*) export "$1=$2" ;;
    *) export "$1=$(pwd)/$2" ;;
  esac
}

run() {
  if wants_help "${1:-}"; then
    java_command run "$1"
  fi
  on= site= device= trace= log= report= keep= opengl= lease= check= verbose=
  while [ $# -gt 0 ]; do
    case $1 in
      --on | --site | --device | --trace | --log | --lease | --ca | --cert | --key) [ $# -ge 2 ] || usage_error "$1 wants a value" ;;
    esac
    case $1 in
      --on) on=$2; shift 2 ;;
      --on=*) on=${1#--on=}; shift ;;
      --site) site=$2; shift 2 ;;
      --site=*) site=${1#--site=}; shift ;;
      --device) device=$2; shift 2 ;;
      --lease) lease=$2; shift 2 ;;
      --lease=*) lease=${1#--lease=}; shift ;;
      --device=*) device=${1#--device=}; shift ;;
      --trace) trace=$2; shift 2 ;;
      --trace=*) trace=${1#--trace=}; shift ;;
      --log) log=$2; shift 2 ;;
      --log=*) log=${1#--log=}; shift ;;
      --ca) set_file OUTBOARD_CA "$2"; shift 2 ;;
      --ca=*) set_file OUTBOARD_CA "${1#--ca=}"; shift ;;
      --cert) set_file OUTBOARD_CERT "$2"; shift 2 ;;
      --cert=*) set_file OUTBOARD_CERT "${1#--cert=}"; shift ;;
      --key) set_file OUTBOARD_KEY "$2"; shift 2 ;;
      --key=*) set_file OUTBOARD_KEY "${1#--key=}"; shift ;;
      --report) report=yes; shift ;;
      --verbose) verbose=yes; shift ;;
      --no-check) check=--no-check; shift ;;
      --keep-local) keep=yes; shift ;;
      --opengl) opengl=yes; shift ;;
      --) shift; break ;;
      # Java knows which one was meant.
      -*) java_command run "$1" -- "${2:-program}" ;;
      *) break ;;
    esac
  done
  [ $# -gt 0 ] || usage_error "run which program?"
  [ -z "$on" ] || [ -z "$device" ] || usage_error "--device is for a backend of the program's own, --on names one that serves already"
  [ -z "$site" ] || [ -z "$on$device" ] || usage_error "--site names a backend that serves already: without --on and --device"
  [ -z "$lease" ] || [ -z "$device" ] || usage_error "--lease is of a backend that serves already"
  [ -z "$site" ] || use_site "$site"
  [ -z "$lease" ] || use_lease "$lease"
  if [ -n "$on" ]; then
    start_program --on "$on" -- "$@"
  fi
  if [ -n "$device" ]; then
    embed "$device"
  else
    find_or_embed
  fi
  start_program -- "$@"
}

# with_lease COMMAND ARGUMENT...: becomes what uses a lease: a container engine's command, or a
# program. A process in the background takes the lease, says on its standard output what this one
# becomes, and stays until that has ended. It says nothing where it was used in a wrong way; texts
# for people, as those of --help, do not begin with its mark.
with_lease() {
  if wants_help "${2:-}"; then
    java_command "$1" "$2"
  fi
  check='' verbose='' keep='' opengl='' trace='' log='' report=''
  said=$(keep_lease "$@" </dev/null)
  case $said in
    '#outboard
'*) eval "$said" ;;
    '') exit 2 ;;
    *) lines "$said"; exit 0 ;;
  esac
}

# In a session of its own: the terminal's signals are the program's.
keep_lease() {
  command=$1 part=
  shift
  [ "$command" != offload ] || { part=$1; shift; }
  (launch=setsid; java_command "$command" ${part:+"$part"} --become "$$" "$@" &)
}

# start_program [--on URI] -- PROGRAM [ARGUMENT]...: with the options of 'run'.
start_program() {
  exec "$tools/outboard-run" ${check:+"$check"} ${verbose:+--verbose} ${keep:+--keep-local} \
    ${opengl:+--opengl} \
    ${trace:+--trace "$trace"} ${log:+--log "$log"} ${report:+--report} "$@"
}

# The tunnel to a backend through ssh is outboard-run's.
devices() {
  on= json=
  while [ $# -gt 0 ]; do
    case $1 in
      --on) [ $# -ge 2 ] || usage_error "--on wants a value"; on=$2; shift 2 ;;
      --on=*) on=${1#--on=}; shift ;;
      --json) json=yes; shift ;;
      *) java_command devices ${on:+--on "$on"} ${json:+--json} "$@" ;;
    esac
  done
  case ${on:-$("$tools/outboard-where")} in
    ssh://*) exec "$tools/outboard-run" ${on:+--on "$on"} -- "$program" devices ${json:+--json} ;;
  esac
  java_command devices ${on:+--on "$on"} ${json:+--json}
}

# A value as a word of the shell.
quoted() {
  printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"
}

# A shell that evaluates what a command prints does not see the command's status: the last line is
# one that fails.
environment() {
  if wants_help "${1:-}"; then
    java_command env "$1"
  fi
  status=0
  lines=$(environment_lines "$@") || status=$?
  [ "$status" -eq 0 ] || lines=false
  printf '%s\n' "$lines" 2>/dev/null || fail "standard output cannot be written"
  exit "$status"
}

environment_lines() {
  case ${1:-} in
    '') on=$("$tools/outboard-where" --check | sed -n 1p); [ -n "$on" ] || exit 1 ;;
    --on) [ $# -eq 2 ] || usage_error "--on wants a URI"; on=$2 ;;
    --on=*) on=${1#--on=} ;;
    *) java_command env "$1" ;;
  esac
  case $on in
    ssh://* | tls://*) fail "what reaches $on must end with something: use 'outboard run --on $on'" ;;
  esac
  [ -z "$on" ] || printf 'export OUTBOARD=%s\n' "$(quoted "$on")"
  # It knows which URIs there are; what connects to virtio: would have to end with something, too.
  case $on in
    virtio:* | relay:* | tunnel:*) on= ;;
  esac
  # shellcheck disable=SC2016 # for the shell that is run
  variables=$("$tools/outboard-run" --no-check ${on:+--on "$on"} -- sh -c '
    for name in LD_LIBRARY_PATH LD_PRELOAD OCL_ICD_VENDORS OPENCL_VENDOR_PATH; do
      eval "[ -z \"\${$name:-}\" ] || printf \"%s %s\\n\" $name \"\$$name\""
    done') || exit $?
  printf '%s\n' "$variables" |
    while read -r name value; do
      printf 'export %s=%s\n' "$name" "$(quoted "$value")"
    done
}

# The commands of every launcher, built or not.
outboard_command() {
  OUTBOARD_PLUGINS=${OUTBOARD_PLUGINS:-${plugins:-}}
  export OUTBOARD_PLUGINS
  case ${1:-} in
    run | devices)
      command=$1
      shift
      "$command" "$@"
      ;;
    docker | podman | apptainer | lxc-execute | lxc-attach) with_lease "$@" ;;
    lease)
      case " $* " in
        *' -- '*) with_lease "$@" ;;
        *) java_command "$@" ;;
      esac
      ;;
    offload)
      case "$* " in
        'offload workers '*' -- '*) with_lease "$@" ;;
        *) java_command "$@" ;;
      esac
      ;;
    env)
      shift
      environment "$@"
      ;;
    kubernetes)
      # Nobody else waits for the jars of its client.
      adapter=$1
      java_command "$@"
      ;;
    serve | broker)
      case $* in
        *tls://* | *https://* | *--config*) tiers= ;;
      esac
      java_command "$@"
      ;;
    *) java_command "$@" ;;
  esac
}
