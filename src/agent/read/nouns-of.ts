/** Nouns of the grammar for the names in a question. */
import { fold } from "../../catalog/text.ts";
import type { Thing } from "../catalog.ts";
import type { Mention } from "../names/find-names.ts";
import type { Noun } from "./grammar.ts";

const NAME = 2;
const COLUMN = 0.15;
const RIVAL = 0.06;
const MAX_RIVALS = 3;

/** What a mention may stand for, the likeliest first. */
export function nounsOf({ things, text, sureness }: Mention): { noun: Noun; cost: number }[] {
  const cost = (1 - sureness) * NAME;
  const [first] = things;
  if (first?.type === "column" && text.includes("."))
    return [{ noun: { isNamed: true, set: { types: ["column"], ids: columnsOf(text, things) } }, cost: cost + COLUMN }];
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
  // What has the name comes before what people see called so.
  const rank = ({ name, type }: Thing): number => order.indexOf(type) + (fold(name) === text ? 0 : order.length);
  return things
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MAX_RIVALS)
    .map(({ id, type }, i) => ({
      noun: { isNamed: true, set: { types: [type], ids: [id] } },
      cost: cost + i * RIVAL + (type === "column" ? COLUMN : 0),
    }));
}

/** "stripe.refunds.amount" is a column of the table that has the name, or else of each whose name has the words. */
function columnsOf(written: string, things: readonly Thing[]): string[] {
  const table = written.split(".").at(-2);
  const own = things.filter(({ fqn }) => fold(fqn.split(".").at(-2) ?? "") === table);
  return (own.length > 0 ? own : things).slice(0, MAX_RIVALS).map(({ id }) => id);
}
