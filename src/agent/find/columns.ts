/** Columns that are named with their table: "amount from raw orders", "the email column of dim_customers". */
import type { CatalogNode } from "../../catalog/asset.ts";
import type { AgentCatalog } from "../catalog.ts";
import { nameSureness, readingsOf } from "../understand/match.ts";
import type { Token } from "../understand/tokens.ts";
import { isContent, GRAMMAR } from "../understand/vocabulary.ts";
import { asksForTables, type Mention } from "./mentions.ts";

/** A column that is named less surely is not meant. */
const SURE_ENOUGH = 0.7;
/** A word that could also tell what is asked must be the whole name. */
const WHOLE = 0.95;
const LONGEST = 5;
/** Between a column and its table. */
const BETWEEN =
  /^(?:from|in|of|on|at|inside|within|the|a|our|column|columns|field|fields|table|model|attribute|s|out)$/;
const JOINS = /^(?:from|in|of|on|at|inside|within|out)$/;

/** Where a table is named with one of its columns, the two become one mention, of the column. */
export async function joinColumns(
  tokens: readonly Token[],
  mentions: readonly Mention[],
  corrections: ReadonlyMap<string, readonly string[]>,
  catalog: AgentCatalog,
): Promise<Mention[]> {
  const known = new Map<string, Promise<CatalogNode[]>>();
  const columnsOf = (id: string): Promise<CatalogNode[]> => known.getOrInsertComputed(id, catalog.columnsOf);
  let joined = [...mentions];
  for (const table of mentions) {
    if (table.node.type !== "table" && table.node.type !== "model") continue;
    const spans = [...spansBefore(tokens, table), ...spansAfter(tokens, table)];
    if (spans.length === 0) continue;
    const columns = await columnsOf(table.node.id);
    const best = bestOf(await fitsOf(spans, tokens, columns, corrections, catalog));
    if (best === null) continue;
    const from = Math.min(best.from, table.from);
    const to = Math.max(best.to, table.to);
    const mention = {
      from,
      to,
      node: best.column,
      sureness: Math.min(table.sureness, best.sureness),
      rivals: [],
      placed: true,
    };
    joined = [...joined.filter((other) => other.to <= from || other.from >= to), mention];
  }
  return (await joinParents(joined, asksForTables(tokens), columnsOf)).toSorted((a, b) => a.from - b.from);
}

/** A column whose name several tables have is the one of the table that is named too, which it then stands for; unless it is asked where else there is one. */
async function joinParents(
  mentions: readonly Mention[],
  everywhere: boolean,
  columnsOf: AgentCatalog["columnsOf"],
): Promise<Mention[]> {
  const tables = mentions.filter(({ node }) => node.type === "table" || node.type === "model");
  const owned = await Promise.all(tables.map(({ node }) => columnsOf(node.id)));
  const parents = new Set<string>();
  // The first of a name is taken, as the tables stand in the question.
  const byName = new Map(
    owned
      .flat()
      .toReversed()
      .map((column) => [column.name, column]),
  );
  const joined = mentions.map((mention) => {
    if (mention.node.type !== "column") return mention;
    const own = byName.get(mention.node.name);
    if (own === undefined) return mention;
    parents.add(own.parentId ?? "");
    return {
      ...mention,
      placed: !everywhere,
      node: own,
      rivals: [mention.node, ...mention.rivals].filter(({ id }) => id !== own.id),
    };
  });
  return joined.filter(({ node }) => !parents.has(node.id));
}

type Span = readonly [from: number, to: number];

/** The words before "of" or "from" and the table. */
function spansBefore(tokens: readonly Token[], table: Mention): Span[] {
  let end = table.from;
  while (end > 0 && BETWEEN.test(tokens[end - 1]?.word ?? "")) end--;
  if (!tokens.slice(end, table.from).some(({ word }) => JOINS.test(word))) return [];
  return Array.from({ length: Math.min(LONGEST, end) }, (_, i) => [end - i - 1, end] as const);
}

/** The words behind "orders'" or "the orders table's", or before "column". */
function spansAfter(tokens: readonly Token[], table: Mention): Span[] {
  const last = tokens[table.to - 1];
  const start = /^(?:table|model)$/.test(tokens[table.to]?.word ?? "") ? table.to + 1 : table.to;
  const owns = last?.possessive || tokens[start - 1]?.possessive;
  const spans = Array.from({ length: LONGEST }, (_, i) => [start, start + i + 1] as const);
  return spans.filter(([, to]) => to <= tokens.length && (owns || /^(?:column|field)$/.test(tokens[to]?.word ?? "")));
}

interface Fit {
  from: number;
  to: number;
  column: CatalogNode;
  sureness: number;
}

async function fitsOf(
  spans: readonly Span[],
  tokens: readonly Token[],
  columns: readonly CatalogNode[],
  corrections: ReadonlyMap<string, readonly string[]>,
  { nextTurn }: AgentCatalog,
): Promise<Fit[]> {
  const fits: Fit[] = [];
  for (const [from, to] of spans) {
    const span = tokens.slice(from, to);
    if (GRAMMAR.has(span[0]?.word ?? "") || span.every(({ word }) => BETWEEN.test(word))) continue;
    await nextTurn();
    const says = span.some(({ word, isName }) => isName || isContent(word));
    const readings = span.flatMap(({ words }) => words.map((word) => readingsOf(word, corrections.get(word))));
    const enough = says ? SURE_ENOUGH : WHOLE;
    const named = columns.map((column) => ({ from, to, column, sureness: nameSureness(readings, column) }));
    fits.push(...named.filter(({ sureness }) => sureness >= enough));
  }
  return fits;
}

/** The surest, and of those the longest. */
function bestOf(fits: readonly Fit[]): Fit | null {
  return fits.toSorted((a, b) => b.sureness - a.sureness || b.to - b.from - (a.to - a.from))[0] ?? null;
}
