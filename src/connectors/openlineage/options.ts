/** The options of the connector: which namespaces are which installations, and how long a job counts. */
import { z } from "zod";

import { entriesOption, instanceOption } from "../option-values.ts";

/** Says what datasets of some namespaces are. */
export interface NamespaceRule {
  /** In upper case, in which a letter has one form wherever it is in a word. `*` stands for any text. */
  pattern: string;
  platform: string;
  /** Undefined: that of the connector. */
  instance: string | undefined;
  /** Put in front of names that have fewer than three parts. */
  prefix: string[];
}

const MAX_RULES = 200;
const TARGET = /^(?<platform>[a-z][\w-]*)(?:@(?<instance>[^@/]+))?(?:\/(?<prefix>[^/]+))?$/;

/** `postgres://eu-*=postgres@eu, food_delivery=postgres/food`. */
const namespaces = entriesOption(MAX_RULES).transform((entries, context): NamespaceRule[] =>
  entries.flatMap((entry) => {
    const at = entry.lastIndexOf("=");
    const target = TARGET.exec(entry.slice(at + 1).trim())?.groups;
    if (at < 1 || target === undefined) {
      const message = `${entry}: must be NAMESPACE=PLATFORM[@INSTANCE][/DATABASE[.SCHEMA]]`;
      context.addIssue({ code: "custom", message });
      return [];
    }
    const { platform = "", instance, prefix = "" } = target;
    const parts = prefix.split(".").filter((part) => part !== "");
    return [{ pattern: entry.slice(0, at).trim().toUpperCase(), platform, instance, prefix: parts }];
  }),
);

const days = z
  .string()
  .trim()
  .regex(/^[1-9]\d{0,4}$/, "must be a whole number of days, 1 or more")
  .transform(Number);

export const openLineageOptions = z.strictObject({
  namespaces: namespaces
    .prefault("")
    .describe(
      "What namespaces of datasets are, as NAMESPACE=PLATFORM[@INSTANCE][/DATABASE], separated by commas; `*` stands for any text",
    ),
  expire_after_days: days
    .optional()
    .describe(
      "Jobs whose last run is older than this are removed, with their lineage and all that they say about datasets; so is what older events say about a dataset; by default never",
    ),
  instance: instanceOption,
});
export type OpenLineageOptions = z.infer<typeof openLineageOptions>;
