#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: wheel.sh HOME JDK VERSION ARCHITECTURE FRONTEND CLIENT FOLDER
# Makes a Python wheel of the tarball CLIENT in FOLDER, without Python: with a JDK and what is in
# the sources' folder HOME. Instead of the tarball's links it has what was built for that in the
# folder FRONTEND. Prints the wheel's file.
set -eu
root=$1 jdk=$2 version=$3 architecture=$4 frontend=$5 client=$6 folder=$7
# Python has versions of its own (PEP 440), and a hyphen ends one in the file's name.
case $version in
  *-SNAPSHOT) version=${version%-SNAPSHOT}.dev0 ;;
esac
case $version in
  *[!0-9a-z.]* | [!0-9]*)
    echo "outboard: no wheel is made: Python has no version '$version'" >&2
    exit 1
    ;;
esac
tag=py3-none-manylinux_2_17_$architecture
wheel=$folder/outboard-$version-$tag.whl
staging=$(mktemp -d "${TMPDIR:-/tmp}/outboard-wheel.XXXXXX")
trap 'rm -rf "$staging"' EXIT
umask 022

package=$staging/wheel/outboard
information=$staging/wheel/outboard-$version.dist-info
mkdir -p "$package/client" "$information"
(cd "$root/adapters/python/outboard" && find . -name '*.py' -o -name py.typed) | sort | while read -r file; do
  mkdir -p "$package/$(dirname "$file")"
  cp "$root/adapters/python/outboard/$file" "$package/$file"
done
tar -C "$package/client" --strip-components=1 -xzf "$client"
# A wheel holds no links.
find "$package/client" -type l | while read -r link; do
  rm "$link"
  cp "$frontend/forward/${link#"$package/client/lib/"}" "$link"
done
cp "$root/LICENSE" "$information/"
cat >"$information/WHEEL" <<END
Wheel-Version: 1.0
Generator: outboard dist
Root-Is-Purelib: false
Tag: $tag
END
cat >"$information/entry_points.txt" <<END
[console_scripts]
outboard-run = outboard.__main__:run
outboard-where = outboard.__main__:where
outboard-connect = outboard.__main__:connect
jupyter-outboard = outboard.jupyter.__main__:main

[jupyter_client.kernel_provisioners]
outboard-provisioner = outboard.jupyter.provisioner:OutboardProvisioner
END
cat >"$information/METADATA" <<END
Metadata-Version: 2.1
Name: outboard
Version: $version
Summary: Runs unmodified CUDA and OpenCL programs on GPUs that are somewhere else
License: Apache-2.0
License-File: LICENSE
Platform: linux
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Requires-Python: >=3.8
Description-Content-Type: text/plain

The GPU is where 'outboard serve' runs:

  outboard-run --on tls://HOST -- python train.py
  python -m outboard --on tls://HOST -- python train.py

Or in Python, with OUTBOARD_API and OUTBOARD_API_TOKEN of a pool: 'import outboard; with outboard.lease(gpus=1): ...'.
Kernels of Jupyter: 'jupyter outboard install --gpus 1'.

For TLS and TCP, set OUTBOARD_TOKEN to the backend's token; 'outboard serve' says which file it is in. 'outboard-run --help' says the rest.
END
mkdir -p "$folder"
"$jdk/bin/java" "$root/cli/wheel/Wheel.java" "$staging/wheel" "$wheel"
echo "$wheel"
