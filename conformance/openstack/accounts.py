# SPDX-License-Identifier: Apache-2.0
"""The catalog, the users and the projects of the small OpenStack, made over Keystone's API."""

import json
import sys
import urllib.request
from typing import Any, Dict, Optional, Tuple

KEYSTONE = sys.argv[1]
ENDPOINTS = dict(word.split("=", 1) for word in sys.argv[2:])
# User, project and roles. The passwords are the names: the services listen on this machine alone.
GRANTS = (
    ("nova", "service", ("admin", "service")),
    ("outboard", "service", ("admin", "service")),
    ("alice", "demo", ("member", "reader")),
    ("bob", "other", ("member", "reader")),
    ("admin", "demo", ("admin", "member")),
)


def ask(
    method: str, path: str, body: Optional[Dict[str, Any]] = None, token: str = ""
) -> Tuple[Any, Dict[str, Any]]:
    headers = {"Content-Type": "application/json"}
    if token:
        headers["X-Auth-Token"] = token
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(KEYSTONE + path, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        text = answer.read()
        return answer.headers, json.loads(text) if text else {}


def sign_in() -> str:
    domain = {"name": "Default"}
    user = {"name": "admin", "domain": domain, "password": "admin"}
    identity = {"methods": ["password"], "password": {"user": user}}
    scope = {"project": {"name": "admin", "domain": domain}}
    headers, _ = ask("POST", "/auth/tokens", {"auth": {"identity": identity, "scope": scope}})
    return str(headers["X-Subject-Token"])


def main() -> None:
    token = sign_in()

    def make(kind: str, **fields: Any) -> str:
        _, made = ask("POST", "/%ss" % kind, {kind: fields}, token)
        return str(made[kind]["id"])

    roles = {role["name"]: role["id"] for role in ask("GET", "/roles", None, token)[1]["roles"]}
    if "service" not in roles:
        roles["service"] = make("role", name="service")
    names = ("service", "demo", "other")
    projects = {name: make("project", name=name, domain_id="default") for name in names}
    admin = ask("GET", "/users?name=admin", None, token)[1]["users"][0]["id"]
    users = {"admin": admin}
    for name, project, granted in GRANTS:
        if name not in users:
            users[name] = make("user", name=name, password=name, domain_id="default")
        for role in granted:
            path = "/projects/%s/users/%s/roles/%s" % (projects[project], users[name], roles[role])
            ask("PUT", path, None, token)
    for kind, url in ENDPOINTS.items():
        service = make("service", name=kind, type=kind, enabled=True)
        for interface in ("public", "internal", "admin"):
            where = {"interface": interface, "region_id": "RegionOne", "url": url}
            make("endpoint", service_id=service, **where)


main()
