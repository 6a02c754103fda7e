/** The certifications that a change set would end. */
import type { Lapse, Lapses } from "../what-if/lapses.ts";
import { objectType, typed, typedOrNull } from "./builder.ts";
import { CERTIFIER, OWNED_BY } from "./person.ts";

const CertificationLapse = objectType<Lapse>(
  "CertificationLapse",
  "A certification that would lapse, because something that the metric stands on is computed otherwise.",
).with({
  id: typed("ID", "The metric's id."),
  name: typed("String", "Its own name."),
  fqn: typed("String", "Its fully qualified name."),
  reason: typed("String", "What would be computed otherwise."),
  owner: {
    ...typedOrNull("EmailAddress", "The owner's e-mail address; null if it is not known."),
    resolve: ({ owner }) => owner || null,
  },
  ownedBy: (t) => t.field(OWNED_BY),
  certifier: (t) => t.field(CERTIFIER),
});

export const CertificationLapses = objectType<Lapses>(
  "CertificationLapses",
  "The certifications that would lapse. They do not count as affected.",
).with({
  total: typed("NonNegativeInt", "How many would lapse."),
  metrics: typed([CertificationLapse], "The metrics that are listed."),
  truncated: typed("Boolean", "True if more would lapse than are listed."),
});
