/** Nouns of the grammar for the names in a question. */
import type { Thing } from "../catalog.ts";
import type { Mention } from "../names/find-names.ts";
import type { Noun } from "./grammar.ts";

const NAME = 2;
const COLUMN = 0.15;
const RIVAL = 0.06;
const MAX_RIVALS = 3;

/** What a mention may stand for, the likeliest first. */
export function nounsOf({ things, sureness }: Mention): { noun: Noun; cost: number }[] {
  const cost = (1 - sureness) * NAME;
  const [first] = things;
  if (first?.type === "column" && things.length > 1) {
    const names = [...new Set(things.map(({ name }) => name))];
    return [
      {
        noun: { isNamed: true, set: { types: ["column"], where: { is: "name", any: names.slice(0, MAX_RIVALS) } } },
        cost: cost + COLUMN,
      },
    ];
  }
  const order: readonly Thing["type"][] = ["metric", "model", "dashboard", "pipeline", "table", "column"];
  return things
    .toSorted((a, b) => order.indexOf(a.type) - order.indexOf(b.type))
    .slice(0, MAX_RIVALS)
    .map(({ id, type }, i) => ({
      noun: { isNamed: true, set: { types: [type], ids: [id] } },
      cost: cost + i * RIVAL + (type === "column" ? COLUMN : 0),
    }));
}
