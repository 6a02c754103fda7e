/** People's edits of assets. They take precedence over what connectors state. */
import type { CatalogNode } from "../catalog/asset.ts";
import { EDITABLE_FIELDS, type Edit } from "../catalog/edits.ts";
import { editAsset, editAssets, MAX_EDITED } from "../ingest/edit-asset.ts";
import { type NodeId, toNodeId } from "../ids.ts";
import { builder, objectType, typed, typedOrNull, wordsType } from "./builder.ts";
import { type GraphqlContext, originOf } from "./context.ts";
import { loadEach } from "./loaders.ts";
import { payload, mutation, shows } from "./mutation.ts";
import { AssetObject } from "./refs.ts";
import { PersonType, toPerson } from "./person.ts";

/** The assumed number of edits in a query's cost. */
const ASSUMED_EDITS = EDITABLE_FIELDS.length;

const EditableField = wordsType<Edit["field"]>("EditableField", "The fields of an asset that people can edit.", {
  description: "Its description.",
  tags: "Its tags, all of them.",
  owner: "Its owner's e-mail address.",
});

const AssetEditType = objectType<Edit>("AssetEdit", "The last edit of one field of an asset.").with({
  field: typed(EditableField, "The field."),
  by: typed("String", "Who edited it: a user's e-mail address or a service account's name."),
  editor: {
    ...typedOrNull(PersonType, "The same by name; null if it is unknown."),
    resolve: ({ by }) => toPerson(by),
  },
  at: typed("DateTime", "When."),
  isReset: typed("Boolean", "True if the edit was removed, so that what the connectors state is shown."),
});

builder.objectField(AssetObject, "edits", (t) =>
  t.loadableList({
    type: AssetEditType,
    description: "Who edited which field last, and when; an empty list if nobody did.",
    complexity: { field: 1, multiplier: ASSUMED_EDITS },
    ...loadEach(({ graph }, ws, assets: readonly NodeId[]) => graph.loadEdits(ws, assets)),
    resolve: ({ id }) => id,
  }),
);

const AssetExpected = builder.inputType("AssetExpected", {
  description: "What an asset showed to its editor, so that nobody's edit is overwritten unseen.",
  fields: (t) => ({
    description: t.string({ description: "The description." }),
    tags: t.stringList({ description: "All tags." }),
    owner: t.string({ description: "The owner's e-mail address." }),
  }),
});

mutation("updateAsset", {
  description:
    "Edits an asset's description, tags and owner. The edit takes precedence over what connectors state. It is kept through every sync, and also if the asset is removed and comes back.",
  requires: "write",
  input:
    "An edit of an asset. A field that is left out stays as it is. Null removes the edit, so that what the connectors state is shown again.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The asset's id." }),
    description: t.string({ description: "At most 10,000 characters. An empty text means no description." }),
    tags: t.stringList({ description: "All of its tags: at most 100, of at most 200 characters each." }),
    owner: t.string({ description: "The owner's e-mail address. An empty text means no owner." }),
    expected: t.field({
      type: AssetExpected,
      description:
        "If a field to be edited shows something else, nothing is edited: `conflict`. Left out: whatever it shows.",
    }),
  }),
  answer: shows("asset", AssetObject, "The asset as it is shown now."),
  resolve: ({ id, expected, ...edit }, context) =>
    editAsset(partsOf(context), originOf(context), toNodeId(id), edit, expected ?? {}),
});

function partsOf({ services: { graph, auth } }: GraphqlContext) {
  return { graph, store: auth.store, clock: auth.clock };
}

mutation("updateAssets", {
  description:
    "Adds tags to several assets, and gives them an owner. The audit trail has each of them, as with `updateAsset`. If one of them does not exist, none is changed.",
  requires: "write",
  input: "An edit of several assets.",
  fields: (t) => ({
    ids: t.idList({ required: true, description: `The ids of the assets, at most ${MAX_EDITED}.` }),
    addTags: t.stringList({ description: "Tags that each of them gets in addition to its own." }),
    owner: t.string({
      description: "The e-mail address of the new owner of all. An empty text means no owner; null keeps each owner.",
    }),
  }),
  answer: payload<{ assets: CatalogNode[] }>("What `updateAssets` answers.").with({
    assets: typed([AssetObject], "The assets as they are shown now."),
  }),
  resolve: async ({ ids, addTags, owner }, context) => ({
    assets: await editAssets(partsOf(context), originOf(context), ids.map(toNodeId), {
      addTags: addTags ?? [],
      owner: owner ?? undefined,
    }),
  }),
});
