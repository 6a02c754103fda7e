/** The parts that impacts of one change and of a change set have in common. */
import type { AffectedNode, Evidence } from "../catalog/impact.ts";
import { shortPath } from "../catalog/short-path.ts";
import type { AffectedOwner, ImpactSummary } from "./assess-impact.ts";
import { emptyAsNull, listOf, objectType, typed, typedOrNull } from "./builder.ts";
import { Certification, EvidenceKind, LineageLevel, NodeType, Risk } from "./enums.ts";
import type { GraphqlContext } from "./context.ts";
import { loadNode } from "./lineage.ts";
import { CatalogNodeType, findNode } from "./refs.ts";
import { AssetUsageType, USAGE_DESCRIPTION } from "./usage.ts";
import { OWNED_BY, OWNER_NAME } from "./person.ts";

/** The assumed length of lists in a query's cost. */
const ASSUMED_HOPS = 5;
const ASSUMED_OWNED = 20;

export const Summary = objectType<ImpactSummary>(
  "ImpactSummary",
  "Exactly how much is affected, shown or not. A column counts like an asset; `assets` counts columns apart.",
).with({
  totalAffected: typed("NonNegativeInt", "How many assets, metrics and columns are affected."),
  highRiskCount: typed("NonNegativeInt", "How many of them are at high risk."),
  mediumRiskCount: typed("NonNegativeInt", "How many of them are at medium risk."),
  lowRiskCount: typed("NonNegativeInt", "How many of them are at low risk."),
});

export async function displayNameOf(
  { id, type, name }: Pick<AffectedNode, "id" | "type" | "name">,
  _args: unknown,
  context: GraphqlContext,
): Promise<string> {
  return (type === "metric" && (await findNode(id, context))?.metric?.displayName) || shortPath(name);
}

const EvidenceType = objectType<Evidence>("Evidence", "Why a change passes over one hop of a path.").with({
  kind: typed(EvidenceKind, "How certain it is that the change passes over the hop."),
  level: typed(LineageLevel, "Whether it is about columns, or only about whole assets."),
  transformation: {
    type: "String",
    nullable: true,
    description:
      "The strongest way in which the upstream column is used: a value of `Transformation`, or `REFERENCE` if it is only known " +
      "that the SQL names the column. Null if nothing is known.",
    resolve: ({ transformation }) => transformation || null,
  },
  expression: emptyAsNull("The SQL that uses it; for a `REFERENCE`, the column's name. Null if it is unknown."),
  from: typed("ID", "The id of the upstream end: a column, if that is known."),
  to: typed("ID", "The id of the downstream end: a column, if that is known."),
});

export const OWNER_ADDRESS = {
  type: "EmailAddress",
  nullable: true,
  description: "The owner's e-mail address; null if it is unknown. A column has the owner of its table.",
  resolve: ({ owner }: Pick<AffectedNode, "owner">) => owner || null,
} as const;

export const Affected = objectType<AffectedNode>("AffectedNode", "An asset or metric that a change would affect.").with(
  {
    id: typed("ID", "The asset's or metric's id."),
    name: typed("String", "Its own name."),
    displayName: {
      ...typed("String", "The name that people read. An asset has no other than its own."),
      resolve: displayNameOf,
    },
    fqn: typed("String", "Its dot-separated, fully qualified name."),
    type: typed(NodeType, "What it is."),
    certification: typed(Certification, "How much it can be trusted."),
    risk: typed(Risk, "The risk, which follows from the change, the evidence and its type."),
    reason: typed("String", "The path and its evidence, in one sentence."),
    hops: typed("Int", "How many hops the path has."),
    path: listOf(
      "ID",
      "Ids from the changed asset to this one: the strongest path, or the shortest of several.",
      ASSUMED_HOPS,
    ),
    evidence: listOf(EvidenceType, "The evidence for each hop of the path.", ASSUMED_HOPS),
    owner: (t) => t.field(OWNER_ADDRESS),
    ownerName: (t) => t.string(OWNER_NAME),
    ownedBy: (t) => t.field(OWNED_BY),
    usage: typedOrNull(AssetUsageType, USAGE_DESCRIPTION),
    node: {
      ...typed(CatalogNodeType, "The asset or metric itself."),
      resolve: (affected, _args, context) => loadNode(affected.id, context),
    },
  },
);

export const Owner = objectType<AffectedOwner>(
  "AffectedOwner",
  "An owner of affected assets. Address and name are both null for assets without an owner.",
).with({
  owner: (t) => t.field(OWNER_ADDRESS),
  ownerName: (t) => t.string(OWNER_NAME),
  ownedBy: (t) => t.field(OWNED_BY),
  summary: typed(Summary, "How many of the owner's assets are affected, whether shown or not."),
  affected: listOf(Affected, "The owner's assets among the affected assets that are shown.", ASSUMED_OWNED),
});
