/** How many of the assets that pass a list's filters have which type, tag, owner, certification and connector. */
import type { CatalogNode, NODE_TYPES } from "../catalog/asset.ts";
import { badField } from "../errors.ts";
import type { Facet, NodeFilter, ValueCount } from "../graph/catalog-graph.ts";
import { builder } from "./builder.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";
import { NodeType } from "./enums.ts";

const MAX_VALUES = 100;
const DEFAULT_VALUES = 20;

const FacetCount = builder.objectRef<ValueCount>("FacetCount").implement({
  description: "A value, and how many have it.",
  fields: (t) => ({
    value: t.string({
      nullable: true,
      description: "As a filter names it; null for those that have none.",
      resolve: ({ value }) => value || null,
    }),
    count: t.expose("amount", { type: "NonNegativeInt", description: "How many have it." }),
  }),
});

interface TypeAmount {
  type: (typeof NODE_TYPES)[number];
  amount: number;
}

const TypeCount = builder.objectRef<TypeAmount>("TypeCount").implement({
  description: "A type, and how many are of it.",
  fields: (t) => ({
    type: t.expose("type", { type: NodeType, description: "The type." }),
    count: t.expose("amount", { type: "NonNegativeInt", description: "How many are of it." }),
  }),
});

async function countTypes(filter: NodeFilter, context: GraphqlContext): Promise<TypeAmount[]> {
  const counts = await context.graph.countNodes(workspaceOf(context), filter);
  const all = Object.entries(counts).map(([type, amount]) => ({ type: type as CatalogNode["type"], amount }));
  return all.filter(({ amount }) => amount > 0).toSorted((a, b) => b.amount - a.amount);
}

function countValues(filter: NodeFilter, facet: Facet, first: number, context: GraphqlContext): Promise<ValueCount[]> {
  if (first < 1 || first > MAX_VALUES) throw badField("first", `must be between 1 and ${MAX_VALUES}`);
  context.budget.draw("rows", first);
  return context.graph.countValues(workspaceOf(context), filter, facet, first);
}

export const Facets = builder.objectRef<NodeFilter>("AssetFacets").implement({
  description:
    "What passes a list's filters, counted by its values, the most frequent first. Each is counted only if asked for.",
  fields: (t) => {
    const facet = (name: Facet, description: string) =>
      t.field({
        type: [FacetCount],
        description,
        args: {
          first: t.arg.int({
            required: true,
            defaultValue: DEFAULT_VALUES,
            description: `How many values, 1 to ${MAX_VALUES}.`,
          }),
        },
        complexity: ({ first }) => ({ field: 1, multiplier: first }),
        resolve: (filter, { first }, context) => countValues(filter, name, first, context),
      });
    return {
      types: t.field({
        type: [TypeCount],
        description: "By type.",
        resolve: (filter, _args, context) => countTypes(filter, context),
      }),
      tags: facet("tag", "By tag; what has several counts for each."),
      owners: facet("owner", "By the owner's e-mail address, in lower case."),
      certifications: facet("certification", "By certification."),
      connectors: facet("connector", "By the connectors that hold it; what several hold counts for each."),
    };
  },
});
