/** Where the Model Context Protocol is served, and where clients learn how to sign in to it. */
export const MCP_PATH = "/mcp";

/** RFC 9728, section 3.1: the path of the resource comes behind the well-known one. */
const METADATA_PATH = "/.well-known/oauth-protected-resource";

/** The metadata's paths, with the resource that each is about, as a path of the origin. */
export const METADATA_PATHS = [
  { path: METADATA_PATH, resource: "" },
  { path: `${METADATA_PATH}${MCP_PATH}`, resource: MCP_PATH },
] as const;

/** The scope that every tool needs. */
export const MCP_SCOPE = "read";

/** What a 401 or 403 tells clients (RFC 6750, section 3; RFC 9728, section 5.1). */
export function toChallenge(origin: string, error?: "insufficient_scope"): string {
  const named = error === undefined ? "" : `error="${error}", `;
  return `Bearer ${named}scope="${MCP_SCOPE}", resource_metadata="${origin}${METADATA_PATH}${MCP_PATH}"`;
}
