/** What a change would break: everything that depends on an asset, with its risk and the evidence for it. */
import type { AffectedNode, Evidence } from "../catalog/impact.ts";
import { notFound } from "../errors.ts";
import { toNodeId } from "../ids.ts";
import { type AffectedOwner, assessImpact, type ImpactSummary } from "./assess-impact.ts";
import { builder, requires } from "./builder.ts";
import { CompletenessType } from "./completeness.ts";
import { Certification, ChangeEffect, ChangeType, EvidenceKind, LineageLevel, NodeType, Risk } from "./enums.ts";
import { FailingChecksType, findMaxChecks } from "./failing-checks.ts";
import { loadNode, WALK_COST } from "./lineage.ts";
import { CatalogNodeType, ImpactType } from "./refs.ts";

/** It walks the whole closure, at both levels; that of each column of a table may still be asked for at once. */
export const IMPACT_COST = 3 * WALK_COST;
/** What lists of unknown length count as in a query's cost. */
const ASSUMED_LENGTH = 200;
const ASSUMED_HOPS = 5;
const ASSUMED_OWNERS = 10;

/** What a change is described by. */
export const changeArgs = builder.args((t) => ({
  changeType: t.field({ type: ChangeType, required: true, description: "What would be done to it." }),
  newType: t.string({
    description: "With `type_change`: the data type that a column would get. Without it, the change narrows.",
  }),
}));

export const Summary = builder.objectRef<ImpactSummary>("ImpactSummary").implement({
  description: "How much is affected: exact, whether all of it is shown or not.",
  fields: (t) => ({
    totalAffected: t.expose("totalAffected", { type: "NonNegativeInt", description: "Everything that is affected." }),
    highRiskCount: t.expose("highRiskCount", { type: "NonNegativeInt", description: "How much is at high risk." }),
    mediumRiskCount: t.expose("mediumRiskCount", {
      type: "NonNegativeInt",
      description: "How much is at medium risk.",
    }),
    lowRiskCount: t.expose("lowRiskCount", { type: "NonNegativeInt", description: "How much is at low risk." }),
  }),
});

const EvidenceType = builder.objectRef<Evidence>("Evidence").implement({
  description: "Why a change is carried over one hop of a path.",
  fields: (t) => ({
    kind: t.expose("kind", { type: EvidenceKind, description: "How surely the hop carries the change." }),
    level: t.expose("level", { type: LineageLevel, description: "Whether columns are known, or assets alone." }),
    transformation: t.string({
      nullable: true,
      description:
        "The strongest way in which the upstream column is used, as `Transformation` names it; `REFERENCE` if it is only " +
        "known that the SQL names it; null if nothing is known.",
      resolve: ({ transformation }) => transformation || null,
    }),
    expression: t.string({
      nullable: true,
      description: "The SQL that uses it; for a `REFERENCE`, the column's name. Null if it is unknown.",
      resolve: ({ expression }) => expression || null,
    }),
    from: t.exposeID("from", { description: "The upstream end: a column, where that is known." }),
    to: t.exposeID("to", { description: "The downstream end: a column, where that is known." }),
  }),
});

export const Affected = builder.objectRef<AffectedNode>("AffectedNode").implement({
  description: "An asset or metric that a change would affect.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The asset's or metric's id." }),
    name: t.exposeString("name", { description: "Its own name." }),
    fqn: t.exposeString("fqn", { description: "Its dot-separated, fully qualified name." }),
    type: t.expose("type", { type: NodeType, description: "What it is." }),
    certification: t.expose("certification", { type: Certification, description: "How far it is trusted." }),
    risk: t.expose("risk", { type: Risk, description: "Derived from the change, the evidence and what it is." }),
    reason: t.exposeString("reason", { description: "The path and its evidence, in one sentence." }),
    hops: t.exposeInt("hops", { description: "How many hops the path has." }),
    path: t.exposeIDList("path", {
      description: "Ids from the changed asset to this one, along the strongest path, and of these the shortest.",
      complexity: { field: 1, multiplier: ASSUMED_HOPS },
    }),
    evidence: t.expose("evidence", {
      type: [EvidenceType],
      description: "One for each hop of the path.",
      complexity: { field: 1, multiplier: ASSUMED_HOPS },
    }),
    owner: t.field({
      type: "EmailAddress",
      nullable: true,
      description: "The e-mail address of the owner, for a column of its table's owner; null if it is unknown.",
      resolve: ({ owner }) => owner || null,
    }),
    ownerName: t.string({
      nullable: true,
      description: "The owner's name, or an owner that is no e-mail address; null if it is unknown.",
      resolve: ({ ownerName }) => ownerName || null,
    }),
    node: t.field({
      type: CatalogNodeType,
      description: "The asset or metric itself.",
      resolve: (affected, _args, context) => loadNode(affected.id, context),
    }),
  }),
});

