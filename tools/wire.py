"""The client's types of the wire, `src/salient/web/wire.d.ts`, written from the server's OpenAPI description.

Run `python tools/wire.py` after a change of the server's models; a test tells when the file is not what it should be.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from salient.server.app import build_app
from salient.server.settings import Settings

FILE = Path(__file__).parents[1] / "src/salient/web/wire.d.ts"
API = "/api/"
HEAD = """/** What goes over the wire, written by tools/wire.py from the OpenAPI description: do not edit. */

/** What else a request says: its query, and whose token it carries; `text` if the answer is no JSON. */
export interface More {
  body?: unknown;
  query?: Record<string, string | number | null | undefined>;
  game?: string;
  text?: boolean;
}
"""
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def wire_types() -> str:
    """The whole file."""
    with tempfile.TemporaryDirectory() as folder:
        described = build_app(Settings(data=Path(folder), public=True)).openapi()
    schemas = described["components"]["schemas"]
    calls = [_calls("Get", described["paths"], "get"), _calls("Post", described["paths"], "post")]
    return "\n".join([HEAD, *(_interface(name, schemas[name]) for name in sorted(schemas)), *calls])


def _calls(name: str, paths: dict[str, Any], method: str) -> str:
    """A function with an overload for each route, the longest paths first: a shorter one may begin like them."""
    routes = [path for path, methods in paths.items() if method in methods and path.startswith(API)]
    routes.sort(key=lambda path: (-path.count("/"), path.count("{"), path))
    lines = [f"  {_call(path.removeprefix(API), paths[path][method], method == 'post')}" for path in routes]
    return "\n".join([f"/** What {method.upper()} answers, by path. */", f"export interface {name} {{", *lines, "}\n"])


def _call(path: str, route: dict[str, Any], has_body: bool) -> str:
    where = "`" + re.sub(r"\{[^}]+\}", "${string}", path) + "`" if "{" in path else f'"{path}"'
    given = f"path: {where}" + (f", body: {_body(route)}" if has_body else "")
    return f"({given}, more?: More): Promise<{_answer(route)}>;"


def _body(route: dict[str, Any]) -> str:
    return _type(route["requestBody"]["content"]["application/json"]["schema"]) if "requestBody" in route else "{}"


def _answer(route: dict[str, Any]) -> str:
    """What a success brings: a value, a text, or nothing."""
    done = next(answer for status, answer in route["responses"].items() if status.startswith("2"))
    content = done.get("content", {})
    if "application/json" in content:
        return _type(content["application/json"]["schema"])
    return "string" if content else "null"


def _interface(name: str, schema: dict[str, Any]) -> str:
    if "properties" not in schema:
        return f"export type {name} = {_type(schema)};\n"
    said = f"/** {schema['description'].strip().partition(chr(10))[0]} */\n" if "description" in schema else ""
    return f"{said}export interface {name} {_members(schema)}\n"


def _members(schema: dict[str, Any]) -> str:
    required = schema.get("required", ())
    lines = [
        f"  {key}{'' if key in required else '?'}: {_type(part)};" for key, part in schema.get("properties", {}).items()
    ]
    if schema.get("additionalProperties") is True:
        lines.append("  [key: string]: any;")
    return "\n".join(["{", *lines, "}"])


def _type(schema: dict[str, Any]) -> str:
    """The type of a value, in TypeScript."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema or "enum" in schema:
        return " | ".join(_literal(value) for value in schema.get("enum", [schema.get("const")]))
    if parts := schema.get("anyOf") or schema.get("oneOf"):
        return " | ".join(dict.fromkeys(_type(part) for part in parts))
    if "prefixItems" in schema:
        return "[" + ", ".join(_type(part) for part in schema["prefixItems"]) + "]"
    if schema.get("type") == "array":
        item = _type(schema.get("items", {}))
        return f"({item})[]" if " " in item else f"{item}[]"
    if schema.get("type") == "object":
        return f"Record<string, {_values(schema.get('additionalProperties', True))}>"
    return PLAIN.get(schema.get("type", ""), "any")


def _values(schema: dict[str, Any] | bool) -> str:
    return "any" if isinstance(schema, bool) else _type(schema)


def _literal(value: object) -> str:
    return "true" if value is True else "false" if value is False else f'"{value}"'


if __name__ == "__main__":
    text = wire_types()
    FILE.write_text(text, "utf-8")
    sys.stdout.write(f"{FILE.name}: {text.count('export ')} types\n")
