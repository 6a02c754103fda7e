/** The impact of a change set, as clients read it. */
import type { AssessedChange, JointlyAffected } from "../catalog/change-set/join-impact.ts";
import type { AffectedNode, Risk } from "../catalog/impact.ts";
import { toImpactJson } from "../what-if/impact-json.ts";
import { toImpactMarkdown } from "../what-if/impact-markdown.ts";
import { countUnread, describeVerdict, isCrossed, isEmpty, listSteps, summarize } from "../what-if/impact-words.ts";
import type { FailingCheck, FailingChecks } from "../what-if/failing-checks.ts";
import type { WhatIfReport } from "../what-if/what-if.ts";
import { AffectedAssets, filterArgs, toAssets } from "./affected-assets.ts";
import { type AffectedOwner, type ImpactSummary, toSummary, withAffected } from "./assess-impact.ts";
import { emptyAsNull, listOf, objectType, typed, typedOrNull } from "./builder.ts";
import { CertificationLapses } from "./certification-lapse.ts";
import { CheckKind } from "./check.ts";
import { CompletenessType } from "./completeness.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";
import { AffectedState, Certification, ChangeKind, ChangeType, FailOn, NodeType } from "./enums.ts";
import { Affected, Owner, Summary } from "./impact-parts.ts";
import { LineageChangesType } from "./lineage-diff-types.ts";
import { CERTIFIER, OWNED_BY } from "./person.ts";
import { UncomparedType } from "./uncompared.ts";
import { RewrittenType } from "./rewritten.ts";
import { toUnrefreshed, unrefreshedField } from "./unrefreshed.ts";

/** The assumed length of lists in a query's cost. */
const ASSUMED_LENGTH = 200;
const ASSUMED_CHANGES = 20;

/** Plain data, so that the many affected assets need no resolvers. */
interface ShownChange extends Omit<AssessedChange, "summary"> {
  summary: ImpactSummary;
}

interface ShownReport extends Pick<
  WhatIfReport,
  | "adapted"
  | "dropped"
  | "affected"
  | "groups"
  | "uncompared"
  | "truncated"
  | "checks"
  | "lapses"
  | "rewritten"
  | "coverage"
> {
  /** The whole impact, from which Markdown and JSON are written. */
  report: WhatIfReport;
  changes: ShownChange[];
  summary: ImpactSummary;
  owners: AffectedOwner[];
  /** Without what is adapted or dropped. */
  still: AffectedNode[];
}

const ChangeObject = objectType<ShownChange>("Change", "One change of a change set.").with({
  kind: typed(ChangeKind, "What was found to happen."),
  changeType: typed(ChangeType, "The type of the change, as `impact` takes it."),
  id: typed("ID", "The id of what changes."),
  name: typed("String", "Its own name, before the change."),
  fqn: typed("String", "Its fully qualified name, before the change."),
  type: typed(NodeType, "What it is."),
  newName: emptyAsNull(
    "The new name of a renamed column, or the new fully qualified name of a moved asset; null for all other changes.",
  ),
  oldType: emptyAsNull("A column's data type before; null if it is unknown."),
  newType: emptyAsNull("A column's data type afterwards; null if it is unknown."),
  confidence: typed("Float", "How certain it is that this happened, from 0 to 1. Below 1 it is a guess."),
  because: emptyAsNull("Why it was guessed; null if it is not a guess."),
  certification: typed(Certification, "Of the asset, before the change; `none` for a column."),
  certifier: (t) => t.field(CERTIFIER),
  ownedBy: (t) => t.field(OWNED_BY),
  summary: typed(Summary, "How much this change affects, without what the change set adapts or drops."),
  assets: {
    ...typed("NonNegativeInt", "How many assets and metrics this change affects. Their columns do not count."),
    resolve: ({ assets }) => assets.total,
  },
});

const JointlyAffectedType = objectType<JointlyAffected>(
  "JointlyAffected",
  "Something that depends on what a change set changes.",
).with({
  state: typed(AffectedState, "What happens to it."),
  changes: typed(["Int"], "The changes that reach it, as indexes of the list of changes, from 0."),
  impact: typed(Affected, "The worst impact that they have on it."),
});

