// openapi.json, from the table of routes.
#include <fmt/format.h>

#include "base/check.h"
#include "base/json.h"
#include "serve/service.h"

namespace railyard {

namespace {

constexpr std::string_view kSchemas = R"({
  "Finding": {"type": "object", "required": ["severity", "code", "message", "hint", "file", "line", "column"], "properties": {
    "severity": {"enum": ["note", "warning", "error"]}, "code": {"type": "string", "description": "stable; docs/diagnostics.md"},
    "message": {"type": "string"}, "hint": {"type": "string"}, "file": {"type": "string"},
    "line": {"type": "integer", "description": "from 1; 0: the whole text"}, "column": {"type": "integer"}}},
  "Findings": {"type": "object", "required": ["schema", "diagnostics"], "properties": {
    "schema": {"const": "railyard-findings/1"}, "diagnostics": {"type": "array", "items": {"$ref": "#/components/schemas/Finding"}}}},
  "Run": {"type": "object", "required": ["id", "name", "state", "created_ms", "started_ms", "ended_ms", "share", "now", "diagnostics"],
    "properties": {"id": {"type": "string", "pattern": "^[0-9a-f]{32}$"}, "name": {"type": "string"},
      "state": {"enum": ["queued", "running", "finished", "failed", "cancelled", "lost"]},
      "created_ms": {"type": "integer", "description": "since 1970"}, "started_ms": {"type": "integer", "description": "0: not yet"},
      "ended_ms": {"type": "integer", "description": "0: not yet"}, "share": {"type": "number", "minimum": 0, "maximum": 1},
      "now": {"type": "string", "description": "what it is at"},
      "diagnostics": {"type": "array", "items": {"$ref": "#/components/schemas/Finding"}}}},
  "Runs": {"type": "object", "required": ["runs"], "properties": {"runs": {"type": "array", "items": {"$ref": "#/components/schemas/Run"}}}},
  "Presets": {"type": "object", "required": ["presets"], "properties": {"presets": {"type": "array", "items": {"type": "object",
    "required": ["name", "title"], "properties": {"name": {"type": "string"}, "title": {"type": "string"}}}}}},
  "Keys": {"type": "object", "required": ["sections"], "properties": {"sections": {"type": "array", "items": {"type": "object",
    "required": ["path", "help", "keys"], "properties": {"path": {"type": "string"}, "is_list": {"type": "boolean"}, "help": {"type": "string"},
      "keys": {"type": "array", "items": {"type": "object", "required": ["name", "type", "default", "help", "values"]}}}}}}},
  "Status": {"type": "object", "required": ["railyard", "queued", "running", "runs", "parallel", "queue"]},
  "Results": {"type": "object", "description": "docs/results.md"},
  "Differences": {"type": "object", "required": ["schema", "pairs"], "properties": {"schema": {"const": "railyard-differences/1"}}}
})";

Document text_of(std::string_view text) { return Document(std::string(text)); }

Document reference(std::string_view schema) {
  Document out = Document::object();
  out.set("$ref", Document(fmt::format("#/components/schemas/{}", schema)));
  return out;
}

Document string_schema() {
  Document out = Document::object();
  out.set("type", text_of("string"));
  return out;
}

Document content_of(std::string_view type, std::string_view schema) {
  Document out = Document::object();
  out.set(type, Document::object()).set("schema", schema.empty() ? string_schema() : reference(schema));
  return out;
}

Document replies_of(const Route& route) {
  Document out = Document::object();
  const auto add = [&](const Reply& reply) {
    Document& one = out.set(std::to_string(reply.status), Document::object());
    one.set("description", text_of(reply.what));
    if (!reply.type.empty()) one.set("content", content_of(reply.type, reply.schema));
  };
  for (const Reply& reply : route.replies) add(reply);
  if (route.path.starts_with("/api/")) add({401, "application/json", "Findings", "the token is missing or wrong (RY-WEB-005)"});
  add({403, "application/json", "Findings", "another name or another site's page asked (RY-WEB-003, RY-WEB-004)"});
  return out;
}

Document parameter(std::string_view name, std::string_view place) {
  Document out = Document::object();
  out.set("name", text_of(name));
  out.set("in", text_of(place));
  out.set("required", Document(true));
  out.set("schema", string_schema());
  return out;
}

Document operation(const Route& route) {
  Document out = Document::object();
  out.set("operationId", text_of(route.name));
  out.set("summary", text_of(route.summary));
  Document parameters = Document::array();
  if (route.path.find("{id}") != std::string_view::npos) parameters.push(parameter("id", "path"));
  for (const std::string_view name : route.asks) parameters.push(parameter(name, "query"));
  if (!parameters.items()->empty()) out.set("parameters", std::move(parameters));
  if (!route.takes.empty()) {
    Document& body = out.set("requestBody", Document::object());
    body.set("required", Document(true));
    body.set("content", content_of(route.takes, {}));
  }
  out.set("responses", replies_of(route));
  return out;
}

std::string method_name(std::string_view method) { return method == "GET" ? "get" : method == "POST" ? "post" : "delete"; }

}  // namespace

Document openapi_document(std::span<const Route> routes, const std::string& version) {
  Document out = Document::object();
  out.set("openapi", text_of("3.1.0"));
  Document& info = out.set("info", Document::object());
  info.set("title", text_of("Railyard"));
  info.set("version", Document(version));
  info.set("description", text_of("Runs scenarios and answers with their results. docs/serve.md says more."));
  Document paths = Document::object();
  for (const Route& route : routes) {
    Document one = paths.find(route.path) ? *paths.find(route.path) : Document::object();
    one.set(method_name(route.method), operation(route));
    paths.set(route.path, std::move(one));
  }
  out.set("paths", std::move(paths));
  const Result<Document> schemas = parse_json(kSchemas, "schemas", "RY-WEB-001");
  RY_CHECK(schemas.has_value(), "the schemas are JSON");
  Document& components = out.set("components", Document::object());
  components.set("schemas", *schemas);
  Document& token = components.set("securitySchemes", Document::object()).set("token", Document::object());
  token.set("type", text_of("http"));
  token.set("scheme", text_of("bearer"));
  return out;
}

}  // namespace railyard
