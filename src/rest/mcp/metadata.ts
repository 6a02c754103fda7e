/** What the service says of itself to clients that want to sign in: OAuth 2.0 Protected Resource Metadata (RFC 9728). */
import { MCP_SCOPE } from "./path.ts";

/**
 * The metadata of a resource. It names no authorization server: those are for people who sign in with a browser, and
 * the service has none. Clients are given an API key, or an access token that a service account got by its secret.
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
