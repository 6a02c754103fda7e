/** What changed in the catalog, as the schema shows it. */
import { hash } from "node:crypto";

import type { ChangedField, ChangedNode, ChangeEntryKind, ChangePart } from "../catalog/changes/change.ts";
import { PEOPLE } from "../catalog/layers.ts";
import type { PastChange } from "../graph/history/list-changes.ts";
import type { Moment } from "../graph/history/moments.ts";
import { builder, objectType, typed, typedOrNull, wordsType } from "./builder.ts";
import { findCertificationNote } from "./certification-event.ts";
import { ConnectorType } from "./connector.ts";
import { EdgeKind, NodeType, Risk } from "./enums.ts";
import { findById } from "./loaders.ts";
import { CatalogNodeType, findNode } from "./refs.ts";
import { PersonType, toPerson } from "./person.ts";

/** What each kind of change means. */
export const CHANGE_KINDS: Readonly<Record<ChangeEntryKind, string>> = {
  asset_added: "An asset or metric came, with its columns and edges.",
  asset_removed: "An asset or metric went, with its columns and edges.",
  asset_renamed: "An asset got another name, or moved to another schema.",
  column_added: "A column came.",
  column_removed: "A column went.",
  column_retyped: "A column has another data type.",
  sql_changed: "An asset's SQL or a metric's expression changed, with the columns and edges.",
  description_changed: "A description changed.",
  owner_changed: "An owner changed.",
  tags_changed: "Tags changed.",
  certification_changed: "A certification was given, withdrawn, or lapsed.",
  edge_added: "An asset reads something that it did not read before, and its SQL is not known to have changed.",
  edge_removed: "An asset no longer reads something, and its SQL is not known to have changed.",
  check_failed: "A check of an asset fails, and did not before.",
  check_passed: "A check of an asset that failed does not fail any more.",
  schedule_missed: "A pipeline did not begin the run that was due.",
  schedule_met: "A pipeline that missed its schedule has begun the run that was due.",
};

export const ChangeEntryKindType = wordsType<ChangeEntryKind>(
  "CatalogChangeKind",
  "What happened to an asset, a column or an edge.",
  CHANGE_KINDS,
);

const ChangedFieldType = wordsType<ChangedField>("CatalogChangeField", "The field whose values a change compares.", {
  name: "The fully qualified name.",
  type: "The data type of a column.",
  sql: "The SQL.",
  expression: "The expression of a metric.",
  description: "The description.",
  owner: "The owner.",
  tags: "The tags, separated by commas.",
  certification: "The certification.",
  upstream: "What an asset reads, by its fully qualified name.",
  result: "The result of a check: `pass`, `fail`, `warn` or `error`.",
});

export const ChangedAssetType = builder.objectRef<ChangedNode>("ChangedAsset").implement({
  description: "An asset, column or metric as it was at a change. It may be gone by now.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "Its id." }),
    name: t.exposeString("name", { description: "Its own name." }),
    fqn: t.exposeString("fqn", { description: "Its fully qualified name." }),
    type: t.expose("type", { type: NodeType, description: "What it is." }),
    parentId: t.exposeID("parentId", { nullable: true, description: "The table or model of a column; else null." }),
    node: t.field({
      ...typedOrNull(CatalogNodeType, "The asset or metric as it is now; null if it is gone."),
      resolve: ({ id }, _args, context) => findNode(id, context),
    }),
  }),
});

export const ChangePartType = builder.objectRef<ChangePart>("CatalogChangePart").implement({
  description:
    "A column or an edge that changed as a part of a change. `sql_changed` is a column that the new SQL computes otherwise; or the model itself, if the new SQL decides otherwise which rows it has, and so the values of all columns.",
  fields: (t) => ({
    kind: t.expose("kind", { type: ChangeEntryKindType, description: "What happened to it." }),
    id: t.exposeID("nodeId", { description: "The column's id, that of the edge's upstream end, or the model's own." }),
    name: t.exposeString("name", {
      description: "The column's name, or the fully qualified name of the edge's upstream end or of the model.",
    }),
    before: t.exposeString("before", { nullable: true, description: "The column's data type before." }),
    after: t.exposeString("after", { nullable: true, description: "The column's data type afterwards." }),
  }),
});

