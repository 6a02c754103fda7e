/** Of which type that is which a question is about but does not name. */
import { type Intent, readIntent } from "../understand/intent.ts";
import type { Token } from "../understand/tokens.ts";
import { typesOf } from "../understand/vocabulary.ts";
import { ANY_TYPE, asLikely, asksForSource, DEFINED, type Likelihood, SOURCES } from "./topics.ts";

const OF_OTHERS: ReadonlySet<Intent | null> = new Set(["upstream", "downstream", "impact"]);

/** What is likely meant where nothing is named: what is asked for, or what has a definition. */
export function likelyTypes(tokens: readonly Token[]): Likelihood {
  const template = tokens.map(({ word }) => word).join(" ");
  const intent = readIntent(`${template} N`, [{ type: "metric" }]);
  const types = tokens.flatMap(({ word }) => typesOf(word) ?? []);
  // Of what feeds or uses something, the types are those of the others.
  if (types.length > 0 && !OF_OTHERS.has(intent)) return asLikely(types);
  if (asksForSource(tokens)) return SOURCES;
  return intent === "definition" ? DEFINED : ANY_TYPE;
}