const FailingCheckType = objectType<FailingCheck>(
  "FailingCheck",
  "A dbt test, or another check of an asset, that would fail.",
).with({
  id: typed("ID", "The check's id, as in `checks` of its asset."),
  name: typed("String", "Its own name."),
  kind: typed(CheckKind, "What it looks at."),
  assetId: typed("ID", "The table or model that it belongs to."),
  reason: typed("String", "Why it would fail, in one sentence."),
});

const UnbuiltType = objectType<FailingChecks["unbuilt"][number]>(
  "ChangeSetUnbuilt",
  "A table or model that cannot be built any more, because its own SQL needs what goes away.",
).with({
  id: typed("ID", "Its id."),
  name: typed("String", "Its own name."),
  type: typed(NodeType, "What it is."),
  change: typed("Int", "The change that it does not follow, as an index of the list of changes, from 0."),
});

const FailingChecksType = objectType<FailingChecks>(
  "FailingChecks",
  "The checks that would fail. They do not count as affected.",
).with({
  total: typed("NonNegativeInt", "How many would fail."),
  wouldFail: typed([FailingCheckType], "The checks that are listed."),
  truncated: typed("Boolean", "True if more checks would fail than are listed."),
  unbuilt: typed([UnbuiltType], "What cannot be built any more: edit it first."),
  skippedModels: {
    ...typed("NonNegativeInt", "How many models are built from those. dbt would skip them."),
    resolve: ({ skipped }) => skipped.models,
  },
  skippedChecks: {
    ...typed("NonNegativeInt", "How many checks of all of these dbt would skip. They are not in `total`."),
    resolve: ({ skipped }) => skipped.checks,
  },
});

const failOn = {
  type: FailOn,
  description:
    "Fails if anything is at this risk or a higher one. A check that would fail and a certified metric that is dropped or renamed count as high, a certification that would lapse as medium. With `none`, or if left out, never fails.",
} as const;

const saving = {
  type: "Boolean",
  description:
    "Whether to save the whole impact for 90 days, and to tell the address of the page that shows it to members of the workspace. One in which nothing differs, or of more than 4 MiB, is not saved.",
} as const;

/** @returns its id; null if it is not saved */
async function saveReport(report: WhatIfReport, context: GraphqlContext): Promise<string | null> {
  if (isEmpty(report)) return null;
  return context.services.savedImpacts.save(workspaceOf(context), report, context.caller);
}

/** @returns the address of the page that shows it; null if it is not saved */
async function linkToSaved(report: WhatIfReport, context: GraphqlContext): Promise<string | null> {
  const id = await saveReport(report, context);
  return id === null ? null : `${context.services.logins.publicUrl()}/impact/saved/${id}`;
}

