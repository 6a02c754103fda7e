/** The parts that impacts of one change and of a change set have in common. */
import type { AffectedNode, Evidence } from "../catalog/impact.ts";
import type { AffectedOwner, ImpactSummary } from "./assess-impact.ts";
import { builder, objectType, textOrNull, typed, typedOrNull } from "./builder.ts";
import { Certification, EvidenceKind, LineageLevel, NodeType, Risk } from "./enums.ts";
import type { GraphqlContext } from "./context.ts";
import { loadNode } from "./lineage.ts";
import { CatalogNodeType, findNode } from "./refs.ts";
import { AssetUsageType, USAGE_DESCRIPTION } from "./usage.ts";
import { OWNED_BY, OWNER_NAME } from "./person.ts";

/** The assumed length of lists in a query's cost. */
const ASSUMED_HOPS = 5;
const ASSUMED_OWNED = 20;

export const Summary = builder.objectRef<ImpactSummary>("ImpactSummary").implement({
  description:
    "Exactly how much is affected, shown or not. A column counts like an asset; `assets` counts columns apart.",
  fields: (t) => ({
    totalAffected: t.expose("totalAffected", {
      type: "NonNegativeInt",
      description: "How many assets, metrics and columns are affected.",
    }),
    highRiskCount: t.expose("highRiskCount", typed("NonNegativeInt", "How many of them are at high risk.")),
    mediumRiskCount: t.expose("mediumRiskCount", typed("NonNegativeInt", "How many of them are at medium risk.")),
    lowRiskCount: t.expose("lowRiskCount", typed("NonNegativeInt", "How many of them are at low risk.")),
  }),
});

export async function displayNameOf(
  { id, type, name }: Pick<AffectedNode, "id" | "type" | "name">,
  _args: unknown,
  context: GraphqlContext,
): Promise<string> {
  return (type === "metric" && (await findNode(id, context))?.metric?.displayName) || name;
}

const EvidenceType = objectType<Evidence>("Evidence", "Why a change passes over one hop of a path.", (t) => ({
  kind: t.expose("kind", typed(EvidenceKind, "How certain it is that the change passes over the hop.")),
  level: t.expose("level", typed(LineageLevel, "Whether it is about columns, or only about whole assets.")),
  transformation: t.string({
    nullable: true,
    description:
      "The strongest way in which the upstream column is used: a value of `Transformation`, or `REFERENCE` if it is only known " +
      "that the SQL names the column. Null if nothing is known.",
    resolve: ({ transformation }) => transformation || null,
  }),
  expression: t.string({
    ...textOrNull("expression"),
    description: "The SQL that uses it; for a `REFERENCE`, the column's name. Null if it is unknown.",
  }),
  from: t.exposeID("from", { description: "The id of the upstream end: a column, if that is known." }),
  to: t.exposeID("to", { description: "The id of the downstream end: a column, if that is known." }),
}));

export const OWNER_ADDRESS = {
  type: "EmailAddress",
  nullable: true,
  description: "The owner's e-mail address; null if it is unknown. A column has the owner of its table.",
  resolve: ({ owner }: Pick<AffectedNode, "owner">) => owner || null,
} as const;

export const Affected = builder.objectRef<AffectedNode>("AffectedNode").implement({
  description: "An asset or metric that a change would affect.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The asset's or metric's id." }),
    name: t.exposeString("name", { description: "Its own name." }),
    displayName: t.string({
      description: "The name that people read. An asset has no other than its own.",
      resolve: displayNameOf,
    }),
    fqn: t.exposeString("fqn", { description: "Its dot-separated, fully qualified name." }),
    type: t.expose("type", typed(NodeType, "What it is.")),
    certification: t.expose("certification", typed(Certification, "How much it can be trusted.")),
    risk: t.expose("risk", typed(Risk, "The risk, which follows from the change, the evidence and its type.")),
    reason: t.exposeString("reason", { description: "The path and its evidence, in one sentence." }),
    hops: t.exposeInt("hops", { description: "How many hops the path has." }),
    path: t.exposeIDList("path", {
      description: "Ids from the changed asset to this one: the strongest path, or the shortest of several.",
      complexity: { field: 1, multiplier: ASSUMED_HOPS },
    }),
    evidence: t.expose("evidence", {
      ...typed([EvidenceType], "The evidence for each hop of the path."),
      complexity: { field: 1, multiplier: ASSUMED_HOPS },
    }),
    owner: t.field(OWNER_ADDRESS),
    ownerName: t.string(OWNER_NAME),
    ownedBy: t.field(OWNED_BY),
    usage: t.expose("usage", typedOrNull(AssetUsageType, USAGE_DESCRIPTION)),
    node: t.field({
      ...typed(CatalogNodeType, "The asset or metric itself."),
      resolve: (affected, _args, context) => loadNode(affected.id, context),
    }),
  }),
});

export const Owner = builder.objectRef<AffectedOwner>("AffectedOwner").implement({
  description: "An owner of affected assets. Address and name are both null for assets without an owner.",
  fields: (t) => ({
    owner: t.field(OWNER_ADDRESS),
    ownerName: t.string(OWNER_NAME),
    ownedBy: t.field(OWNED_BY),
    summary: t.expose("summary", typed(Summary, "How many of the owner's assets are affected, whether shown or not.")),
    affected: t.expose("affected", {
      ...typed([Affected], "The owner's assets among the affected assets that are shown."),
      complexity: { field: 1, multiplier: ASSUMED_OWNED },
    }),
  }),
});
