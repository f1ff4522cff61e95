# SPDX-License-Identifier: Apache-2.0
"""The catalog, the users, the projects and the limits of the small OpenStack, over Keystone's API.

Prints the id of Nova's public endpoint, of which the limits are.
"""

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
    ("carol", "third", ("member", "reader")),
    ("admin", "demo", ("admin", "member")),
)
# For each project, of all that machines ask for: without one it would be nothing.
LIMITS = {
    "servers": 100,
    "class:VCPU": 100,
    "class:MEMORY_MB": 100000,
    "class:DISK_GB": 1000,
    "class:CUSTOM_REMOTE_GPU": 4,
    "class:CUSTOM_REMOTE_GPU_MEMORY_GB": 1000,
    "server_metadata_items": 128,
    "server_injected_files": 5,
    "server_injected_file_content_bytes": 10240,
    "server_injected_file_path_bytes": 255,
    "server_key_pairs": 100,
    "server_groups": 10,
    "server_group_members": 10,
}


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


def sign_in(scope: Dict[str, Any]) -> str:
    domain = {"name": "Default"}
    user = {"name": "admin", "domain": domain, "password": "admin"}
    identity = {"methods": ["password"], "password": {"user": user}}
    headers, _ = ask("POST", "/auth/tokens", {"auth": {"identity": identity, "scope": scope}})
    return str(headers["X-Subject-Token"])


def main() -> None:
    token = sign_in({"project": {"name": "admin", "domain": {"name": "Default"}}})

    def make(kind: str, **fields: Any) -> str:
        _, made = ask("POST", "/%ss" % kind, {kind: fields}, token)
        return str(made[kind]["id"])

    roles = {role["name"]: role["id"] for role in ask("GET", "/roles", None, token)[1]["roles"]}
    if "service" not in roles:
        roles["service"] = make("role", name="service")
    names = ("service", "demo", "other", "third")
    projects = {name: make("project", name=name, domain_id="default") for name in names}
    admin = ask("GET", "/users?name=admin", None, token)[1]["users"][0]["id"]
    users = {"admin": admin}
    for name, project, granted in GRANTS:
        if name not in users:
            users[name] = make("user", name=name, password=name, domain_id="default")
        for role in granted:
            path = "/projects/%s/users/%s/roles/%s" % (projects[project], users[name], roles[role])
            ask("PUT", path, None, token)
    path = "/system/users/%s/roles/%s" % (users["nova"], roles["reader"])
    ask("PUT", path, None, token)
    for kind, url in ENDPOINTS.items():
        service = make("service", name=kind, type=kind, enabled=True)
        for interface in ("internal", "admin", "public"):
            where = {"interface": interface, "region_id": "RegionOne", "url": url}
            endpoint = make("endpoint", service_id=service, **where)
        if kind == "compute":
            limit(service)
            print(endpoint)


def limit(service: str) -> None:
    of = {"service_id": service, "region_id": "RegionOne"}
    limits = [dict(of, resource_name=name, default_limit=most) for name, most in LIMITS.items()]
    token = sign_in({"system": {"all": True}})
    ask("POST", "/registered_limits", {"registered_limits": limits}, token)


main()
