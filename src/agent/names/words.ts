/** Words that names are made of, wherever data is kept. */

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

/** What people call a layer, and how names do. */
export const LAYER_NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    staging: ["stg"],
    staged: ["stg", "staging"],
    intermediate: ["int"],
    fact: ["fct"],
    facts: ["fct"],
    dimension: ["dim"],
    source: ["raw"],
  }),
);

/** How the names of a layer's models begin, where it has no schema of its own. */
export const LAYER_BEGINNINGS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    staging: ["stg_"],
    staged: ["stg_"],
    stg: ["stg_"],
    intermediate: ["int_"],
    int: ["int_"],
    fct: ["fct_"],
    dim: ["dim_"],
    fact: ["fct_", "fact_"],
    facts: ["fct_", "fact_"],
    dimension: ["dim_"],
    mart: ["mart_", "fct_", "dim_"],
    marts: ["mart_", "fct_", "dim_"],
    base: ["base_"],
  }),
);
