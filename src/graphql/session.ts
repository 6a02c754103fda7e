/** The sessions of the person who asks. */
import { endSession, listSessions } from "../auth/sessions/end.ts";
import { toSessionId } from "../ids.ts";
import type { Session } from "../metadata/login-records.ts";
import { objectType, queryField, typed } from "./builder.ts";
import { getPrincipal, originOf } from "./context.ts";
import { mutation, showsId } from "./mutation.ts";

const SessionType = objectType<Session>("Session", "A browser in which a person is logged in.").with({
  id: typed("ID", "The session's id."),
  current: {
    ...typed("Boolean", "Whether this request belongs to it."),
    resolve: ({ id }, _args, context) => getPrincipal(context).session?.id === id,
  },
  source: typed("String", "The address that the person logged in from."),
  userAgent: typed("String", "What the browser says that it is; empty if nothing."),
  sso: typed("Boolean", "Whether the person logged in by single sign-on."),
  createdAt: typed("DateTime", "When the person logged in."),
  lastSeenAt: (t) => t.expose("seenAt", typed("DateTime", "When it was last used, to a few minutes.")),
  expiresAt: typed("DateTime", "When it ends if it is not used any more."),
});

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