const ChangeSyncType = objectType<Moment>("CatalogChangeSync", "The sync that found a change.", (t) => ({
  id: t.exposeID("syncId", { description: "The sync's id, or a text for other work on a connector." }),
  connectorId: t.exposeID("connectorId", { description: "The connector that it ran." }),
  connector: t.string({
    nullable: true,
    description: "The connector's name; null if it was removed.",
    resolve: async ({ connectorId }, _args, context) =>
      (await findById(ConnectorType, connectorId, context))?.name ?? null,
  }),
}));

export const CatalogChangeType = builder.objectRef<PastChange>("CatalogChange").implement({
  description: "One change. What one sync changed for one cause is one change, with the rest in `details`.",
  fields: (t) => ({
    id: t.id({ description: "Its id.", resolve: ({ moment, key }) => changeId(moment, key) }),
    at: t.field({
      ...typed("DateTime", "When it was written. All changes of one sync have the same time."),
      resolve: ({ moment }) => moment.at,
    }),
    kind: t.expose("kind", { type: ChangeEntryKindType, description: "What happened." }),
    asset: t.expose("node", {
      type: ChangedAssetType,
      description: "What changed, as it was afterwards; if it was removed, as it was before.",
    }),
    other: t.expose("other", {
      type: ChangedAssetType,
      nullable: true,
      description: "The upstream end of an edge, or a renamed asset as it was before; null for other kinds.",
    }),
    actor: t.string({
      nullable: true,
      description: "The person's e-mail address, or the part of the service that acted; null if a sync found it.",
      resolve: ({ moment: { actor, connectorId } }) => (connectorId === PEOPLE ? actor : null),
    }),
    by: t.field({
      ...typedOrNull(PersonType, "The person or part of the service that acted, by name; null if a sync found it."),
      resolve: ({ moment: { actor, connectorId } }) => (connectorId === PEOPLE ? toPerson(actor) : null),
    }),
    sync: t.field({
      ...typedOrNull(ChangeSyncType, "The sync that found it; null if a person or a part of the service made it."),
      resolve: ({ moment }) => (moment.connectorId === PEOPLE ? null : moment),
    }),
    field: t.expose("field", {
      type: ChangedFieldType,
      nullable: true,
      description: "The field that changed; null if the whole thing came or went.",
    }),
    before: t.exposeString("before", {
      nullable: true,
      description: "The earlier value; for a removed column its data type. Null if there was none.",
    }),
    after: t.exposeString("after", {
      nullable: true,
      description: "The new value; for an added column its data type. Null if there is none.",
    }),
    edgeKind: t.expose("edgeKind", typedOrNull(EdgeKind, "What an edge means; null for other kinds.")),
    check: t.string({
      nullable: true,
      description: "The name of the check or schedule whose result changed; null for other kinds.",
      resolve: ({ check }) => check?.name ?? null,
    }),
    cause: t.string({
      nullable: true,
      description:
        "Why it changed, in words: what made a certification lapse, the note of the person who changed it, or what the source says " +
        "about the result of a check. Null if no reason is known.",
      resolve: ({ kind, node, moment: { at }, after: certification, check }, _args, context) =>
        kind === "certification_changed" && node.type === "metric"
          ? findCertificationNote(node.id, { at, certification }, context)
          : check?.message || null,
    }),
    risk: t.expose("risk", {
      type: Risk,
      nullable: true,
      description:
        "The highest risk that an impact of this change had just before it; null if it could break nothing. For new SQL it is " +
        "that of the columns that went or got another type.",
    }),
    details: t.expose("details", {
      type: [ChangePartType],
      description:
        "The columns and edges that changed with new SQL, with the columns that it computes otherwise; and the columns that a renamed asset did not keep.",
      complexity: { field: 1, multiplier: 5 },
    }),
  }),
});

function changeId({ number }: Moment, key: string): string {
  return `${number}-${hash("sha256", key, "hex").slice(0, 16)}`;
}
