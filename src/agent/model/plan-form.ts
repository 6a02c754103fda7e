/** The usual kinds of checks, which a plan may name in other words than the question. */
export const CHECK_WORDS = ["unique", "not null", "accepted values", "relationships", "freshness", "unit"];

/** The form of plans as a language model is told it: commented TypeScript, which takes a third of the tokens of a JSON schema. */
export const PLAN_FORM = `type Answer = { plans: Plan[] }
type Type = "table" | "model" | "dashboard" | "pipeline" | "column" | "metric"  // people say "table" for both: ["table","model"]; "report" for a dashboard; "tool" or "loader" for a pipeline
type Set = { types?: Type[]; ids?: string[]; where?: Cond }  // all that is given must hold; {} is every asset
type Plan =
 | { tell: "list"; find: Set; order?: { by: Measure | Day; among?: Set; least?: boolean }; limit?: number }  // "the most used model": order by downstream, limit 1; "the newest": by added; "which of X and Y has more columns": ids of both, order by columns, limit 1
 | { tell: "count"; find: Set }
 | { tell: "whether"; find: Set; where?: Cond; all?: boolean }  // yes or no: is there such a thing; with where, is it so
 | { tell: "aspect"; find: Set; aspect: Aspect }  // of one or a few named things; for a yes or no take "whether"
 | { tell: "groups"; find: Set; by: "owner"|"certifier"|"type"|"schema"|"tag"|"certification"|"connector"|"materialization"; limit?: number; least?: boolean }  // "who owns the most": by owner, limit 1
 | { tell: "path"; from: Set; to: Set }  // also how many steps
 | { tell: "impact"; find: Set; change: Change; owners?: boolean; isSafe?: boolean }  // what breaks; owners: whom to tell
 | { tell: "causes"; find: Set; since?: "1d"|"2d"|"3d"|"7d"|"14d"|"30d"|"90d"|"monday"|"tuesday"|"wednesday"|"thursday"|"friday"|"saturday"|"sunday" }  // why a value changed or is wrong
 | { tell: "comparison"; find: Set; aspect?: Aspect }  // of two things: in all, or "do they have the same owner"
 | { tell: "connectors"; names?: string[]; count?: boolean }  // when and how the last syncs went
type Aspect = "everything"|"owner"|"description"|"definition"|"sql"|"columns"|"certification"|"trail"|"freshness"|"tags"|"data type"|"materialization"|"kind"|"place"|"checks"|"dimensions"|"filters"|"grain"|"sources and uses"
type Change = "column_rename" | "column_drop" | "type_change" | "deprecate" | "asset_drop"  // asset_drop: a table, model or anything else is removed as a whole
type Measure = "columns"|"upstream"|"downstream"|"all upstream"|"all downstream"|"checks"|"tags"|"dimensions"  // upstream, downstream: direct ones
type Day = "certified"|"added"|"updated"
type Cond =
 | { is: "certification"; any: ("certified"|"pending"|"deprecated"|"none")[] } | { is: "certified by"; who: string }
 | { is: "owner" | "tag" | "schema" | "connector" | "materialization" | "data type"; any: string[] }  // as "values" in the data says
 | { is: "has"; feature: "owner"|"description"|"tags"|"columns"|"checks"|"failing checks"|"upstream"|"downstream"|"certification"|"url" }
 | { is: "checked by"; any: string[] }  // ${CHECK_WORDS.map((word) => `"${word}"`).join(", ")}, or a word of a check's own name
 | { is: "kind"; any: ("source"|"seed"|"snapshot"|"model")[] }
 | { is: "name"; any: string[] } | { is: "name part"; any: string[]; begins?: boolean }  // "the X staging models": begins "stg_", and has "X"
 | { is: "text"; words: string }  // name, tags or description have all the words; only where no asset in the data is meant
 | { is: "measure"; of: Measure; among?: Set; least?: number; most?: number }
 | { is: "date"; of: Day; from?: "YYYY-MM-DD"; to?: "YYYY-MM-DD" }
 | { is: "along"; along: { way: "upstream"|"downstream"; of: Set; depth?: number; isLoose?: boolean } }  // downstream: what uses "of"; upstream: what feeds it; depth 1 for "use", "read" and "directly", and isLoose for "use"; no depth for "depend on", "feed" and all lineage, nor in "does X use Y?"
 | { is: "along"; along: { way: "columns"|"parents"; of: Set } }  // columns of tables; tables of columns
 | { is: "affected"; by: Set; change: Change }
 | { is: "all" | "any"; of: Cond[] } | { is: "not"; of: Cond }`;
