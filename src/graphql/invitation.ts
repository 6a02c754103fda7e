/** Invitations that nobody has used yet. They are made in `person-login.ts`. */
import { cancelInvitation, type Invitation, listInvitations } from "../auth/links/invitations.ts";
import { toLinkId } from "../ids.ts";
import { objectType, queryField, typed, typedOrNull } from "./builder.ts";
import { connectionType, pageArgs } from "./connection.ts";
import { originOf } from "./context.ts";
import { Role } from "./enums.ts";
import { mutation, showsId } from "./mutation.ts";
import { listWhole } from "./stored-page.ts";
import { UserType } from "./user.ts";

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
