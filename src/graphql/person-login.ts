/** How people get a login: invitations, and links for a new password. */
import type { MadeLink } from "../auth/links/link.ts";
import { invitePerson, makeResetLink } from "../auth/links/make-links.ts";
import { toUserId } from "../ids.ts";
import { typed } from "./builder.ts";
import { originOf } from "./context.ts";
import { Role } from "./enums.ts";
import { mutation, payload } from "./mutation.ts";

const linkPayload = payload<MadeLink>("A one-time link. Give it to the person; it cannot be shown again.").with({
  link: (t) => t.exposeString("url", { description: "Its address. Whoever opens it sets the password." }),
  email: { ...typed("String", "Whom it is for."), resolve: ({ link }) => link.email ?? "" },
  expiresAt: { ...typed("DateTime", "When it stops working."), resolve: ({ link }) => link.expiresAt },
});

mutation("invitePerson", {
  description:
    "Makes a link by which a person sets a password and joins the workspace. It works once, for seven days. An earlier " +
    "one for the same address ends. Service accounts, and tokens with fewer scopes than an admin's, cannot make one.",
  requires: "admin",
  input: "A person to invite.",
  fields: (t) => ({
    email: t.field({ type: "EmailAddress", required: true, description: "The person's e-mail address." }),
    role: t.field({ type: Role, required: true, description: "What the person will be able to do." }),
  }),
  answer: linkPayload,
  resolve: (input, context) => invitePerson(context.services.logins, originOf(context), input),
});

mutation("resetPassword", {
  description:
    "Makes a link by which a person sets a new password. It works once, for a day. The present password and sessions " +
    "stay until it is used. Service accounts, and tokens with fewer scopes than an admin's, cannot make one.",
  requires: "admin",
  input: "Whose password to reset.",
  fields: (t) => ({ userId: t.id({ required: true, description: "The user's id." }) }),
  answer: linkPayload,
  resolve: (input, context) => makeResetLink(context.services.logins, originOf(context), toUserId(input.userId)),
});
