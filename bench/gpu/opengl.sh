#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Frames that are drawn off-screen on a GPU machine: natively, over shared memory and over TCP, in
# turns.
# usage: S=UNPACKED_SERVER OUT=FOLDER [GLVND=FOLDER] [TURNS=3] bash opengl.sh [DEVICE]
# GLVND has libEGL.so.1 and libGLdispatch.so.0 with the others of libglvnd where the machine lacks
# them. DEVICE is for 'serve --device': a software GPU, with Mesa on processors.
# Writes OUT/opengl.tsv (what, way, turn, µs a frame) and prints it. Before that the buffers and
# textures that CUDA shares are checked in each way. Needs the server's tarball, made by
# 'outboard dist' with what 'make -C bench/gpu' builds, and a shell.
set -u
: "${S:?}" "${OUT:?}"
DEVICE=${1:-} TABLE=$OUT/opengl.tsv PROGRAMS=$S/lib/bench/gpu
HOME_=$(mktemp -d) PORT=${PORT:-17933}
mkdir -p "$HOME_/outboard" && chmod 700 "$HOME_/outboard"
export XDG_RUNTIME_DIR=$HOME_ XDG_CACHE_HOME=$HOME_/cache
[ -z "${GLVND:-}" ] || export LD_LIBRARY_PATH=$GLVND
{ nvidia-smi --query-gpu=name,driver_version --format=csv,noheader || uname -m; } 2>/dev/null |
  sed 's/^/# /' | tee "$TABLE"
echo "# $(nproc) processors, $(date -u '+%F %H:%M')" | tee -a "$TABLE"

"$S/bin/outboard" serve --opengl ${DEVICE:+"--device=$DEVICE"} \
  "--listen=unix:$HOME_/outboard/outboard.sock" "--listen=tcp://127.0.0.1:$PORT" \
  >"$OUT/serve.out" 2>"$OUT/serve.log" &
SERVER=$!
trap 'kill $SERVER; wait; rm -rf "$HOME_"' EXIT
for _ in $(seq 100); do [ "$(grep -c ' at ' "$OUT/serve.out")" -ge 2 ] && break; sleep 0.2; done
TOKEN=$(cat "$HOME_/outboard/token")

# way NAME PROGRAM...: becomes the program.
way() {
  name=$1; shift
  case $name in
    native) exec "$@" ;;
    shm) on=shm:$HOME_/outboard/outboard.sock ;;
    tcp) on=tcp://127.0.0.1:$PORT; export OUTBOARD_TOKEN=$TOKEN ;;
  esac
  exec "$S/bin/outboard" run --opengl --on "$on" -- "$@"
}

WAYS='native shm tcp'
[ -z "$DEVICE" ] || WAYS='shm tcp'
for name in $WAYS; do
  for what in buffer stream image; do
    if (way "$name" timeout 60 "$PROGRAMS/graphics" "$what") >>"$OUT/errors" 2>&1; then
      echo "# graphics $what, $name: ok"
    else
      echo "# graphics $what, $name: FAILED"
    fi | tee -a "$TABLE"
  done
done
for turn in $(seq "${TURNS:-3}"); do
  for what in small full shared; do
    for name in $WAYS; do
      us=$( (way "$name" timeout 60 "$PROGRAMS/opengl" "$what" 200) 2>>"$OUT/errors" |
        sed -n 's/.*"value":\(.*\)}$/\1/p')
      printf '%s\t%s\t%s\t%s\n' "$what" "$name" "$turn" "${us:-failed}" | tee -a "$TABLE"
    done
  done
done
