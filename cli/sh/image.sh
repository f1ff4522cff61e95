#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: image.sh BASE TARBALL NAME:TAG FILE ENTRYPOINT [WORD...]
# Makes an image for containers, FILE, of a root in the tar file BASE and of what TARBALL has, which
# is in /opt/outboard: it starts ENTRYPOINT, and with WORDs where nothing else is said. It needs no
# container engine. The file has both the layout of the OCI image specification, which Podman and
# newer Docker load, and Docker's own manifest, for older ones.
set -eu
base=$1 tarball=$2 name=$3 file=$4
shift 4
case $(uname -m) in
  x86_64) processor=amd64 ;;
  aarch64) processor=arm64 ;;
  *) processor=$(uname -m) ;;
esac
staging=$(mktemp -d "${TMPDIR:-/tmp}/outboard-image.XXXXXX")
trap 'rm -rf "$staging"' EXIT
blobs=$staging/image/blobs/sha256
mkdir -p "$blobs" "$staging/data/opt/outboard"

digest() {
  sha256sum "$1" | cut -d' ' -f1
}

# keep FILE: among the blobs, by its digest
keep() {
  kept=$(digest "$1")
  size=$(wc -c <"$1")
  mv "$1" "$blobs/$kept"
}

# words WORD...: as JSON has a list of strings
words() {
  separator=
  for word; do
    printf '%s"%s"' "$separator" "$(printf '%s' "$word" | sed 's/[\\"]/\\&/g')"
    separator=,
  done
}

# blob TYPE: the description of what was kept last
blob() {
  printf '{"mediaType":"application/vnd.oci.image.%s","digest":"sha256:%s","size":%d}' "$1" "$kept" "$size"
}

case $(od -An -tx1 -N2 "$base" | tr -d ' ') in
  1f8b) gzip -dc "$base" >"$staging/layer" ;;
  *) cp "$base" "$staging/layer" ;;
esac
fail() {
  echo "image.sh: $*" >&2
  exit 1
}

tar -tf "$staging/layer" >"$staging/names" || fail "$base is no tar file"
if grep -q '/ld-musl-' "$staging/names" && ! grep -q '/ld-linux' "$staging/names"; then
  fail "$base has musl and no glibc: Outboard's libraries, as NVIDIA's, need glibc 2.17 or newer"
fi
keep "$staging/layer"
base_digest=$kept
layers=$(blob layer.v1.tar)

tar -C "$staging/data/opt/outboard" --strip-components=1 -xzf "$tarball"
tar -C "$staging/data" --owner=0 --group=0 --numeric-owner --sort=name -cf "$staging/layer" opt
keep "$staging/layer"
own_digest=$kept
layers=$layers,$(blob layer.v1.tar)

entrypoint=$1
shift
cat >"$staging/config" <<END
{"architecture":"$processor","os":"linux","created":"$(date -u -r "$tarball" +%Y-%m-%dT%H:%M:%SZ)",
"config":{"Env":["PATH=/opt/outboard/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
"Entrypoint":[$(words "$entrypoint")],"Cmd":[$(words "$@")],"WorkingDir":"/",
"Labels":{"org.opencontainers.image.title":"${name%:*}","org.opencontainers.image.version":"${name##*:}","org.opencontainers.image.licenses":"Apache-2.0"}},
"rootfs":{"type":"layers","diff_ids":["sha256:$base_digest","sha256:$own_digest"]}}
END
keep "$staging/config"
config=$kept
config_blob=$(blob config.v1+json)
cat >"$staging/manifest" <<END
{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":$config_blob,"layers":[$layers]}
END
keep "$staging/manifest"
cat >"$staging/image/index.json" <<END
{"schemaVersion":2,"manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:$kept","size":$size,"platform":{"architecture":"$processor","os":"linux"},"annotations":{"org.opencontainers.image.ref.name":"${name##*:}","io.containerd.image.name":"docker.io/library/$name"}}]}
END
echo '{"imageLayoutVersion":"1.0.0"}' >"$staging/image/oci-layout"
cat >"$staging/image/manifest.json" <<END
[{"Config":"blobs/sha256/$config","RepoTags":["$name"],"Layers":["blobs/sha256/$base_digest","blobs/sha256/$own_digest"]}]
END
mkdir -p "$(dirname "$file")"
tar -C "$staging/image" --owner=0 --group=0 --numeric-owner --sort=name -cf - . | gzip -nc >"$file"