export const ChangeSetImpactType = objectType<ShownReport>(
  "ChangeSetImpact",
  "What several changes together would break.",
).with({
  against: {
    ...typedOrNull("String", "The name of the connector whose project was compared; null if the changes were named."),
    resolve: ({ report }) => report.against || null,
  },
  changes: listOf(ChangeObject, "The changes.", ASSUMED_CHANGES),
  summary: typed(
    Summary,
    "How many assets, metrics and columns are affected, each counted once, without those that are adapted or dropped.",
  ),
  adapted: typed("NonNegativeInt", "How many are adapted by the change set."),
  dropped: typed("NonNegativeInt", "How many are dropped by the change set."),
  assets: (t) =>
    t.field({
      type: AffectedAssets,
      description: "The affected assets and metrics as people read them, without those that are adapted or dropped.",
      args: filterArgs,
      resolve: ({ groups, still }, args) => toAssets({ groups, affected: still }, args),
    }),
  affected: (t) =>
    t.field({
      type: [JointlyAffectedType],
      description:
        "Each asset, metric and column once: the affected, then the adapted, then the dropped ones, the worst and nearest first.",
      args: { states: t.arg({ type: [AffectedState], description: "Only those in one of these states." }) },
      complexity: { field: 1, multiplier: ASSUMED_LENGTH },
      resolve: ({ affected }, { states }) =>
        states == null ? affected : affected.filter(({ state }) => states.includes(state)),
    }),
  owners: listOf(
    Owner,
    "The owners of what is affected, the worst hit first. What has no owner comes last.",
    ASSUMED_CHANGES,
  ),
  uncompared: typed([UncomparedType], "What could not be compared."),
  truncated: typed("Boolean", "True if more is affected than is shown and counted."),
  completeness: {
    type: CompletenessType,
    description:
      "Where the lineage of the changed and the affected assets may be incomplete. A gap that several changes share counts once.",
    resolve: ({ coverage, report }) => ({ ...coverage, unread: countUnread(report) }),
  },
  checks: typed(FailingChecksType, "The checks that would fail."),
  unrefreshed: (t) =>
    t.field({
      ...unrefreshedField,
      resolve: ({ checks: { unrefreshed } }, args) => toUnrefreshed(unrefreshed, args),
    }),
  lapses: typed(CertificationLapses, "The certifications that would lapse."),
  rewritten: typed(RewrittenType, "What would be computed otherwise, and who reads it."),
  failed: (t) =>
    t.boolean({
      description: "Whether something is at the given risk or a higher one, as `failOn` says.",
      args: { failOn: t.arg(failOn) },
      resolve: ({ report }, args) => isCrossed(report, toBar(args.failOn)),
    }),
  verdict: (t) =>
    t.string({
      nullable: true,
      description: "Whether it fails, and why, in one sentence; null without a risk that makes it fail.",
      args: { failOn: t.arg(failOn) },
      resolve: ({ report }, args) => describeVerdict(report, toBar(args.failOn)) || null,
    }),
  headline: { ...typed("String", "How much it affects, in one sentence."), resolve: ({ report }) => summarize(report) },
  steps: {
    ...typed(["String"], "What to do first: which models still name what is gone, and what to write there."),
    resolve: ({ report }) => listSteps(report),
  },
  isPartial: {
    type: "Boolean",
    description:
      "True if a model or another object of the manifest could not be read, so that its changes are not known.",
    resolve: ({ report }) => countUnread(report) > 0,
  },
  isEmpty: {
    type: "Boolean",
    description:
      "True if nothing was found: no change, also of SQL or lineage, no failing check, no lapse, and nothing that could not be compared.",
    resolve: ({ report }) => isEmpty(report),
  },
  lineage: {
    type: LineageChangesType,
    description: "How the manifest changes the lineage of its project. Nothing if the changes were named.",
    resolve: ({ report }) => report.lineage,
  },
  savedId: {
    type: "ID",
    nullable: true,
    description:
      "Saves the whole impact for 90 days, and tells its id, as `savedImpact` and `lineageDiff` take it. Null if it is not saved, because nothing differs or it has more than 4 MiB.",
    resolve: ({ report }, _args, context) => saveReport(report, context),
  },
  markdown: (t) =>
    t.string({
      description:
        "The impact as Markdown, for a comment on a pull request: first what people look at and whom to tell, then the rest, folded. Long lists are cut.",
      args: { failOn: t.arg(failOn), save: t.arg(saving) },
      resolve: async ({ report }, args, context) => {
        const bar = toBar(args.failOn);
        const link = args.save === true ? await linkToSaved(report, context) : null;
        const isUsual = (bar ?? "high") === "high";
        return toImpactMarkdown(report, bar, link === null || isUsual ? link : `${link}?fail_on=${bar}`);
      },
    }),
  json: (t) =>
    t.field({
      type: "JSONObject",
      description:
        "The whole impact as JSON, in the form of the REST API. `tributary impact --format json` writes the same.",
      args: { failOn: t.arg(failOn), save: t.arg(saving) },
      resolve: async ({ report }, args, context) =>
        toImpactJson(report, toBar(args.failOn), args.save === true ? await linkToSaved(report, context) : null),
    }),
});

function toBar(word: Risk | "none" | null | undefined): Risk | null {
  return word === "none" ? null : (word ?? null);
}

export function toShown(report: WhatIfReport): ShownReport {
  const { changes, summary, owners, affected, ...rest } = report;
  const still = affected.filter(({ state }) => state === "affected").map(({ impact }): AffectedNode => impact);
  return {
    ...rest,
    report,
    affected,
    still,
    changes: changes.map((change) => Object.assign({}, change, { summary: toSummary(change.summary) })),
    summary: toSummary(summary),
    owners: withAffected(owners, still),
  };
}
