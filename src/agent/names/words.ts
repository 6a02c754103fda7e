/** Words that names are made of, wherever data is kept. */
import { isTypoOf } from "../../catalog/search-spelling.ts";

function list(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** Words that no name is found by. */
export const GRAMMAR: ReadonlySet<string> = new Set(
  list(`a an the of in on at to for from with by and or is are was were be been being am do does did doing it its this that
  these those there here i me my we us our you your he she they them his her him what which who whom whose when
  where why how can could would should may might will shall must if then than as into onto out about not no nor so but s t`),
);

/** Parts of names that tell a layer of the warehouse rather than what is in it. */
export const LAYER_WORDS: ReadonlySet<string> = new Set(
  list(`stg staging int intermediate fct fact dim dimension raw src source mart marts tbl vw base`),
);

const BEGINNINGS: Readonly<Record<string, string>> = {
  "staging staged stg": "stg_",
  "intermediate int": "int_",
  "fact facts fct": "fct_ fact_",
  "dimension dim": "dim_",
  "mart marts": "mart_ fct_ dim_",
  base: "base_",
};

/** How the names of a layer's models begin, by what people call the layer. */
export const LAYER_BEGINNINGS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(BEGINNINGS).flatMap(([said, begins]) => list(said).map((word) => [word, list(begins)])),
);

/** Finds those of the words that a word may be a misspelling of. */
export function findsTypos(words: ReadonlySet<string>): (word: string) => string[] {
  // A slip is hardly ever in the first letter, unless the first two are swapped.
  const byFirst = Map.groupBy(words, ([first]) => first);
  return (word) =>
    [...new Set([...word].slice(0, 2))]
      .flatMap((first) => byFirst.get(first) ?? [])
      .filter((each) => isTypoOf(word, each));
}
