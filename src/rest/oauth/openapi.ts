/** The token endpoint in the OpenAPI document. It is not in the route table, because it runs no GraphQL operation. */
import { SCOPES } from "../../metadata/records.ts";
import { QUOTA_HEADERS, toErrorRefs } from "../openapi/errors.ts";
import type { JsonSchema, Operation, Reference, Response } from "../openapi/types.ts";

export const OAUTH_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  AccessToken: {
    description: "An access token of a service account.",
    type: "object",
    required: ["access_token", "token_type", "expires_in"],
    properties: {
      access_token: { type: "string", description: "To be sent as `Authorization: Bearer <access_token>`." },
      token_type: { type: "string", enum: ["Bearer"] },
      expires_in: { type: "integer", description: "Seconds: 3600, or what the workspace allows where that is less." },
    },
  },
  OauthError: {
    description: "What the token endpoint answers instead of a token (RFC 6749, section 5.2).",
    type: "object",
    required: ["error", "error_description", "message"],
    properties: {
      error: { type: "string", description: "A code for programs." },
      error_description: { type: "string", description: "A sentence for people." },
      message: { type: "string", description: "The same sentence." },
      details: { type: "object", description: "Left out where there is nothing to add." },
    },
  },
};

const SCOPE_WORDS = SCOPES.map((scope) => `\`${scope}\``).join(", ");

const FORM: JsonSchema = {
  type: "object",
  required: ["grant_type"],
  properties: {
    grant_type: { type: "string", enum: ["client_credentials"] },
    client_id: { type: "string", description: "In the form, or by HTTP Basic." },
    client_secret: { type: "string", description: "Where the id is: in the form or by HTTP Basic, not both." },
    scope: {
      type: "string",
      description: `Some of ${SCOPE_WORDS}, with one space between them. Left out: all that the account's role allows.`,
      examples: ["read write"],
    },
  },
};

const ANSWER = { access_token: "svc_at_Zk3rT8bW1xYqLm5NvC7dP0sHgJ2uFa9E", token_type: "Bearer", expires_in: 3600 };

type HeadersOf = (names: readonly string[]) => Response["headers"];

/** @param headersOf refers to header components by their names */
export function tokenOperation(headersOf: HeadersOf, parameters: Operation["parameters"]): Operation {
  return {
    operationId: "requestToken",
    tags: ["Tokens"],
    summary: "Request an access token",
    description:
      "The client-credentials grant of OAuth 2.0: a service account shows its id and secret, and gets a token that is " +
      "sent as API keys are. There is no refresh token; ask again before it expires. Several may be valid at once. " +
      "Each request counts against the rate limit that the account's tokens share.",
    // The empty entry is for credentials in the form.
    security: [{ client: [] }, {}],
    parameters,
    requestBody: { required: true, content: { "application/x-www-form-urlencoded": { schema: FORM } } },
    responses: {
      200: {
        description: "OK.",
        headers: headersOf(QUOTA_HEADERS),
        content: { "application/json": { schema: { $ref: "#/components/schemas/AccessToken" }, example: ANSWER } },
      },
      400: responseRef("InvalidTokenRequest"),
      401: responseRef("InvalidClient"),
      // These are refused before the path is read, so they have the usual error body.
      ...toErrorRefs(["RequestTimeout", "HeadersTooLarge"]),
      ...Object.fromEntries([403, 405, 413, 429, 500, 503].map((status) => [status, responseRef("NoToken")])),
    },
  };
}

/** @param headersOf as for `tokenOperation` */
export function oauthResponses(headersOf: HeadersOf): Record<string, Response> {
  return {
    InvalidTokenRequest: {
      description: "The form is not as RFC 6749 wants it, or asks for what the account may not have.",
      headers: headersOf([]),
      content: examples({
        invalid_request: "grant_type is given more than once.",
        unsupported_grant_type: "The only grant_type is client_credentials.",
        invalid_scope: "The account's role does not allow: admin.",
      }),
    },
    InvalidClient: {
      description: "The client is unknown or disabled, or its secret is wrong; or it shows neither.",
      headers: headersOf(["WWW-Authenticate"]),
      content: examples({ invalid_client: "The client is unknown, or its secret is wrong." }),
    },
    NoToken: {
      description:
        "403, 405, 413, 429, 500 or 503, for the reasons that the other endpoints have, in the form of OAuth.",
      headers: headersOf(["Retry-After"]),
      content: examples({ forbidden: "The workspace accepts no tokens from this address." }),
    },
  };
}

function responseRef(name: string): Reference {
  return { $ref: `#/components/responses/${name}` };
}

function examples(messages: Readonly<Record<string, string>>): Response["content"] {
  const values = Object.entries(messages).map(([error, message]): [string, { value: unknown }] => [
    error,
    { value: { error, error_description: message, message } },
  ]);
  const schema = { $ref: "#/components/schemas/OauthError" };
  return { "application/json": { schema, examples: Object.fromEntries(values) } };
}
