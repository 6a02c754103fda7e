/** The certifications that a change set would end. */
import type { Lapse, Lapses } from "../what-if/lapses.ts";
import { builder, typed, typedOrNull } from "./builder.ts";
import { OWNED_BY } from "./person.ts";

const CertificationLapse = builder.objectRef<Lapse>("CertificationLapse").implement({
  description: "A certification that would lapse, because something that the metric stands on is computed otherwise.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The metric's id." }),
    name: t.exposeString("name", { description: "Its own name." }),
    fqn: t.exposeString("fqn", { description: "Its fully qualified name." }),
    reason: t.exposeString("reason", { description: "What would be computed otherwise." }),
    owner: t.field({
      ...typedOrNull("EmailAddress", "The owner's e-mail address; null if it is not known."),
      resolve: ({ owner }) => owner || null,
    }),
    ownedBy: t.field(OWNED_BY),
  }),
});

export const CertificationLapses = builder.objectRef<Lapses>("CertificationLapses").implement({
  description: "The certifications that would lapse. They do not count as affected.",
  fields: (t) => ({
    total: t.expose("total", typed("NonNegativeInt", "How many would lapse.")),
    metrics: t.expose("metrics", typed([CertificationLapse], "The metrics that are listed.")),
    truncated: t.exposeBoolean("truncated", { description: "True if more would lapse than are listed." }),
  }),
});
