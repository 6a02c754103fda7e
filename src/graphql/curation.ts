/** People's edits of assets. They take precedence over what connectors state. */
import { EDITABLE_FIELDS, type Edit } from "../catalog/edits.ts";
import { editAsset } from "../ingest/edit-asset.ts";
import { type NodeId, toNodeId } from "../ids.ts";
import { builder, requires } from "./builder.ts";
import { originOf } from "./context.ts";
import { loadEach } from "./loaders.ts";
import { INPUT_DESCRIPTION, payloadType } from "./mutation.ts";
import { AssetObject } from "./refs.ts";

/** The assumed number of edits in a query's cost. */
const ASSUMED_EDITS = EDITABLE_FIELDS.length;

const EditableField = builder.enumType("EditableField", {
  description: "The fields of an asset that people can edit.",
  values: {
    description: { description: "Its description." },
    tags: { description: "Its tags, all of them." },
    owner: { description: "Its owner's e-mail address." },
  } satisfies Record<Edit["field"], { description: string }>,
});

const AssetEditType = builder.objectRef<Edit>("AssetEdit").implement({
  description: "The last edit of one field of an asset.",
  fields: (t) => ({
    field: t.expose("field", { type: EditableField, description: "The field." }),
    by: t.exposeString("by", { description: "Who edited it: a user's e-mail address or a service account's name." }),
    at: t.expose("at", { type: "DateTime", description: "When." }),
    isReset: t.exposeBoolean("isReset", {
      description: "True if the edit was removed, so that what the connectors state is shown.",
    }),
  }),
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

const UpdateAssetInput = builder.inputType("UpdateAssetInput", {
  description:
    "An edit of an asset. A field that is left out stays as it is. Null removes the edit, so that what the connectors state is shown again.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The asset's id." }),
    description: t.string({ description: "At most 10,000 characters. An empty text means no description." }),
    tags: t.stringList({ description: "All of its tags: at most 100, of at most 200 characters each." }),
    owner: t.string({ description: "The owner's e-mail address. An empty text means no owner." }),
  }),
});

builder.mutationField("updateAsset", (t) =>
  t.field({
    type: payloadType("updateAsset", "asset", AssetObject, "The asset as it is shown now."),
    description:
      "Edits an asset's description, tags and owner. The edit takes precedence over what connectors state. It is kept through every crawl, and also if the asset is removed and comes back.",
    extensions: requires("write"),
    args: { input: t.arg({ type: UpdateAssetInput, required: true, description: INPUT_DESCRIPTION }) },
    resolve: async (_root, { input: { id, ...edit } }, context) => {
      const { graph, auth } = context.services;
      return {
        changed: await editAsset(
          { graph, store: auth.store, clock: auth.clock },
          originOf(context),
          toNodeId(id),
          edit,
        ),
      };
    },
  }),
);
