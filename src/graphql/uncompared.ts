/** What could not be compared. */
import type { Uncompared } from "../catalog/change-set/change.ts";
import { builder, textOrNull } from "./builder.ts";

export const UncomparedType = builder.objectRef<Uncompared>("Uncompared").implement({
  description: "Something that could not be compared. It never counts as a change.",
  fields: (t) => ({
    object: t.string({
      ...textOrNull("object"),
      description: "What it is about; null if it is about the project as a whole.",
    }),
    message: t.exposeString("message", { description: "For people." }),
    isUnread: t.boolean({
      description:
        "True if it could not be read at all, so that none of its changes are known. False if the rest of it was compared.",
      resolve: ({ unread }) => unread !== null,
    }),
  }),
});
