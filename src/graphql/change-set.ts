/** Change sets: what several changes together would break. They come from a new dbt manifest, or are named one by one. */
import { type Change, nameChange } from "../catalog/change-set/change.ts";
import { badField, notFound } from "../errors.ts";
import { toNodeId } from "../ids.ts";
import type { WhatIfReport } from "../what-if/what-if.ts";
import { checkChange } from "./assess-impact.ts";
import { builder, objectType, queryField, typed, typedOrNull } from "./builder.ts";
import { ChangeSetImpactType, toShown } from "./change-set-impact.ts";
import { getPrincipal, type GraphqlContext, workspaceOf } from "./context.ts";
import { ChangeType } from "./enums.ts";
import { WALK_COST } from "./lineage.ts";
import { toGivenFile, Upload } from "./upload.ts";
import { findNode } from "./refs.ts";

const MAX_NAMED_CHANGES = 50;
const MAX_FOUND_CHANGES = 200;
/** A manifest in a request of its own may be that of a large pull request. Only the time of the request limits it. */
const MAX_UPLOADED_CHANGES = 1_000;
/** Reading SQL takes longer than any walk, so a query can have only one comparison. */
const MANIFEST_COST = 110_000;

queryField("manifestImpact", "read", {
  type: ChangeSetImpactType,
  description: "What a new manifest of a dbt project in the catalog would break. The manifest is not stored.",
  args: builder.args((t) => ({
    connectorId: t.id({
      description:
        "The id or name of the connector that reads the project. If left out, it is the one whose project has the most of the manifest's objects.",
    }),
    manifest: t.string({ description: "The text of the new manifest.json, compiled." }),
    upload: t.field({
      type: Upload,
      description: "Instead of `manifest`: the new manifest.json as a file.",
    }),
    catalog: t.string({ description: "The text of the new catalog.json, for the types of columns." }),
    catalogUpload: t.field({
      type: Upload,
      description: "Instead of `catalog`: the new catalog.json as a file.",
    }),
  })),
  complexity: MANIFEST_COST,
  resolve: async (_root, { connectorId, manifest, upload, catalog, catalogUpload }, context) => {
    const files = {
      manifest: toGivenFile("manifest", manifest, upload?.file),
      catalog: toGivenFile("catalog", catalog, catalogUpload?.file),
    };
    if (files.manifest === undefined) throw badField("manifest", "is required");
    const { workspace } = getPrincipal(context);
    const report = await context.services.whatIf.assessManifest({
      workspace,
      caller: context.caller,
      against: connectorId ?? undefined,
      ...files,
      manifest: files.manifest,
      maxChanges: upload ? MAX_UPLOADED_CHANGES : MAX_FOUND_CHANGES,
    });
    return toShown(report);
  },
});

const ChangeInput = builder.inputType("ChangeInput", {
  description: "A change of one asset.",
  fields: (t) => ({
    id: t.id({ required: true, description: "What would be changed." }),
    changeType: t.field({ type: ChangeType, required: true, description: "What would be done to it." }),
    newType: t.string({ description: "With `type_change`: the data type that a column would get." }),
  }),
});

type NamedChange = typeof ChangeInput.$inferInput;

async function toChange({ id, ...change }: NamedChange, context: GraphqlContext): Promise<Change> {
  const node = await findNode(toNodeId(id), context);
  if (node === null) throw notFound("asset", id);
  checkChange(node, change);
  return nameChange(node, change.changeType, change.newType ?? "");
}

queryField("changeSetImpact", "read", {
  ...typed(ChangeSetImpactType, "What several changes together would break, with each affected asset once."),
  args: builder.args((t) => ({
    changes: t.field({
      type: [ChangeInput],
      required: true,
      description: `What would be changed, 1 to ${MAX_NAMED_CHANGES} changes.`,
    }),
  })),
  complexity: ({ changes }) => WALK_COST * changes.length,
  resolve: async (_root, { changes }, context) => {
    if (changes.length < 1 || changes.length > MAX_NAMED_CHANGES) {
      throw badField("changes", `must be 1 to ${MAX_NAMED_CHANGES} changes`);
    }
    const found = await Promise.all(changes.map((change) => toChange(change, context)));
    const { workspace } = getPrincipal(context);
    return toShown(await context.services.whatIf.assessChanges(workspace, found, context.caller));
  },
});

const SavedImpact = objectType<{ report: WhatIfReport; savedAt: string }>(
  "SavedImpact",
  "An impact that was saved, as it was then.",
).with({
  savedAt: typed("DateTime", "When it was saved last."),
  impact: { ...typed(ChangeSetImpactType, "The impact."), resolve: ({ report }) => toShown(report) },
});

queryField("savedImpact", "read", {
  ...typedOrNull(SavedImpact, "An impact that was saved in the last 90 days; null if there is none."),
  args: builder.args((t) => ({ id: t.id({ required: true, description: "The last part of the link to it." }) })),
  complexity: WALK_COST,
  resolve: (_root, { id }, context) => context.services.savedImpacts.find(workspaceOf(context), id),
});
