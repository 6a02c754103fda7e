/** Why an asset or metric is among the hits of a search. */
import type { CatalogNode } from "../catalog/asset.ts";
import type { Correction, SearchPosition, SearchQuery } from "../catalog/search.ts";
import {
  explainMatch,
  type MatchedWord,
  type MatchField,
  type MatchTier,
  needsColumns,
  type SearchMatch,
} from "../catalog/search-match.ts";
import { builder, emptyAsNull, listOf, objectType, typed, wordsType } from "./builder.ts";
import type { GraphqlContext } from "./context.ts";
import { columnsOf } from "./refs.ts";

/** The assumed number of words of a search in a query's cost. */
const ASSUMED_WORDS = 3;

/** A hit of a search, as an edge of the list has it. */
export interface Hit {
  node: CatalogNode;
  position: SearchPosition;
  search: SearchQuery;
}

const TierType = builder.enumType("SearchTier", {
  description:
    "How well a hit matches, the best first. Of hits that match equally well, columns come last, unless the name is exact.",
  values: {
    exact_name: { value: "exactName", description: "Its name is equal to the search." },
    exact_fqn: {
      value: "exactFqn",
      description: "Its fully qualified name is equal to the search, or ends with the searched parts.",
    },
    column_of_table: {
      value: "columnOfTable",
      description:
        "It is a column of the table that the search names, and its name begins with the last searched word.",
    },
    name_begins: { value: "nameBegins", description: "Its name begins with the search." },
    name: { value: "name", description: "All words are in its name." },
    tags_or_columns: {
      value: "tagsOrColumns",
      description: "Some words are only in its tags, its owner or the names of its columns.",
    },
    description: { value: "description", description: "Some words are only in its description." },
  } satisfies Record<string, { value: MatchTier; description: string }>,
});

const FieldType = wordsType<MatchField>("SearchField", "Where a word of a search was found.", {
  name: "In its name.",
  tag: "In a tag.",
  owner: "In the owner's name or e-mail address.",
  column: "In the name of a column.",
  description: "In its description.",
});

const MatchedWordType = objectType<MatchedWord>(
  "MatchedWord",
  "A word of a search, and the first place where it was found.",
).with({
  word: typed("String", "The word in the form that was searched for: in lower case, in the singular, and corrected."),
  field: typed(FieldType, "Where it was found."),
  text: emptyAsNull("The text that has the word: the name, tag, owner or name of a column. Null for a description."),
});

const CorrectionType = objectType<Correction>(
  "SearchCorrection",
  "A word that nothing has, and the word that was searched for instead.",
).with({
  from: { ...typed("String", "The word that was asked for."), resolve: ([from]) => from },
  to: { ...typed("String", "The word that was searched for."), resolve: ([, to]) => to },
});

export const SearchMatchType = objectType<SearchMatch>(
  "SearchMatch",
  "Why something is among the hits of a search.",
).with({
  tier: typed(TierType, "How well it matches."),
  isComplete: typed("Boolean", "Whether it has all words as they were typed. If not, nothing in the list has."),
  words: listOf(
    MatchedWordType,
    "The words that were found, in the order of the search. If nothing has all words, the hits are what has some of them.",
    ASSUMED_WORDS,
  ),
  corrections: {
    ...listOf(CorrectionType, "The words that were corrected; an empty list if none was.", ASSUMED_WORDS),
    resolve: ({ corrections }) => [...corrections],
  },
});

export const MATCHED_DESCRIPTION = "Why it was found; null if the list is not searched.";

/** The columns of a hit are read only if a word may be among their names. */
export async function explainHit(
  hit: { [K in keyof Hit]?: Hit[K] | null | undefined },
  context: GraphqlContext,
): Promise<SearchMatch | null> {
  const { node, position, search } = hit;
  if (!node || !position || !search) return null;
  const columns = needsColumns(search, position, node) ? await columnsOf(context).load(node.id) : [];
  return explainMatch(
    search,
    position,
    node,
    columns.map(({ name }) => name),
  );
}
