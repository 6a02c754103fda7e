/** The paths where people log in, in the OpenAPI document. They are not in the route table: they run no operation. */
import { CALLBACK_PATH } from "../../auth/sso/sso.ts";
import { EVERYWHERE, QUOTA_HEADERS, toErrorRefs, WITH_BODY, WITH_TOKEN } from "../openapi/errors.ts";
import type { JsonSchema, Operation, PathItem, Response } from "../openapi/types.ts";
import {
  LINK_PATH,
  LINK_USE_PATH,
  LOGIN_PATH,
  LOGOUT_PATH,
  PASSWORD_PATH,
  SESSION_PATH,
  SSO_PATH,
  SWITCH_PATH,
} from "./paths.ts";

const text = (description: string): JsonSchema => ({ type: "string", description });
const object = (properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema => ({
  type: "object",
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

const WORKSPACE = object({ id: text("Its id."), name: text("Its name.") });

export const AUTH_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Session: {
    ...object({
      user: object({
        id: text("The user's id."),
        name: text("The user's name, or the address if there is none."),
        email: text("The user's e-mail address."),
        role: { type: "string", enum: ["analyst", "engineer", "admin"] },
      }),
      workspace: WORKSPACE,
      workspaces: { type: "array", items: WORKSPACE, description: "Those that this login was good for." },
      scopes: { type: "array", items: { type: "string" }, description: "What the person may do." },
      csrf_token: text("To be sent as `X-CSRF-Token` with every change."),
      expires_at: { type: "string", format: "date-time", description: "When the session ends if it is not used." },
    }),
    description: "A person who is logged in with a browser.",
  },
};

const LOGIN_NOTE = "For the pages of this service: `Origin` or `Sec-Fetch-Site` must name it. ";
const SESSION_NOTE = `Needs the session's cookie. ${LOGIN_NOTE}\`X-CSRF-Token\` must be the session's. `;

type HeadersOf = (names: readonly string[]) => Response["headers"];

/** @param headersOf refers to header components by their names */
export function authPaths(headersOf: HeadersOf, parameters: Operation["parameters"]): Record<string, PathItem> {
  const answer = (description: string, schema: JsonSchema): Response => ({
    description,
    headers: headersOf(QUOTA_HEADERS),
    content: { "application/json": { schema } },
  });
  const session = answer("The session, and its cookie if it is new.", { $ref: "#/components/schemas/Session" });
  const errors = [...EVERYWHERE, ...WITH_TOKEN, "NotFound"] as const;

  const operation = (
    operationId: string,
    [summary, description]: readonly [summary: string, description: string],
    responses: Operation["responses"],
    body?: JsonSchema,
  ): Operation => ({
    operationId,
    tags: ["Login"],
    summary,
    description,
    security: [],
    parameters,
    ...(body && { requestBody: { required: true, content: { "application/json": { schema: body } } } }),
    responses: { ...toErrorRefs(body === undefined ? errors : [...errors, ...WITH_BODY]), ...responses },
  });
  const empty = (description: string): Response => ({ description, headers: headersOf([]), content: {} });

  return {
    [SESSION_PATH]: {
      get: operation(
        "readSession",
        ["Ask who is logged in", "Without a session: 401, and `details.login` says how people can log in."],
        {
          200: session,
        },
      ),
    },
    [LOGIN_PATH]: {
      post: operation(
        "logIn",
        ["Log in with a password", `${LOGIN_NOTE}A wrong password and an unknown address are answered alike.`],
        { 200: session },
        object({ email: text("The address."), password: text("The password."), workspace: text("Its id or name.") }, [
          "workspace",
        ]),
      ),
    },
    [LOGOUT_PATH]: {
      post: operation(
        "logOut",
        ["Log out", `${SESSION_NOTE}If the provider of single sign-on logs people out too, \`redirect\` says where.`],
        { 200: answer("Logged out here.", object({ redirect: text("Where to go next.") })), 204: empty("Logged out.") },
      ),
    },
    [SWITCH_PATH]: {
      post: operation(
        "switchWorkspace",
        [
          "Go to another workspace",
          `${SESSION_NOTE}The session goes on in one of its \`workspaces\`, with a new cookie and a new token.`,
        ],
        { 200: session },
        object({ workspace: text("Its id or name.") }),
      ),
    },
    [PASSWORD_PATH]: {
      post: operation(
        "changePassword",
        ["Change one's password", `${SESSION_NOTE}The person's other sessions end.`],
        { 200: session },
        object({ current: text("The present password."), next: text("The new one, of at least 12 characters.") }),
      ),
    },
    [LINK_PATH]: {
      post: operation(
        "readLink",
        ["Ask what a one-time link is for", LOGIN_NOTE],
        {
          200: answer(
            "What it is for.",
            object({
              kind: { type: "string", enum: ["first_admin", "invitation", "reset"] },
              email: { type: ["string", "null"], description: "Whom it is for; null: it asks for an address." },
            }),
          ),
        },
        object({ token: text("The link's token.") }),
      ),
    },
    [LINK_USE_PATH]: {
      post: operation(
        "useLink",
        ["Set a password with a one-time link", `${LOGIN_NOTE}The person is logged in then.`],
        { 200: session },
        object(
          {
            token: text("The link's token."),
            password: text("The new password, of at least 12 characters."),
            name: text("The person's name."),
            email: text("The person's address, if the link is for nobody's."),
          },
          ["name", "email"],
        ),
      ),
    },
    [SSO_PATH]: {
      get: operation(
        "beginSso",
        [
          "Log in by single sign-on",
          "For browsers: leads to the provider, then to `return_to`, a path of the service.",
        ],
        { 302: empty("Found: `Location` says where.") },
      ),
    },
    [CALLBACK_PATH]: {
      get: operation(
        "finishSso",
        ["Come back from the provider", "For browsers: leads on, or to `/login?error=CODE`."],
        { 302: empty("Found: `Location` says where.") },
      ),
    },
  };
}
