/** `/auth/…`: the endpoints where people log in and out with browsers. */
import { z } from "zod";

import { CALLBACK_PATH } from "../../auth/sso/sso.ts";
import { ROLES, SCOPES } from "../../metadata/records.ts";
import type { Endpoint, EndpointAnswer } from "../endpoint.ts";
import {
  LINK_PATH,
  LINK_USE_PATH,
  LOGIN_PATH,
  LOGOUT_PATH,
  PASSWORD_PATH,
  SESSION_PATH,
  SSO_PATH,
  SWITCH_PATH,
} from "../paths.ts";

const text = (description: string) => z.string().meta({ description });
/** No address is longer (RFC 5321, 4.5.3.1.3), and each that fails is remembered for a while. */
const email = (description: string) => z.string().max(254).meta({ description });

const workspace = z.object({ id: text("Its id."), name: text("Its name.") });

export const sessionAnswer = z
  .object({
    user: z.object({
      id: text("The user's id."),
      name: text("The user's name, or the address if there is none."),
      email: text("The user's e-mail address."),
      role: z.enum(ROLES),
    }),
    workspace,
    workspaces: z.array(workspace).meta({ description: "The workspaces that this login is valid for." }),
    scopes: z.array(z.enum(SCOPES)).meta({ description: "What the person may do." }),
    csrf_token: text("Send it as `X-CSRF-Token` with every change."),
    expires_at: z.string().meta({ format: "date-time", description: "When the session ends if it is not used." }),
  })
  .meta({ description: "A person who is logged in with a browser." });

const SESSION = {
  200: { description: "The session, and its cookie if it is new.", schema: sessionAnswer, name: "Session" },
} as const satisfies Record<number, EndpointAnswer>;

const FOUND = { 302: { description: "Found: `Location` has the address." } };

const LOGIN_NOTE = "For the pages of this service: `Origin` or `Sec-Fetch-Site` must name it. ";
const SESSION_NOTE = `Needs the session's cookie. ${LOGIN_NOTE}\`X-CSRF-Token\` must be the session's. `;

const POSTED = { method: "POST", tag: "Login" } as const;
const BY_SESSION = { ...POSTED, access: "session" } as const;
const BY_STRANGER = { ...POSTED, access: "login" } as const;
const BY_PROVIDER = { method: "GET", tag: "Login", access: "login", answers: FOUND } as const;

export const AUTH_ENDPOINTS = {
  readSession: {
    method: "GET",
    path: SESSION_PATH,
    tag: "Login",
    summary: "Ask who is logged in",
    description: "Without a session: 401, and `details.login` says how people can log in.",
    access: "session",
    answers: SESSION,
  },
  logIn: {
    ...BY_STRANGER,
    path: LOGIN_PATH,
    summary: "Log in with a password",
    description: `${LOGIN_NOTE}A wrong password and an unknown address get the same answer.`,
    body: {
      schema: z.strictObject({
        email: email("The address."),
        password: text("The password."),
        workspace: text("Its id or name.").nullish(),
      }),
    },
    answers: SESSION,
  },
  logOut: {
    ...BY_SESSION,
    path: LOGOUT_PATH,
    summary: "Log out",
    description: `${SESSION_NOTE}If the provider of single sign-on logs people out too, \`redirect\` is its address.`,
    answers: {
      200: { description: "Logged out here.", schema: z.object({ redirect: text("Where to go next.") }) },
      204: { description: "Logged out." },
    },
  },
  switchWorkspace: {
    ...BY_SESSION,
    path: SWITCH_PATH,
    summary: "Go to another workspace",
    description: `${SESSION_NOTE}The session continues in one of its \`workspaces\`, with a new cookie and a new token.`,
    body: { schema: z.strictObject({ workspace: text("Its id or name.") }) },
    answers: SESSION,
  },
  changePassword: {
    ...BY_SESSION,
    path: PASSWORD_PATH,
    summary: "Change one's password",
    description: `${SESSION_NOTE}The person's other sessions end.`,
    body: {
      schema: z.strictObject({
        current: text("The present password."),
        next: text("The new one, of at least 12 characters."),
      }),
    },
    answers: SESSION,
  },
  readLink: {
    ...BY_STRANGER,
    path: LINK_PATH,
    summary: "Ask what a one-time link is for",
    description: LOGIN_NOTE,
    body: { schema: z.strictObject({ token: text("The link's token.") }) },
    answers: {
      200: {
        description: "What it is for.",
        schema: z.object({
          kind: z.enum(["first_admin", "invitation", "reset"]),
          email: text("The address of the person. Null: the link asks for one.").nullable(),
        }),
      },
    },
  },
  useLink: {
    ...BY_STRANGER,
    path: LINK_USE_PATH,
    summary: "Set a password with a one-time link",
    description: `${LOGIN_NOTE}The person is logged in then.`,
    body: {
      schema: z.strictObject({
        token: text("The link's token."),
        password: text("The new password, of at least 12 characters."),
        name: text("The person's name.").nullish(),
        email: email("The person's address, if the link is not for one.").nullish(),
      }),
    },
    answers: SESSION,
  },
  beginSso: {
    ...BY_PROVIDER,
    path: SSO_PATH,
    summary: "Log in by single sign-on",
    description: "For browsers: redirects to the provider, and from there to `return_to`, a path of the service.",
  },
  finishSso: {
    ...BY_PROVIDER,
    path: CALLBACK_PATH,
    summary: "Come back from the provider",
    description: "For browsers: redirects to the page that was asked for, or to `/login?error=CODE`.",
  },
} as const satisfies Record<string, Endpoint>;
