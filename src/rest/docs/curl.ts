/** A line for the shell that works once the token and the ids are one's own. */
import type { Parameter } from "../openapi/types.ts";
import type { Endpoint } from "./endpoint.ts";

export function toCurl({ method, path, operation }: Endpoint, origin: string): string {
  const given = operation.parameters.filter((it): it is Parameter => "example" in it);
  const inPath = given.filter((it) => it.in === "path");
  const inQuery = given.filter((it) => it.in === "query").map((it): [string, string] => [it.name, String(it.example)]);
  const filled = inPath.reduce((text, it) => text.replace(`{${it.name}}`, String(it.example)), path);
  const query = inQuery.length > 0 ? `?${new URLSearchParams(inQuery)}` : "";
  const parts = [
    method === "get" ? "curl" : `curl -X ${method.toUpperCase()}`,
    operation.security.length > 0 ? ` -H "Authorization: Bearer $TOKEN"` : "",
    operation.security.length > 0 ? " \\\n  " : " ",
    `"${origin}${filled}${query}"`,
  ];
  return parts.join("");
}
