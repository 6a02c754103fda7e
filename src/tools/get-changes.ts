/** `get_changes`: what changed in the catalog, the newest first. */
import { z } from "zod";

import { CHANGE_ENTRY_KINDS } from "../catalog/changes/change.ts";
import { RISKS } from "../catalog/impact.ts";
import { excerpt } from "../characters.ts";
import { pageOfConnection } from "./page.ts";
import { cut, id, instant, name, ownerFilter, page, paging, reference } from "./schemas.ts";
import { defineTool } from "./tool.ts";

/** Both versions of a long SQL text would leave no room for other changes. */
const MAX_TEXT = 500;

const kind = z.enum(CHANGE_ENTRY_KINDS);

const item = z.object({
  id: z.string(),
  at: instant,
  kind,
  asset: reference,
  actor: z.string().nullable(),
  sync: z.object({ id: z.string(), connector: z.string().nullable() }).nullable(),
  field: z.string().nullable(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  check: z.string().nullable(),
  risk: z.enum(RISKS).nullable(),
  cause: z.string().nullable(),
  details: z.array(
    z.object({ kind, id: z.string(), name: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
  ...cut,
});

const time = z.string().min(1).max(40);

export const getChanges = defineTool({
  name: "get_changes",
  title: "Get changes",
  description:
    "Lists what changed in the catalog, the newest first: assets and columns that came or went, new SQL, types, owners, tags, " +
    "descriptions, certifications, failing checks and missed schedules, each with who or which sync did it and the risk that it had. What one sync changed for " +
    "one cause is one change. Take it for what happened lately, or what changed upstream of an asset.",
  input: z.strictObject({
    since: time.optional().describe("`7d`, a date or ISO 8601 time; the whole history if left out."),
    until: time.optional().describe("The same; now if left out."),
    kinds: z.array(kind).min(1).optional(),
    about: id.optional().describe("Id of an asset, column or metric."),
    upstreamOf: id.optional().describe("Only what feeds this asset."),
    downstreamOf: id.optional().describe("Only what this asset feeds."),
    owner: ownerFilter.optional().describe("E-mail address."),
    tag: name.optional(),
    connector: name.optional(),
    ...paging,
  }),
  output: z.object({ since: instant.nullable(), ...page, items: z.array(item) }),
  async run({ limit, cursor, maxCharacters, ...filters }, { ask }) {
    const { changes } = await ask("ToolGetChanges", { ...filters, first: limit, after: cursor });
    const answer = { since: changes.since };
    return pageOfConnection(changes, { maxCharacters, answer }, (change) => ({
      ...change,
      before: change.before && excerpt(change.before, MAX_TEXT),
      after: change.after && excerpt(change.after, MAX_TEXT),
    }));
  },
});
