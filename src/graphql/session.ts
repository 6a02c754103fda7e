/** The sessions of the person who asks. */
import { endSession, listSessions } from "../auth/sessions/end.ts";
import { toSessionId } from "../ids.ts";
import type { Session } from "../metadata/login-records.ts";
import { objectType, queryField, typed } from "./builder.ts";
import { getPrincipal, originOf } from "./context.ts";
import { mutation, showsId } from "./mutation.ts";

const SessionType = objectType<Session>("Session", "A browser in which a person is logged in.", (t) => ({
  id: t.exposeID("id", { description: "The session's id." }),
  current: t.boolean({
    description: "Whether this request belongs to it.",
    resolve: ({ id }, _args, context) => getPrincipal(context).session?.id === id,
  }),
  source: t.exposeString("source", { description: "The address that the person logged in from." }),
  userAgent: t.exposeString("userAgent", { description: "What the browser says that it is; empty if nothing." }),
  sso: t.exposeBoolean("sso", { description: "Whether the person logged in by single sign-on." }),
  createdAt: t.expose("createdAt", typed("DateTime", "When the person logged in.")),
  lastSeenAt: t.expose("seenAt", typed("DateTime", "When it was last used, to a few minutes.")),
  expiresAt: t.expose("expiresAt", typed("DateTime", "When it ends if it is not used any more.")),
}));

queryField("mySessions", "self", {
  ...typed([SessionType], "The browsers in which the person who asks is logged in, the last login first."),
  resolve: (_root, _args, context) => listSessions(context.services.logins, originOf(context)),
});

mutation("endSession", {
  description: "Logs the person who asks out of one browser, at once.",
  requires: "self",
  input: "Which session to end.",
  fields: (t) => ({ id: t.id({ required: true, description: "The session's id." }) }),
  answer: showsId("The session's id."),
  resolve: async ({ id }, context) => {
    await endSession(context.services.auth, originOf(context), toSessionId(id));
    return id;
  },
});
