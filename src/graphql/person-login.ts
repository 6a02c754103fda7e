/** How people get a login: invitations, and links for a new password. */
import type { MadeLink } from "../auth/links/link.ts";
import { invitePerson, makeResetLink } from "../auth/links/make-links.ts";
import { toLinkId, toUserId } from "../ids.ts";
import { objectType, queryField, typed, typedOrNull } from "./builder.ts";
import { originOf } from "./context.ts";
import { Role } from "./enums.ts";
import { mutation, payload, showsId } from "./mutation.ts";
import { cancelInvitation, type Invitation, listInvitations } from "../auth/links/invitations.ts";
import { connectionType, pageArgs } from "./connection.ts";
import { listWhole } from "./stored-page.ts";
import { UserType } from "./user.ts";

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

const InvitationType = objectType<Invitation>(
  "Invitation",
  "An invitation that nobody has used yet. Its link cannot be shown again: `invitePerson` makes a new one.",
).with({
  id: typed("ID", "The invitation's id."),
  email: typed("String", "Whom it is for."),
  role: typed(Role, "What the person will be able to do."),
  invitedBy: typedOrNull(UserType, "Who made it; null if that user no longer exists."),
  createdAt: typed("DateTime", "When it was made."),
  expiresAt: typed("DateTime", "When its link stops working."),
  works: typed("Boolean", "Whether its link still works: it is not too old, and whoever made it is still an admin."),
});

const InvitationConnection = connectionType("Invitation", "invitation", InvitationType);

queryField("invitations", "admin", {
  type: InvitationConnection,
  description: "Invitations that nobody has used, the oldest first. Those that have ended are listed for 30 more days.",
  args: pageArgs,
  complexity: (args) => ({ field: 1, multiplier: args.first }),
  resolve: (_root, args, context) =>
    listWhole(args, context, {
      query: ["invitations"],
      load: (workspaceId) => listInvitations(context.services.auth, workspaceId),
    }),
});

mutation("cancelInvitation", {
  description: "Ends the link of an invitation that nobody has used.",
  requires: "admin",
  input: "Which invitation to cancel.",
  fields: (t) => ({ id: t.id({ required: true, description: "The invitation's id." }) }),
  answer: showsId("The invitation's id."),
  resolve: async ({ id }, context) => {
    await cancelInvitation(context.services.auth, originOf(context), toLinkId(id));
    return id;
  },
});