export const Owner = builder.objectRef<AffectedOwner>("AffectedOwner").implement({
  description: "Somebody to tell of a change. Address and name are null for what nobody owns.",
  fields: (t) => ({
    owner: t.field({
      type: "EmailAddress",
      nullable: true,
      description: "The e-mail address; null if it is unknown.",
      resolve: ({ owner }) => owner || null,
    }),
    ownerName: t.string({
      nullable: true,
      description: "The name; null if it is unknown.",
      resolve: ({ ownerName }) => ownerName || null,
    }),
    summary: t.expose("summary", { type: Summary, description: "How much of theirs is affected, shown or not." }),
    affected: t.expose("affected", {
      type: [Affected],
      description: "What of theirs is among the affected that are shown.",
      complexity: { field: 1, multiplier: ASSUMED_LENGTH / ASSUMED_OWNERS },
    }),
  }),
});

ImpactType.implement({
  description: "What a change would affect, over everything downstream, however far.",
  fields: (t) => ({
    assetId: t.exposeID("assetId", { description: "What would be changed; it is not among the affected." }),
    asset: t.expose("asset", { type: CatalogNodeType, description: "What would be changed." }),
    changeType: t.expose("changeType", { type: ChangeType, description: "What would be done to it." }),
    newType: t.exposeString("newType", {
      nullable: true,
      description: "The data type that a column would get; null when it was not named.",
    }),
    effect: t.expose("effect", { type: ChangeEffect, description: "What that means to those who read it." }),
    summary: t.expose("summary", { type: Summary, description: "How much is affected, shown or not." }),
    affected: t.expose("affected", {
      type: [Affected],
      description: "What is affected, by risk, then by hops, then by name: the first 10,000.",
      complexity: { field: 1, multiplier: ASSUMED_LENGTH },
    }),
    owners: t.expose("owners", {
      type: [Owner],
      description: "Everybody who owns something affected, shown or not; the worst hit first, nobody's last.",
      complexity: { field: 1, multiplier: ASSUMED_OWNERS },
    }),
    checks: t.field({
      type: FailingChecksType,
      description: "The checks that would fail. They are not among the affected, and not in the summary.",
      resolve({ checks }) {
        if (checks === null) throw new Error("checks were not looked for, and are asked for");
        return checks;
      },
    }),
    truncated: t.exposeBoolean("truncated", { description: "True when more is affected than is shown." }),
    completeness: t.expose("coverage", {
      type: CompletenessType,
      description: "What could not be known of the asset and of all that is affected, shown or not.",
    }),
  }),
});

builder.queryField("impact", (t) =>
  t.field({
    type: ImpactType,
    description: "What a change to an asset or metric would affect, with the risk and the reason.",
    extensions: requires("read"),
    args: {
      id: t.arg.id({ required: true, description: "What would be changed." }),
      ...changeArgs,
    },
    complexity: IMPACT_COST,
    resolve: async (_root, { id, ...change }, context, info) => {
      const asset = await context.loaders.nodes.load(toNodeId(id));
      if (asset === null) throw notFound("asset", id);
      return assessImpact(asset, change, context, { maxChecks: findMaxChecks(info) });
    },
  }),
);
