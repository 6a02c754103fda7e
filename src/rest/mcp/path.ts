/** The paths of the Model Context Protocol and of its metadata. */
export const MCP_PATH = "/mcp";

/** RFC 9728, section 3.1: the path of the resource follows after it. */
const METADATA_PATH = "/.well-known/oauth-protected-resource";

/** The paths of the metadata, each with the path of its resource. */
export const METADATA_PATHS = [
  { path: METADATA_PATH, resource: "" },
  { path: `${METADATA_PATH}${MCP_PATH}`, resource: MCP_PATH },
] as const;

/** The scope that every tool needs. */
export const MCP_SCOPE = "read";

/** The value of `WWW-Authenticate` for a 401 or 403 (RFC 6750, section 3; RFC 9728, section 5.1). */
export function toChallenge(origin: string, error?: "insufficient_scope"): string {
  const named = error === undefined ? "" : `error="${error}", `;
  return `Bearer ${named}scope="${MCP_SCOPE}", resource_metadata="${origin}${METADATA_PATH}${MCP_PATH}"`;
}
