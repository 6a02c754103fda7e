/** People edit an asset: its description, tags and owner. */
import { z } from "zod";

import { change } from "../auth/change.ts";
import type { Origin } from "../auth/origin.ts";
import type { CatalogNode } from "../catalog/asset.ts";
import { EDITABLE_FIELDS, requireAsSeen, type SeenFields } from "../catalog/edits.ts";
import { isEmailAddress } from "../catalog/email.ts";
import { isStorableName } from "../catalog/text.ts";
import { excerpt, hasMoreCharacters } from "../characters.ts";
import type { Clock } from "../clock.ts";
import { AppError, badField, badFields, notFound } from "../errors.ts";
import type { CatalogGraph } from "../graph/catalog-graph.ts";
import type { CurationChange } from "../graph/catalog-writes.ts";
import type { NodeId } from "../ids.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { findName } from "../plain-text.ts";

const MAX_DESCRIPTION_CHARACTERS = 10_000;
const MAX_TAGS = 100;
const MAX_TAG_CHARACTERS = 200;

/** Line breaks and tabs are allowed. */
const description = z
  .string()
  .refine(
    (text) => !hasMoreCharacters(text, MAX_DESCRIPTION_CHARACTERS) && isStorableName(text.replaceAll(/[\n\r\t]/g, " ")),
    {
      error: `must have at most ${MAX_DESCRIPTION_CHARACTERS} characters of valid Unicode, without control characters but line breaks`,
    },
  );

const tag = z.string().transform((text, context) => {
  const name = findName(text, MAX_TAG_CHARACTERS);
  if (name !== null) return name;
  const message = `must be 1 to ${MAX_TAG_CHARACTERS} visible characters, without control characters`;
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

const edit = z.object({
  description: description.nullable().optional(),
  tags: z
    .array(tag)
    .max(MAX_TAGS, { error: `must have at most ${MAX_TAGS} tags` })
    .transform((tags) => [...new Set(tags)])
    .nullable()
    .optional(),
  owner: z
    .string()
    .refine((text) => text === "" || isEmailAddress(text), { error: "must be an e-mail address" })
    .nullable()
    .optional(),
});

/** An edit: keys with a value are set, keys with null return to what the connectors say. */
type AssetEdit = z.input<typeof edit>;

export interface CurationParts {
  graph: CatalogGraph;
  store: MetadataStore;
  clock: Clock;
}

/**
 * Sets the given fields. Null returns a field to what the connectors say. The edit survives crawls, and the removal and
 * return of the asset.
 * @param seen what the fields showed to the editor; any that is left out may have been edited since
 * @throws AppError `bad_request` with every fault; `not_found`, also for a metric; `conflict` if a field shows something else
 */
export async function editAsset(
  parts: CurationParts,
  origin: Origin,
  id: NodeId,
  said: AssetEdit,
  seen: SeenFields = {},
): Promise<CatalogNode> {
  const given = parseEdit(said);
  const [after] = await applyEdits(
    parts,
    origin,
    [id],
    (before) => {
      requireAsSeen(before, given, seen);
      return given;
    },
    seen,
  );
  if (after === undefined) throw notFound("asset", id);
  return after;
}

/** The most assets of one `editAssets`. */
export const MAX_EDITED = 100;

/** What several assets get at once. */
interface SharedEdit {
  /** Added to the tags of each. */
  addTags: readonly string[];
  /** Undefined keeps each owner; "" means no owner. */
  owner?: string | undefined;
}

/**
 * Adds tags to several assets, and gives them an owner. Each asset is edited as `editAsset` does it.
 * @throws AppError `bad_request` with every fault, before anything is changed; `not_found` if one of them does not exist
 */
export async function editAssets(
  parts: CurationParts,
  origin: Origin,
  ids: readonly NodeId[],
  { addTags, owner }: SharedEdit,
): Promise<CatalogNode[]> {
  if (ids.length > MAX_EDITED) throw badField("ids", `must be at most ${MAX_EDITED}`);
  const { tags = [], ...given } = parseEdit({ tags: [...addTags], ...(owner !== undefined && { owner }) });
  return applyEdits(parts, origin, [...new Set(ids)], (before) => {
    const added = (tags ?? []).filter((name) => !before.tags.includes(name));
    if (before.tags.length + added.length > MAX_TAGS) {
      throw badField("addTags", `${before.fqn} would have more than ${MAX_TAGS} tags`);
    }
    return added.length === 0 ? given : { ...given, tags: [...before.tags, ...added] };
  });
}

async function applyEdits(
  { graph, store, clock }: CurationParts,
  origin: Origin,
  ids: readonly NodeId[],
  editOf: (before: CatalogNode) => CurationChange,
  seen?: SeenFields,
): Promise<CatalogNode[]> {
  const workspace = origin.workspace.id;
  const loaded = await graph.loadNodes(workspace, ids);
  const edits = ids.map((id, i) => {
    const before = loaded[i];
    if (before === undefined || before === null || before.type === "metric") throw notFound("asset", id);
    return { id, before, given: editOf(before) };
  });
  const changed = edits.filter(({ given }) => Object.keys(given).length > 0);
  // The audit trail is written first. The two stores share no transaction, and every edit must be in the trail.
  if (changed.length > 0)
    await change(store, origin, async (_nouns, note) => {
      for (const { id, before, given } of changed)
        await note("asset_edited", id, { asset: before.fqn, ...toTrail(before, given) });
    });
  const by = { by: origin.actor.name, at: clock.now().toISOString() };
  const after: CatalogNode[] = [];
  for (const { id, before, given } of edits) {
    if (Object.keys(given).length === 0) after.push(before);
    else {
      try {
        const shown = await graph.curate(workspace, id, given, by, seen);
        if (shown === null) throw notFound("asset", id);
        after.push(shown);
      } catch (error) {
        // The trail has the edit already. If it is known not to have been made, the trail says that too.
        if (error instanceof AppError && (error.code === "conflict" || error.code === "not_found")) {
          const details = { asset: before.fqn, reason: error.message };
          await change(store, origin, (_nouns, note) => note("asset_edit_refused", id, details));
        }
        throw error;
      }
    }
  }
  return after;
}

function parseEdit(said: AssetEdit): CurationChange {
  const parsed = edit.safeParse(said);
  if (!parsed.success) {
    throw badFields(parsed.error.issues.map(({ path, message }) => ({ field: path.join("."), message })));
  }
  return Object.fromEntries(Object.entries(parsed.data).filter(([, value]) => value !== undefined));
}

function shorten(value: string | string[] | null | undefined): unknown {
  return typeof value === "string" ? excerpt(value) : value;
}

/** The values before and after; long texts are cut. Null means what the connectors say. */
function toTrail(before: CatalogNode, given: CurationChange): Record<string, unknown> {
  const fields = EDITABLE_FIELDS.filter((field) => given[field] !== undefined);
  return Object.fromEntries(
    fields.map((field) => [field, { from: shorten(before[field]), to: shorten(given[field]) }]),
  );
}
