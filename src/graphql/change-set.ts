/** Change sets: what several changes together would break. They come from a new dbt manifest, or are named one by one. */
import { type Change, nameChange, type Uncompared } from "../catalog/change-set/change.ts";
import type { AssessedChange, JointlyAffected } from "../catalog/change-set/join-impact.ts";
import type { AffectedNode, Risk } from "../catalog/impact.ts";
import { badField, notFound } from "../errors.ts";
import { toNodeId } from "../ids.ts";
import { toImpactJson } from "../what-if/impact-json.ts";
import { toImpactMarkdown } from "../what-if/impact-markdown.ts";
import { isCrossed } from "../what-if/impact-words.ts";
import type { FailingCheck, FailingChecks } from "../what-if/failing-checks.ts";
import type { WhatIfReport } from "../what-if/what-if.ts";
import { type AffectedOwner, checkChange, type ImpactSummary, toSummary, withAffected } from "./assess-impact.ts";
import { builder, requires } from "./builder.ts";
import { CertificationLapses } from "./certification-lapse.ts";
import { CheckKind } from "./check.ts";
import { CompletenessType } from "./completeness.ts";
import { getPrincipal, type GraphqlContext } from "./context.ts";
import { AffectedState, ChangeKind, ChangeType, FailOn, NodeType } from "./enums.ts";
import { Affected, Owner, Summary } from "./impact.ts";
import { WALK_COST } from "./lineage.ts";
import { toGivenFile, Upload } from "./upload.ts";
import { findNode } from "./refs.ts";

const MAX_NAMED_CHANGES = 50;
const MAX_FOUND_CHANGES = 200;
/** A manifest in a request of its own may be that of a large pull request. Only the time of the request limits it. */
const MAX_UPLOADED_CHANGES = 1_000;
/** Reading SQL takes longer than any walk, so a query can have only one comparison. */
const MANIFEST_COST = 110_000;
/** The assumed length of lists in a query's cost. */
const ASSUMED_LENGTH = 200;
const ASSUMED_CHANGES = 20;

/** Plain data, so that the many affected assets need no resolvers. */
interface ShownChange extends Omit<AssessedChange, "summary"> {
  summary: ImpactSummary;
}

interface ShownReport extends Pick<
  WhatIfReport,
  "adapted" | "dropped" | "affected" | "uncompared" | "truncated" | "checks" | "lapses" | "coverage"
> {
  /** The whole impact, from which Markdown and JSON are written. */
  report: WhatIfReport;
  changes: ShownChange[];
  summary: ImpactSummary;
  owners: AffectedOwner[];
}

const ChangeObject = builder.objectRef<ShownChange>("Change").implement({
  description: "One change of a change set.",
  fields: (t) => ({
    kind: t.expose("kind", { type: ChangeKind, description: "What was found to happen." }),
    changeType: t.expose("changeType", {
      type: ChangeType,
      description: "The type of the change, as `impact` takes it.",
    }),
    id: t.exposeID("id", { description: "The id of what changes." }),
    name: t.exposeString("name", { description: "Its own name, before the change." }),
    fqn: t.exposeString("fqn", { description: "Its fully qualified name, before the change." }),
    type: t.expose("type", { type: NodeType, description: "What it is." }),
    newName: t.string({
      nullable: true,
      description:
        "The new name of a renamed column, or the new fully qualified name of a moved asset; null for all other changes.",
      resolve: ({ newName }) => newName || null,
    }),
    oldType: t.string({
      nullable: true,
      description: "A column's data type before; null if it is unknown.",
      resolve: ({ oldType }) => oldType || null,
    }),
    newType: t.string({
      nullable: true,
      description: "A column's data type afterwards; null if it is unknown.",
      resolve: ({ newType }) => newType || null,
    }),
    confidence: t.exposeFloat("confidence", {
      description: "How certain it is that this happened, from 0 to 1. Below 1 it is a guess.",
    }),
    because: t.string({
      nullable: true,
      description: "Why it was guessed; null if it is not a guess.",
      resolve: ({ because }) => because || null,
    }),
    summary: t.expose("summary", {
      type: Summary,
      description: "How much this change affects, without what the change set adapts or drops.",
    }),
  }),
});

const JointlyAffectedType = builder.objectRef<JointlyAffected>("JointlyAffected").implement({
  description: "Something that depends on what a change set changes.",
  fields: (t) => ({
    state: t.expose("state", { type: AffectedState, description: "What happens to it." }),
    changes: t.exposeIntList("changes", {
      description: "The changes that reach it, as indexes of the list of changes, from 0.",
    }),
    impact: t.expose("impact", { type: Affected, description: "The worst impact that they have on it." }),
  }),
});

const UncomparedType = builder.objectRef<Uncompared>("Uncompared").implement({
  description: "Something that could not be compared. It never counts as a change.",
  fields: (t) => ({
    object: t.string({
      nullable: true,
      description: "What it is about; null if it is about the project as a whole.",
      resolve: ({ object }) => object || null,
    }),
    message: t.exposeString("message", { description: "For people." }),
  }),
});

const FailingCheckType = builder.objectRef<FailingCheck>("FailingCheck").implement({
  description: "A dbt test, or another check of an asset, that would fail.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The check's id, as in `checks` of its asset." }),
    name: t.exposeString("name", { description: "Its own name." }),
    kind: t.expose("kind", { type: CheckKind, description: "What it looks at." }),
    assetId: t.exposeID("assetId", { description: "The table or model that it belongs to." }),
    reason: t.exposeString("reason", { description: "Why it would fail, in one sentence." }),
  }),
});

