/** The security schemes of the OpenAPI document. */
import type { Requirement } from "../../auth/permissions.ts";
import type { Scope } from "../../metadata/records.ts";
import { TOKEN_PATH } from "../../http/paths.ts";
import type { SecurityRequirement, SecurityScheme } from "./types.ts";

const SCOPES = {
  read: "Read the catalog, its lineage and its metrics.",
  write: "Start syncs.",
  admin: "Manage accounts, users, tokens and limits.",
} satisfies Record<Scope, string>;

/** The schemes by name. The URL of the token endpoint is relative to the document's. */
export const SECURITY_SCHEMES = {
  bearer: { type: "http", scheme: "bearer", description: "An API key. Its scopes say what it may do." },
  clientCredentials: {
    type: "oauth2",
    description:
      "An access token, which a service account gets by its id and secret. It is sent as a bearer token too.",
    flows: { clientCredentials: { tokenUrl: TOKEN_PATH, scopes: SCOPES } },
  },
  client: { type: "http", scheme: "basic", description: "A service account's `client_id` and `client_secret`." },
} as const satisfies Record<string, SecurityScheme>;

/** The scopes that a token must have, for both kinds of tokens. */
export function toSecurity(requirement: Requirement): SecurityRequirement[] {
  if (requirement === "nothing") return [];
  const scopes = requirement === "token" ? [] : [requirement];
  return [{ bearer: scopes }, { clientCredentials: scopes }];
}
