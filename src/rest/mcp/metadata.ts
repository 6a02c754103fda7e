/** OAuth 2.0 Protected Resource Metadata (RFC 9728), for clients that want to sign in. */
import { MCP_SCOPE } from "./path.ts";

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
