/** How many assets of a list have each type, tag, owner, certification and connector. */
import { isEmailAddress } from "../catalog/email.ts";
import type { NodeType } from "../catalog/node-types.ts";
import { badField } from "../errors.ts";
import type { CountedBy, NodeFilter, ValueCount } from "../graph/catalog-graph.ts";
import { builder, emptyAsNull, objectType, typed, typedOrNull } from "./builder.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";
import { NodeType as NodeTypeEnum } from "./enums.ts";
import { MAX_COUNTED_HITS, type SearchTally } from "./search-tally.ts";
import { PersonType, toPerson } from "./person.ts";

const MAX_VALUES = 100;
const DEFAULT_VALUES = 20;

/** What is counted: all assets that pass a filter, or the first hits of a search. */
export type Counted = { filter: NodeFilter } | { tally: () => Promise<SearchTally> };

const FacetCount = objectType<ValueCount>("FacetCount", "A value, and how many assets have it.").with({
  value: emptyAsNull("The value, as a filter takes it; null for assets without one."),
  person: {
    ...typedOrNull(PersonType, "Of owners: the owner by name; null for other values."),
    resolve: ({ value }) => (isEmailAddress(value) ? toPerson(value) : null),
  },
  count: (t) => t.expose("amount", typed("NonNegativeInt", "How many assets have it.")),
});

interface TypeAmount {
  type: NodeType;
  amount: number;
}

const TypeCount = objectType<TypeAmount>("TypeCount", "A type, and how many assets have it.").with({
  type: typed(NodeTypeEnum, "The type."),
  count: (t) => t.expose("amount", typed("NonNegativeInt", "How many assets have it.")),
});

async function countTypes(counted: Counted, context: GraphqlContext): Promise<TypeAmount[]> {
  const counts: Iterable<[string, number]> =
    "tally" in counted
      ? (await counted.tally()).types
      : Object.entries(await context.graph.countNodes(workspaceOf(context), counted.filter));
  const all = [...counts].map(([type, amount]) => ({ type: type as NodeType, amount }));
  return all.filter(({ amount }) => amount > 0).toSorted((a, b) => b.amount - a.amount);
}

async function countValues(
  counted: Counted,
  facet: CountedBy,
  first: number,
  context: GraphqlContext,
): Promise<ValueCount[]> {
  if (first < 1 || first > MAX_VALUES) throw badField("first", `must be between 1 and ${MAX_VALUES}`);
  if ("tally" in counted) return (await counted.tally()).valuesOf(facet).slice(0, first);
  context.budget.draw("rows", first);
  return context.graph.countValues(workspaceOf(context), counted.filter, facet, first);
}

export const Facets = builder.objectRef<Counted>("AssetFacets").implement({
  description:
    "The assets of a list, counted by type, tag and so on, the most frequent value first. Each field is counted only if it is asked for.",
  fields: (t) => {
    const facet = (name: CountedBy, description: string) =>
      t.field({
        ...typed([FacetCount], description),
        args: {
          first: t.arg.int({
            required: true,
            defaultValue: DEFAULT_VALUES,
            description: `How many values, 1 to ${MAX_VALUES}.`,
          }),
        },
        complexity: ({ first }) => ({ field: 1, multiplier: first }),
        resolve: (counted, { first }, context) => countValues(counted, name, first, context),
      });
    return {
      atLeast: t.boolean({
        description: `Whether there may be more assets than were counted. For a search, only the first ${MAX_COUNTED_HITS.toLocaleString("en-US")} hits are counted.`,
        resolve: async (counted) => "tally" in counted && (await counted.tally()).isPartial,
      }),
      types: t.field({
        ...typed([TypeCount], "By type."),
        resolve: (counted, _args, context) => countTypes(counted, context),
      }),
      tags: facet("tag", "By tag; an asset with several tags counts for each."),
      owners: facet("owner", "By the owner's e-mail address, in lower case."),
      certifications: facet("certification", "By certification."),
      connectors: facet("connector", "By connector; an asset that several connectors hold counts for each."),
      schemas: facet(
        "schema",
        "By schema, in lower case: the parts of the fully qualified name before an asset's own name, or before a column's table.",
      ),
    };
  },
});
