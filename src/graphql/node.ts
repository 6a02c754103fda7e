/** What assets and metrics have in common: their identity, and their neighbours along the lineage. */
import type { CatalogNode, ColumnLineage, Existence as ExistenceWord } from "../catalog/asset.ts";
import type { Direction as DirectionWord } from "../catalog/edge.ts";
import { schemaIn } from "../catalog/identity.ts";
import { DEFAULT_DEPTH } from "../catalog/lineage.ts";
import { shortPath } from "../catalog/short-path.ts";
import { assessImpact } from "./assess-impact.ts";
import { emptyAsNull, objectType, textOrNull, typed, typedOrNull, wordsType } from "./builder.ts";
import type { GraphqlContext } from "./context.ts";
import {
  Certification,
  ColumnLineageStatus,
  Direction,
  FollowedUses,
  NodeType,
  Transformation,
  UseKind,
} from "./enums.ts";
import { findMaxChecks } from "./failing-checks.ts";
import { changeArgs, IMPACT_COST } from "./impact.ts";
import { WALK_COST, walkLineage } from "./lineage.ts";
import { takeNestedUnit } from "./loaders.ts";
import { loadNeighbours, neighbourArgs, neighbourCost, neighboursOf, NeighbourConnection } from "./neighbours.ts";
import { CatalogNodeType, ColumnUseType, ImpactType, LineageType, NodeInterface } from "./refs.ts";
import { CERTIFIER, OWNED_BY, OWNER_NAME } from "./person.ts";

export const Existence = wordsType<ExistenceWord>("Existence", "How the catalog knows of an asset or metric.", {
  held: "A connector states it, or a person defined it.",
  referenced:
    "Only the lineage of something else names it, such as a table in a dashboard's SQL. It is in lineage and can be found by its id, but it is in no list, search or count.",
});

const ColumnLineageType = objectType<ColumnLineage>(
  "ColumnLineage",
  "How much is known about which columns an asset's columns, a single column or a metric come from.",
).with({
  status: typed(ColumnLineageStatus, "How much of it is known."),
  reason: emptyAsNull(
    "Why not all of it is known, or why a column comes from no other column. Null if there is nothing to explain.",
  ),
});

interface LineageSummary {
  upstreamCount: number;
  downstreamCount: number;
}

const LineageSummaryType = objectType<LineageSummary>(
  "LineageSummary",
  "How many direct neighbours there are in each direction.",
).with({
  upstreamCount: typed("NonNegativeInt", "How many distinct direct sources there are."),
  downstreamCount: typed("NonNegativeInt", "How many distinct direct consumers there are."),
});

objectType(ColumnUseType, "One way in which a column is used, as evidence for an edge.").with({
  kind: typed(UseKind, "Whether its values go into the other column, or decide which values do."),
  transformation: typed(Transformation, "What is done with it."),
  expression: typed("String", "The SQL that uses it. A long text is cut."),
});

/** A source may state any text. A text that is not a URL would fail the scalar, and a script must never become a link. */
function isWebAddress(text: string): boolean {
  const protocol = URL.parse(text)?.protocol;
  return protocol === "http:" || protocol === "https:";
}

async function loadSummary(node: CatalogNode, context: GraphqlContext): Promise<LineageSummary> {
  const count = async (direction: DirectionWord): Promise<number> =>
    (await neighboursOf(context).load({ id: node.id, direction, directOnly: true, first: 0, after: null })).total;
  const [upstreamCount, downstreamCount] = await Promise.all([count("upstream"), count("downstream")]);
  return { upstreamCount, downstreamCount };
}

