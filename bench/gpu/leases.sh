# SPDX-License-Identifier: Apache-2.0
# Sourced by scripts of this folder, which lies in 'here': a backend of the script's own, which ends
# with it, and leases of that backend. 'folder' is for files, and goes too.

outboard=$here/../../../bin/outboard
[ -x "$outboard" ] || outboard=$here/../../../outboard
folder=$(mktemp -d)
backend=
end() {
  [ -z "$backend" ] || kill "$backend" 2>/dev/null || :
  wait
  rm -rf "$folder"
}
trap end EXIT
trap 'exit 1' INT TERM

# serve DEVICE: starts the backend; nothing of the caller's own one is used.
serve() {
  unset OUTBOARD_TOKEN
  export OUTBOARD="unix:$folder/socket"
  "$outboard" serve --device "$1" --listen "$OUTBOARD" --state "$folder/state" \
    >"$folder/serve" 2>"$folder/log" &
  backend=$!
  until grep -q ' at ' "$folder/serve"; do
    kill -0 "$backend" 2>/dev/null || {
      cat "$folder/log" >&2
      exit 1
    }
    sleep 0.2
  done
}

# lease FILE OPTION...: the variables of a lease go to FILE, its id to FILE.id.
lease() {
  file=$1
  shift
  "$outboard" lease --for 1h "$@" >"$file" 2>"$file.told"
  sed -n 's/.*lease \([0-9a-f]*\) is granted.*/\1/p' "$file.told" >"$file.id"
}

release() {
  "$outboard" release "$(cat "$1.id")" >/dev/null
}
