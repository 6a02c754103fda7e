/** A line for the shell that works once the token and the ids are one's own. */
import type { Operation, Parameter } from "../openapi/types.ts";
import type { Endpoint } from "./endpoint.ts";

export function toCurl({ method, path, operation }: Endpoint, origin: string): string {
  const given = operation.parameters.filter((it): it is Parameter => "example" in it);
  const inPath = given.filter((it) => it.in === "path");
  const inQuery = given.filter((it) => it.in === "query").map((it): [string, string] => [it.name, String(it.example)]);
  const filled = inPath.reduce((text, it) => text.replace(`{${it.name}}`, String(it.example)), path);
  const query = inQuery.length > 0 ? `?${new URLSearchParams(inQuery)}` : "";
  const address = `"${origin}${filled}${query}"`;
  const credentials = toCredentials(operation);
  const start = method === "get" || isForm(operation) ? "curl" : `curl -X ${method.toUpperCase()}`;
  const line = credentials === "" ? `${start} ${address}` : `${start} ${credentials} \\\n  ${address}`;
  return `${line}${toBody(operation)}`;
}

/** The example of a body that must be sent. */
function toBody({ requestBody }: Operation): string {
  const { example } = requestBody?.content["application/json"] ?? {};
  if (example === undefined) return isUpload(requestBody) ? UPLOAD : "";
  const json = JSON.stringify(example).replaceAll("'", "'\\''");
  return ` \\\n  -H "Content-Type: application/json" -d '${json}'`;
}

const UPLOAD = ` \\\n  -H "Content-Type: application/json" --data-binary @target/manifest.json`;

/** A body that must be sent, and of which there is no example: a document of the client's own. */
function isUpload(body: Operation["requestBody"]): boolean {
  return body?.required === true && body.content["application/json"] !== undefined;
}

/** What the security schemes come to; the token endpoint's form goes with its credentials. */
function toCredentials(operation: Operation): string {
  if (isForm(operation)) return `-u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials`;
  return operation.security.length > 0 ? `-H "Authorization: Bearer $TOKEN"` : "";
}

function isForm({ requestBody }: Operation): boolean {
  return requestBody !== undefined && "application/x-www-form-urlencoded" in requestBody.content;
}
