# SPDX-License-Identifier: Apache-2.0
"""Makes an image for containerd: image.py NAME FILE TAR PROGRAM, of the root in the file TAR."""

import hashlib
import io
import json
import sys
import tarfile


def main(name, file, root, *command):
    with open(root, "rb") as opened:
        layer = opened.read()
    digest = "sha256:" + hashlib.sha256(layer).hexdigest()
    config = {
        "architecture": "amd64",
        "os": "linux",
        "config": {"Cmd": command, "Env": ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"]},
        "rootfs": {"type": "layers", "diff_ids": [digest]},
    }
    text = json.dumps(config).encode()
    place = hashlib.sha256(text).hexdigest() + ".json"
    manifest = [{"Config": place, "RepoTags": [name], "Layers": ["layer.tar"]}]
    with tarfile.open(file, "w") as image:
        for entry, data in (
            (place, text),
            ("layer.tar", layer),
            ("manifest.json", json.dumps(manifest).encode()),
        ):
            info = tarfile.TarInfo(entry)
            info.size = len(data)
            image.addfile(info, io.BytesIO(data))


main(*sys.argv[1:])
