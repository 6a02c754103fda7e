/** What could not be compared. */
import type { Uncompared } from "../catalog/change-set/change.ts";
import { emptyAsNull, objectType, typed } from "./builder.ts";

export const UncomparedType = objectType<Uncompared>(
  "Uncompared",
  "Something that could not be compared. It never counts as a change.",
).with({
  object: emptyAsNull("What it is about; null if it is about the project as a whole."),
  message: typed("String", "For people."),
  isUnread: {
    type: "Boolean",
    description:
      "True if it could not be read at all, so that none of its changes are known. False if the rest of it was compared.",
    resolve: ({ unread }) => unread !== null,
  },
});
