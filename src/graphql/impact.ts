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
import { CatalogNodeType, ImpactType, findNode } from "./refs.ts";

/** The cost of one impact, which walks everything downstream. A query can still ask for that of each column of a table. */
export const IMPACT_COST = 3 * WALK_COST;
/** The assumed length of lists in a query's cost. */
const ASSUMED_LENGTH = 200;
const ASSUMED_HOPS = 5;
const ASSUMED_OWNERS = 10;

/** The arguments that describe a change. */
export const changeArgs = builder.args((t) => ({
  changeType: t.field({ type: ChangeType, required: true, description: "What would be done to it." }),
  newType: t.string({
    description: "With `type_change`: the new data type of the column. If left out, the change counts as narrowing.",
  }),
}));

export const Summary = builder.objectRef<ImpactSummary>("ImpactSummary").implement({
  description: "Exactly how much is affected, whether all of it is shown or not.",
  fields: (t) => ({
    totalAffected: t.expose("totalAffected", {
      type: "NonNegativeInt",
      description: "How many assets and metrics are affected.",
    }),
    highRiskCount: t.expose("highRiskCount", {
      type: "NonNegativeInt",
      description: "How many of them are at high risk.",
    }),
    mediumRiskCount: t.expose("mediumRiskCount", {
      type: "NonNegativeInt",
      description: "How many of them are at medium risk.",
    }),
    lowRiskCount: t.expose("lowRiskCount", {
      type: "NonNegativeInt",
      description: "How many of them are at low risk.",
    }),
  }),
});

const EvidenceType = builder.objectRef<Evidence>("Evidence").implement({
  description: "Why a change passes over one hop of a path.",
  fields: (t) => ({
    kind: t.expose("kind", {
      type: EvidenceKind,
      description: "How certain it is that the change passes over the hop.",
    }),
    level: t.expose("level", {
      type: LineageLevel,
      description: "Whether it is about columns, or only about whole assets.",
    }),
    transformation: t.string({
      nullable: true,
      description:
        "The strongest way in which the upstream column is used: a value of `Transformation`, or `REFERENCE` if it is only known " +
        "that the SQL names the column. Null if nothing is known.",
      resolve: ({ transformation }) => transformation || null,
    }),
    expression: t.string({
      nullable: true,
      description: "The SQL that uses it; for a `REFERENCE`, the column's name. Null if it is unknown.",
      resolve: ({ expression }) => expression || null,
    }),
    from: t.exposeID("from", { description: "The id of the upstream end: a column, if that is known." }),
    to: t.exposeID("to", { description: "The id of the downstream end: a column, if that is known." }),
  }),
});

export const Affected = builder.objectRef<AffectedNode>("AffectedNode").implement({
  description: "An asset or metric that a change would affect.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The asset's or metric's id." }),
    name: t.exposeString("name", { description: "Its own name." }),
    fqn: t.exposeString("fqn", { description: "Its dot-separated, fully qualified name." }),
    type: t.expose("type", { type: NodeType, description: "What it is." }),
    certification: t.expose("certification", { type: Certification, description: "How much it can be trusted." }),
    risk: t.expose("risk", {
      type: Risk,
      description: "The risk, which follows from the change, the evidence and its type.",
    }),
    reason: t.exposeString("reason", { description: "The path and its evidence, in one sentence." }),
    hops: t.exposeInt("hops", { description: "How many hops the path has." }),
    path: t.exposeIDList("path", {
      description: "Ids from the changed asset to this one: the strongest path, or the shortest of several.",
      complexity: { field: 1, multiplier: ASSUMED_HOPS },
    }),
    evidence: t.expose("evidence", {
      type: [EvidenceType],
      description: "The evidence for each hop of the path.",
      complexity: { field: 1, multiplier: ASSUMED_HOPS },
    }),
    owner: t.field({
      type: "EmailAddress",
      nullable: true,
      description: "The owner's e-mail address; null if it is unknown. A column has the owner of its table.",
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
  description: "An owner of affected assets. Address and name are both null for assets without an owner.",
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
    summary: t.expose("summary", {
      type: Summary,
      description: "How many of the owner's assets are affected, whether shown or not.",
    }),
    affected: t.expose("affected", {
      type: [Affected],
      description: "The owner's assets among the affected assets that are shown.",
      complexity: { field: 1, multiplier: ASSUMED_LENGTH / ASSUMED_OWNERS },
    }),
  }),
});

ImpactType.implement({
  description: "Everything downstream that a change would affect, however far away.",
  fields: (t) => ({
    assetId: t.exposeID("assetId", { description: "The id of what would be changed. It is not among the affected." }),
    asset: t.expose("asset", { type: CatalogNodeType, description: "What would be changed." }),
    changeType: t.expose("changeType", { type: ChangeType, description: "What would be done to it." }),
    newType: t.exposeString("newType", {
      nullable: true,
      description: "The new data type of a column; null if it was not given.",
    }),
    effect: t.expose("effect", { type: ChangeEffect, description: "What that means for everything that reads it." }),
    summary: t.expose("summary", { type: Summary, description: "How much is affected, whether shown or not." }),
    affected: t.expose("affected", {
      type: [Affected],
      description: "The first 10,000 affected assets and metrics, in the order of risk, hops and name.",
      complexity: { field: 1, multiplier: ASSUMED_LENGTH },
    }),
    owners: t.expose("owners", {
      type: [Owner],
      description:
        "The owners of all that is affected, whether shown or not, the worst hit first. What has no owner comes last.",
      complexity: { field: 1, multiplier: ASSUMED_OWNERS },
    }),
    checks: t.field({
      type: FailingChecksType,
      description: "The checks that would fail. They are neither among the affected nor in the summary.",
      resolve({ checks }) {
        if (checks === null) throw new Error("checks are asked for, but were not looked for");
        return checks;
      },
    }),
    truncated: t.exposeBoolean("truncated", { description: "True if more is affected than is shown." }),
    completeness: t.expose("coverage", {
      type: CompletenessType,
      description:
        "Where the lineage of the asset and of all that is affected may be incomplete, whether shown or not.",
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
      const asset = await findNode(toNodeId(id), context);
      if (asset === null) throw notFound("asset", id);
      return assessImpact(asset, change, context, { maxChecks: findMaxChecks(info) });
    },
  }),
);
