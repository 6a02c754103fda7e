/** What changed in the catalog, as the schema shows it. */
import { hash } from "node:crypto";

import { CHANGE_ENTRIES, CHANGED_FIELDS, type ChangedNode, type ChangePart } from "../catalog/changes/change.ts";
import { PEOPLE } from "../catalog/layers.ts";
import type { PastChange } from "../graph/history/list-changes.ts";
import type { Moment } from "../graph/history/moments.ts";
import { listOf, objectType, typed, typedOrNull, wordsType } from "./builder.ts";
import { findCertificationNote } from "./certification-event.ts";
import { ConnectorType } from "./connector.ts";
import { EdgeKind, NodeType, Risk } from "./enums.ts";
import { findById } from "./loaders.ts";
import { CatalogNodeType, findNode } from "./refs.ts";
import { PersonType, toPerson } from "./person.ts";

export const ChangeEntryKindType = wordsType(
  "CatalogChangeKind",
  "What happened to an asset, a column or an edge.",
  CHANGE_ENTRIES,
);

const ChangedFieldType = wordsType("CatalogChangeField", "The field whose values a change compares.", CHANGED_FIELDS);

export const ChangedAssetType = objectType<ChangedNode>(
  "ChangedAsset",
  "An asset, column or metric as it was at a change. It may be gone by now.",
).with({
  id: typed("ID", "Its id."),
  name: typed("String", "Its own name."),
  fqn: typed("String", "Its fully qualified name."),
  type: typed(NodeType, "What it is."),
  parentId: typedOrNull("ID", "The table or model of a column; else null."),
  node: {
    ...typedOrNull(CatalogNodeType, "The asset or metric as it is now; null if it is gone."),
    resolve: ({ id }, _args, context) => findNode(id, context),
  },
});

export const ChangePartType = objectType<ChangePart>(
  "CatalogChangePart",
  "A column or an edge that changed as a part of a change. `sql_changed` is a column that the new SQL computes otherwise; or the model itself, if the new SQL decides otherwise which rows it has, and so the values of all columns.",
).with({
  kind: typed(ChangeEntryKindType, "What happened to it."),
  id: (t) =>
    t.exposeID("nodeId", { description: "The column's id, that of the edge's upstream end, or the model's own." }),
  name: typed("String", "The column's name, or the fully qualified name of the edge's upstream end or of the model."),
  before: typedOrNull("String", "The column's data type before."),
  after: typedOrNull("String", "The column's data type afterwards."),
});

const ChangeSyncType = objectType<Moment>("CatalogChangeSync", "The sync that found a change.").with({
  id: {
    ...typed("ID", "The sync's id, or a text for other work on a connector, such as the events that it received."),
    resolve: ({ syncId, connectorId }) => syncId || `events of ${connectorId}`,
  },
  connectorId: typed("ID", "The connector that it ran."),
  connector: {
    ...typedOrNull("String", "The connector's name; null if it was removed."),
    resolve: async ({ connectorId }, _args, context) =>
      (await findById(ConnectorType, connectorId, context))?.name ?? null,
  },
});

export const CatalogChangeType = objectType<PastChange>(
  "CatalogChange",
  "One change. What one sync changed for one cause is one change, with the rest in `details`.",
).with({
  id: { ...typed("ID", "Its id."), resolve: ({ moment, key }) => changeId(moment, key) },
  at: {
    ...typed("DateTime", "When it was written. All changes of one sync have the same time."),
    resolve: ({ moment }) => moment.at,
  },
  kind: typed(ChangeEntryKindType, "What happened."),
  asset: (t) =>
    t.expose("node", {
      type: ChangedAssetType,
      description: "What changed, as it was afterwards; if it was removed, as it was before.",
    }),
  other: typedOrNull(
    ChangedAssetType,
    "The upstream end of an edge, or a renamed asset as it was before; null for other kinds.",
  ),
  actor: {
    type: "String",
    nullable: true,
    description: "The person's e-mail address, or the part of the service that acted; null if a sync found it.",
    resolve: ({ moment: { actor, connectorId } }) => (connectorId === PEOPLE ? actor : null),
  },
  by: {
    ...typedOrNull(PersonType, "The person or part of the service that acted, by name; null if a sync found it."),
    resolve: ({ moment: { actor, connectorId } }) => (connectorId === PEOPLE ? toPerson(actor) : null),
  },
  sync: {
    ...typedOrNull(ChangeSyncType, "The sync that found it; null if a person or a part of the service made it."),
    resolve: ({ moment }) => (moment.connectorId === PEOPLE ? null : moment),
  },
  field: typedOrNull(ChangedFieldType, "The field that changed; null if the whole thing came or went."),
  before: typedOrNull("String", "The earlier value; for a removed column its data type. Null if there was none."),
  after: typedOrNull("String", "The new value; for an added column its data type. Null if there is none."),
  edgeKind: typedOrNull(EdgeKind, "What an edge means; null for other kinds."),
  check: {
    ...typedOrNull("String", "The name of the check or schedule whose result changed; null for other kinds."),
    resolve: ({ check }) => check?.name ?? null,
  },
  cause: {
    type: "String",
    nullable: true,
    description:
      "Why it changed, in words: what made a certification lapse, the note of the person who changed it, or what the source says " +
      "about the result of a check. Null if no reason is known.",
    resolve: ({ kind, node, moment: { at }, after: certification, check }, _args, context) =>
      kind === "certification_changed" && node.type === "metric"
        ? findCertificationNote(node.id, { at, certification }, context)
        : check?.message || null,
  },
  risk: typedOrNull(
    Risk,
    "The highest risk that an impact of this change had just before it; null if it could break nothing. For new SQL it is " +
      "that of the columns that went or got another type.",
  ),
  details: listOf(
    ChangePartType,
    "The columns and edges that changed with new SQL, with the columns that it computes otherwise; and the columns that a renamed asset did not keep.",
    5,
  ),
});

function changeId({ number }: Moment, key: string): string {
  return `${number}-${hash("sha256", key, "hex").slice(0, 16)}`;
}
