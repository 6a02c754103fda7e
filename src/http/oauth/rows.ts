/** The token endpoint. */
import { z } from "zod";

import { SCOPES } from "../../metadata/records.ts";
import type { Endpoint } from "../endpoint.ts";
import { TOKEN_PATH } from "../paths.ts";

const SCOPE_WORDS = SCOPES.map((scope) => `\`${scope}\``).join(", ");

export const accessToken = z
  .object({
    access_token: z.string().meta({ description: "Send it as `Authorization: Bearer <access_token>`." }),
    token_type: z.literal("Bearer"),
    expires_in: z.int().meta({ description: "Seconds: 3600, or less if the workspace allows less." }),
  })
  .meta({ description: "An access token of a service account." });

export const OAUTH_ENDPOINTS = {
  requestToken: {
    method: "POST",
    path: TOKEN_PATH,
    tag: "Tokens",
    summary: "Request an access token",
    description:
      "The client-credentials grant of OAuth 2.0: a service account shows its id and secret, and gets a token that is " +
      "sent as API keys are. There is no refresh token; ask again before it expires. Several may be valid at once. " +
      "Each request counts against the rate limit that the account's tokens share.",
    access: "client",
    body: {
      type: "form",
      schema: z.object({
        grant_type: z.literal("client_credentials"),
        client_id: z.string().optional().meta({ description: "In the form, or by HTTP Basic." }),
        client_secret: z
          .string()
          .optional()
          .meta({ description: "In the same place as the id: in the form or by HTTP Basic, not both." }),
        scope: z
          .string()
          .optional()
          .meta({
            description: `Some of ${SCOPE_WORDS}, with one space between them. Default: all that the account's role allows.`,
            examples: ["read write"],
          }),
      }),
    },
    answers: {
      200: {
        description: "OK.",
        schema: accessToken,
        name: "AccessToken",
        example: { access_token: "svc_at_Zk3rT8bW1xYqLm5NvC7dP0sHgJ2uFa9E", token_type: "Bearer", expires_in: 3600 },
      },
    },
  },
} as const satisfies Record<string, Endpoint>;
