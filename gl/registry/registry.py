# SPDX-License-Identifier: Apache-2.0
"""Khronos' registry of OpenGL, as far as the interfaces of the module need it."""
import re
import xml.etree.ElementTree as ElementTree

SCALARS = {
    "GLenum": "INT", "GLbitfield": "INT", "GLint": "INT", "GLuint": "INT", "GLsizei": "INT",
    "GLfixed": "INT", "GLclampx": "INT", "GLboolean": "BYTE", "GLbyte": "BYTE",
    "GLubyte": "BYTE", "GLchar": "BYTE", "GLcharARB": "BYTE", "GLshort": "SHORT",
    "GLushort": "SHORT", "GLhalfNV": "SHORT", "GLfloat": "FLOAT", "GLclampf": "FLOAT",
    "GLdouble": "DOUBLE", "GLclampd": "DOUBLE", "GLintptr": "LONG", "GLsizeiptr": "LONG",
    "GLintptrARB": "LONG", "GLsizeiptrARB": "LONG", "GLint64": "LONG", "GLuint64": "LONG",
    "GLint64EXT": "LONG", "GLuint64EXT": "LONG", "GLhandleARB": "INT",
}


class Parameter:
    def __init__(self, node):
        self.name = node.find("name").text
        text = "".join(node.itertext())
        self.declaration = " ".join(text.split())
        self.type = self.declaration[: -len(self.name)].strip()
        named = node.find("ptype")
        self.base = named.text if named is not None else "void"
        self.length = node.get("len", "")

    @property
    def depth(self):
        return self.type.count("*")

    @property
    def read(self):
        return self.type.startswith("const")


class Command:
    def __init__(self, node):
        prototype = node.find("proto")
        self.name = prototype.find("name").text
        text = " ".join("".join(prototype.itertext()).split())
        self.type = text[: -len(self.name)].strip()
        self.parameters = [Parameter(p) for p in node.findall("param")]
        alias = node.find("alias")
        self.alias = alias.get("name") if alias is not None else None


def commands_of(node):
    return [c.get("name") for r in node.findall("require") for c in r.findall("command")]


class Registry:
    def __init__(self, path):
        root = ElementTree.parse(path).getroot()
        self.commands = {}
        for node in root.find("commands").findall("command"):
            command = Command(node)
            self.commands[command.name] = command
        self.versions = {}
        self.first = {}
        for feature in root.findall("feature"):
            names = commands_of(feature)
            self.versions[(feature.get("api"), feature.get("number"))] = names
            for name in names:
                self.first.setdefault(name, (feature.get("api"), feature.get("number")))
        self.removed = {
            command.get("name")
            for feature in root.findall("feature")
            if feature.get("api") == "gl"
            for removed in feature.findall("remove")
            for command in removed.findall("command")
        }
        self.extensions = {
            e.get("name"): commands_of(e)
            for e in root.find("extensions").findall("extension")
        }

    def until(self, api, number):
        """The commands of all versions of an API up to one, in the order of the registry."""
        found = {}
        for (its, version), names in self.versions.items():
            if its == api and float(version) <= float(number):
                found.update(dict.fromkeys(names))
        return list(found)