const FailingChecksType = builder.objectRef<FailingChecks>("FailingChecks").implement({
  description: "The checks that would fail. They do not count as affected.",
  fields: (t) => ({
    total: t.expose("total", { type: "NonNegativeInt", description: "How many would fail." }),
    wouldFail: t.expose("wouldFail", { type: [FailingCheckType], description: "The checks that are listed." }),
    truncated: t.exposeBoolean("truncated", { description: "True if more checks would fail than are listed." }),
  }),
});

const failOn = {
  type: FailOn,
  description:
    "Fails if anything is at this risk or a higher one. A check that would fail counts as high, a certification that would lapse as medium. With `none`, or if left out, never fails.",
} as const;

const ChangeSetImpactType = builder.objectRef<ShownReport>("ChangeSetImpact").implement({
  description: "What several changes together would break.",
  fields: (t) => ({
    changes: t.expose("changes", {
      type: [ChangeObject],
      description: "The changes.",
      complexity: { field: 1, multiplier: ASSUMED_CHANGES },
    }),
    summary: t.expose("summary", {
      type: Summary,
      description:
        "How many assets and metrics are affected, each counted once, without those that are adapted or dropped.",
    }),
    adapted: t.expose("adapted", { type: "NonNegativeInt", description: "How many are adapted by the change set." }),
    dropped: t.expose("dropped", { type: "NonNegativeInt", description: "How many are dropped by the change set." }),
    affected: t.expose("affected", {
      type: [JointlyAffectedType],
      description:
        "Each asset and metric once: the affected, then the adapted, then the dropped ones, the worst and nearest first.",
      complexity: { field: 1, multiplier: ASSUMED_LENGTH },
    }),
    owners: t.expose("owners", {
      type: [Owner],
      description: "The owners of what is affected, the worst hit first. What has no owner comes last.",
      complexity: { field: 1, multiplier: ASSUMED_CHANGES },
    }),
    uncompared: t.expose("uncompared", { type: [UncomparedType], description: "What could not be compared." }),
    truncated: t.exposeBoolean("truncated", { description: "True if more is affected than is shown and counted." }),
    completeness: t.expose("coverage", {
      type: CompletenessType,
      description:
        "Where the lineage of the changed and the affected assets may be incomplete. A gap that several changes share counts once.",
    }),
    checks: t.expose("checks", { type: FailingChecksType, description: "The checks that would fail." }),
    lapses: t.expose("lapses", { type: CertificationLapses, description: "The certifications that would lapse." }),
    failed: t.boolean({
      description: "Whether something is at the given risk or a higher one, as `failOn` says.",
      args: { failOn: t.arg(failOn) },
      resolve: ({ report }, args) => isCrossed(report, toBar(args.failOn)),
    }),
    markdown: t.string({
      description: "The whole impact as Markdown, for a comment on a pull request. Long lists are cut.",
      resolve: ({ report }) => toImpactMarkdown(report),
    }),
    json: t.field({
      type: "JSONObject",
      description:
        "The whole impact as JSON, in the form of the REST API. `tributary impact --format json` writes the same.",
      args: { failOn: t.arg(failOn) },
      resolve: ({ report }, args) => toImpactJson(report, toBar(args.failOn)),
    }),
  }),
});

function toBar(word: Risk | "none" | null | undefined): Risk | null {
  return word === "none" ? null : (word ?? null);
}

function toShown(report: WhatIfReport): ShownReport {
  const { changes, summary, owners, affected, ...rest } = report;
  const still = affected.filter(({ state }) => state === "affected").map(({ impact }): AffectedNode => impact);
  return {
    ...rest,
    report,
    affected,
    changes: changes.map((change) => Object.assign({}, change, { summary: toSummary(change.summary) })),
    summary: toSummary(summary),
    owners: withAffected(owners, still),
  };
}

builder.queryField("manifestImpact", (t) =>
  t.field({
    type: ChangeSetImpactType,
    description: "What a new manifest of a crawled dbt project would break. The manifest is not stored.",
    extensions: requires("read"),
    args: {
      connectorId: t.arg.id({
        description:
          "The id or name of the connector that crawls the project. It may be left out if there is only one dbt connector.",
      }),
      manifest: t.arg.string({ description: "The text of the new manifest.json, compiled." }),
      upload: t.arg({
        type: Upload,
        description: "Instead of `manifest`: the new manifest.json as a file.",
      }),
      catalog: t.arg.string({ description: "The text of the new catalog.json, for the types of columns." }),
      catalogUpload: t.arg({
        type: Upload,
        description: "Instead of `catalog`: the new catalog.json as a file.",
      }),
    },
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
  }),
);

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

builder.queryField("changeSetImpact", (t) =>
  t.field({
    type: ChangeSetImpactType,
    description: "What several changes together would break, with each affected asset once.",
    extensions: requires("read"),
    args: {
      changes: t.arg({
        type: [ChangeInput],
        required: true,
        description: `What would be changed, 1 to ${MAX_NAMED_CHANGES} changes.`,
      }),
    },
    complexity: ({ changes }) => WALK_COST * changes.length,
    resolve: async (_root, { changes }, context) => {
      if (changes.length < 1 || changes.length > MAX_NAMED_CHANGES) {
        throw badField("changes", `must be 1 to ${MAX_NAMED_CHANGES} changes`);
      }
      const found = await Promise.all(changes.map((change) => toChange(change, context)));
      const { workspace } = getPrincipal(context);
      return toShown(await context.services.whatIf.assessChanges(workspace, found, context.caller));
    },
  }),
);