CatalogNodeType.implement({
  description: "An asset or a metric. Lineage connects them.",
  interfaces: [NodeInterface],
  resolveType: (node) => (node.type === "metric" ? "Metric" : "Asset"),
  fields: (t) => {
    const neighbours = (direction: DirectionWord, description: string) =>
      t.field({
        ...typed(NeighbourConnection, description),
        args: neighbourArgs,
        complexity: neighbourCost,
        resolve: (node, args, context) => loadNeighbours(node, direction, args, context),
      });
    return {
      id: t.exposeID("id", { description: "Its id. It is the same whichever connector states it." }),
      type: t.expose("type", typed(NodeType, "What it is.")),
      existence: t.expose("existence", typed(Existence, "How the catalog knows of it.")),
      name: t.exposeString("name", { description: "Its own name." }),
      displayName: t.string({
        description:
          "The name that people read. An asset has no other than its own, but a long path is cut to its end.",
        resolve: ({ metric, name }) => metric?.displayName || shortPath(name),
      }),
      fqn: t.exposeString("fqn", { description: "Its dot-separated, fully qualified name." }),
      schema: t.string({
        nullable: true,
        description:
          "The first parts of its fully qualified name, as the filter `schema` takes them; null if it has none.",
        resolve: (node) => schemaIn(node) || null,
      }),
      platform: t.exposeString("platform", { description: "The warehouse or tool that holds it, such as `postgres`." }),
      description: t.string({ ...textOrNull("description"), description: "Its description; null if it has none." }),
      tags: t.exposeStringList("tags", { description: "Its tags, in order." }),
      certification: t.expose("certification", {
        type: Certification,
        description: "How much it can be trusted. A metric is `certified` or `pending`.",
      }),
      certifiedBy: t.expose("certifiedBy", {
        type: "EmailAddress",
        nullable: true,
        description:
          "The e-mail address of the person who certified it; null if it is not certified or the person is unknown.",
      }),
      certifier: t.field(CERTIFIER),
      certifiedAt: t.expose("certifiedAt", {
        type: "DateTime",
        nullable: true,
        description: "When it was certified; null if it is not certified or the time is unknown.",
      }),
      owner: t.field({
        ...typedOrNull("EmailAddress", "The owner's e-mail address; null if it is unknown."),
        resolve: ({ owner }) => owner || null,
      }),
      ownerName: t.string(OWNER_NAME),
      ownedBy: t.field(OWNED_BY),
      sourceConnector: t.string({
        ...textOrNull("sourceConnector"),
        description: "The connector with the highest precedence that holds it; null if none does.",
      }),
      connectors: t.exposeStringList("connectors", { description: "All connectors that hold it, by precedence." }),
      url: t.field({
        ...typedOrNull("URL", "Its page in its own tool; null if its sources state no absolute http or https URL."),
        resolve: ({ url }) => (url !== null && isWebAddress(url) ? url : null),
      }),
      meta: t.field({
        type: "JSONObject",
        description:
          "Everything else that its sources say about it, such as dbt's `meta`. What they say of its last run or write is absent with `asOf`.",
        resolve: ({ meta, usage }) => ({ ...meta, ...usage?.latest }),
      }),
      columnLineage: t.expose("columnLineage", {
        type: ColumnLineageType,
        nullable: true,
        description: "How much of its column lineage is known; null if it has no SQL.",
      }),
      createdAt: t.expose("createdAt", typed("DateTime", "When it was first seen.")),
      updatedAt: t.expose("updatedAt", typed("DateTime", "When its shown values last changed.")),
      lineageSummary: t.field({
        type: LineageSummaryType,
        description:
          "How many direct neighbours it has. For a column, only those that its values come from or go to are counted.",
        resolve: (node, _args, context) => loadSummary(node, context),
      }),
      upstream: neighbours("upstream", "What it is made from: one hop away, or as far as `depth`."),
      downstream: neighbours("downstream", "What uses it: one hop away, or as far as `depth`."),
      lineage: t.field({
        ...typed(LineageType, "Everything within some hops, as one graph."),
        args: {
          direction: t.arg({ type: Direction, required: true, description: "Which way to walk." }),
          depth: t.arg.int({ required: true, defaultValue: DEFAULT_DEPTH, description: "Hops, 1 to 10." }),
          uses: t.arg({
            type: FollowedUses,
            required: true,
            defaultValue: "direct",
            description: "Which uses to follow from a column.",
          }),
        },
        complexity: WALK_COST,
        async resolve(node, args, context) {
          await takeNestedUnit(context);
          return walkLineage(node.id, args, context);
        },
      }),
      impact: t.field({
        ...typed(ImpactType, "What a change to it would affect, with the risk and the reason."),
        args: changeArgs,
        complexity: IMPACT_COST,
        async resolve(node, args, context, info) {
          await takeNestedUnit(context);
          return assessImpact(node, args, context, { maxChecks: findMaxChecks(info) });
        },
      }),
    };
  },
});
