# SPDX-License-Identifier: Apache-2.0
"""How the scripts here say what they measured: a line of JSON a figure, as the C programs do."""

import json


def figure(name, value):
    print(json.dumps({"figure": name, "value": value}), flush=True)


def note(name, text):
    print(json.dumps({"figure": name, "note": text}), flush=True)
