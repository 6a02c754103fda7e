/** How clients of the Model Context Protocol learn to sign in: challenges (RFC 6750), and metadata (RFC 9728). */
import { toErrorAnswer, type Translator } from "../answer/error-answer.ts";
import { MCP_PATH } from "../paths.ts";

/** RFC 9728, section 3.1: the path of the resource follows after it. */
const METADATA_PATH = "/.well-known/oauth-protected-resource";

/** The paths of the metadata of the whole service, and of the Model Context Protocol. */
export const METADATA_PATHS = { service: METADATA_PATH, mcp: `${METADATA_PATH}${MCP_PATH}` } as const;

/** The scope that every tool needs. */
export const MCP_SCOPE = "read";

/** The value of `WWW-Authenticate` for a 401 or 403 (RFC 6750, section 3; RFC 9728, section 5.1). */
export function toChallenge(origin: string, error?: "insufficient_scope"): string {
  const named = error === undefined ? "" : `error="${error}", `;
  return `Bearer ${named}scope="${MCP_SCOPE}", resource_metadata="${origin}${METADATA_PATHS.mcp}"`;
}

/**
 * Makes the metadata of a resource. It names no authorization server, because nobody can sign in with a browser yet.
 * A client uses an API key, or an access token that a service account got with its secret.
 */
export function buildMetadata(origin: string, resource: string) {
  return {
    resource: `${origin}${resource}`,
    resource_name: "Tributary",
    scopes_supported: [MCP_SCOPE],
    bearer_methods_supported: ["header"],
    resource_documentation: `${origin}/docs`,
  };
}

/** Translates errors: the usual error body, and a challenge with a 401. */
export function toMcpErrorAnswer(publicUrl: () => string): Translator {
  return (error) => {
    const answer = toErrorAnswer(error);
    if (answer.status !== 401) return answer;
    return { ...answer, headers: { ...answer.headers, "WWW-Authenticate": toChallenge(publicUrl()) } };
  };
}
