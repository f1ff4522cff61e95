#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: train.sh HOME JAVA CLASSES PROGRAM
# Runs PROGRAM on an embedded backend whose virtual machines write down, as they end, what they loaded: HOME/target/cache/*.aot, with
# which later ones start sooner (JEP 483, 514).
set -eu
root=$1 java=$2 jar=$3 program=$4
tools=$root/frontend/target/bin
libraries=$root/frontend/target/lib
cache=$root/target/cache
training=yes
. "$root/cli/sh/commands.sh"

# The file appears whole, once a process of its own has made it from the record.
await() {
  tries=0
  until [ -f "$cache/$1.aot" ] && [ ! -f "$cache/$1.aot.config" ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || fail "$cache/$1.aot does not appear"
    sleep 0.1
  done
}

# In a shell of its own, with whose end the backend ends.
record() {
  embed software 0
  (java_command devices)
  await worker
  rm "$cache/worker.aot"
  "$tools/outboard-run" -- "$program"
  await worker
}

if [ "${5:-}" = record ]; then
  record
else
  rm -rf "$cache"
  mkdir -p "$cache"
  sh "$0" "$@" record
  await embedded
  await command
fi
