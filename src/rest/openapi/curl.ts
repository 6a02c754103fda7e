/** A curl line. It works when the token and the ids are replaced by real ones. */
import type { Endpoint } from "../../http/endpoint.ts";
import type { Operation, Parameter } from "./types.ts";

interface Described {
  method: Endpoint["method"];
  /** With parameters as `{name}`. */
  path: string;
  operation: Operation;
}

/** Nobody logs in by hand, so those endpoints have no line. */
export function toSample(endpoint: Described, origin: string): Pick<Operation, "x-codeSamples"> {
  if (endpoint.operation.tags.includes("Login")) return {};
  return { "x-codeSamples": [{ lang: "shell", label: "curl", source: toCurl(endpoint, origin) }] };
}

function toCurl({ method, path, operation }: Described, origin: string): string {
  const given = operation.parameters.filter((it): it is Parameter => "example" in it);
  const inPath = given.filter((it) => it.in === "path");
  const inQuery = given.filter((it) => it.in === "query").map((it): [string, string] => [it.name, String(it.example)]);
  const filled = inPath.reduce((text, it) => text.replace(`{${it.name}}`, String(it.example)), path);
  const query = inQuery.length > 0 ? `?${new URLSearchParams(inQuery)}` : "";
  const address = `"${origin}${filled}${query}"`;
  const credentials = toCredentials(operation);
  const start = method === "GET" || isForm(operation) ? "curl" : `curl -X ${method}`;
  const line = credentials === "" ? `${start} ${address}` : `${start} ${credentials} \\\n  ${address}`;
  return `${line}${toBody(operation)}`;
}

/** The example of a required body. */
function toBody({ requestBody }: Operation): string {
  const { example } = requestBody?.content["application/json"] ?? {};
  if (example === undefined) return isUpload(requestBody) ? UPLOAD : "";
  const json = JSON.stringify(example).replaceAll("'", "'\\''");
  return ` \\\n  -H "Content-Type: application/json" -d '${json}'`;
}

const UPLOAD = ` \\\n  -H "Content-Type: application/json" --data-binary @target/manifest.json`;

/** A required body without an example, because it is the client's own document. */
function isUpload(body: Operation["requestBody"]): boolean {
  return body?.required === true && body.content["application/json"] !== undefined;
}

/** The option of curl for a security scheme. At the token endpoint, the form is sent with the credentials. */
function toCredentials(operation: Operation): string {
  if (isForm(operation)) return `-u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials`;
  return operation.security.length > 0 ? `-H "Authorization: Bearer $TOKEN"` : "";
}

function isForm({ requestBody }: Operation): boolean {
  return requestBody !== undefined && "application/x-www-form-urlencoded" in requestBody.content;
}
