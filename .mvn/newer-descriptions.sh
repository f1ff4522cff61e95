# SPDX-License-Identifier: Apache-2.0
# usage: newer-descriptions.sh MODULE
# Removes a module's classes where one of its tables is newer than what was made of it.
set -eu
classes=$1/target/classes
made=$(find "$classes/META-INF/outboard" -name stubs.c 2>/dev/null || :)
if [ -n "$made" ] && [ -n "$(find "$1" -maxdepth 1 -name '*.tsv' -newer "$made")" ]; then
  rm -rf "$classes"
fi
