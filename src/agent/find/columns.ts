/** Columns that are named with their table: "amount from raw orders", "the email column of dim_customers". */
import type { CatalogNode } from "../../catalog/asset.ts";
import type { AgentCatalog } from "../catalog.ts";
import { nameSureness, readingsOf } from "../understand/match.ts";
import type { Token } from "../understand/tokens.ts";
import { isContent, GRAMMAR } from "../understand/vocabulary.ts";
import type { Mention } from "./mentions.ts";

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
  let joined = [...mentions];
  for (const table of mentions) {
    if (table.node.type !== "table" && table.node.type !== "model") continue;
    const spans = [...spansBefore(tokens, table), ...spansAfter(tokens, table)];
    if (spans.length === 0) continue;
    const columns = await catalog.columnsOf(table.node.id);
    const best = bestOf(spans, tokens, columns, corrections);
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
  return (await joinParents(joined, catalog)).toSorted((a, b) => a.from - b.from);
}

/** A column whose name several tables have is the one of the table that is named too, which it then stands for. */
async function joinParents(mentions: readonly Mention[], catalog: AgentCatalog): Promise<Mention[]> {
  const tables = mentions.filter(({ node }) => node.type === "table" || node.type === "model");
  const owned = await Promise.all(tables.map(({ node }) => catalog.columnsOf(node.id)));
  const parents = new Set<string>();
  const joined = mentions.map((mention) => {
    if (mention.node.type !== "column" || tables.length === 0) return mention;
    const own = owned.flat().find(({ name }) => name === mention.node.name);
    if (own === undefined) return mention;
    parents.add(own.parentId ?? "");
    return { ...mention, node: own, rivals: [], placed: true };
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

function bestOf(
  spans: readonly Span[],
  tokens: readonly Token[],
  columns: readonly CatalogNode[],
  corrections: ReadonlyMap<string, readonly string[]>,
): { from: number; to: number; column: CatalogNode; sureness: number } | null {
  const fits = spans.flatMap(([from, to]) => {
    const span = tokens.slice(from, to);
    if (GRAMMAR.has(span[0]?.word ?? "") || span.every(({ word }) => BETWEEN.test(word))) return [];
    const says = span.some(({ word, isName }) => isName || isContent(word));
    const readings = span.flatMap(({ words }) => words.map((word) => readingsOf(word, corrections.get(word))));
    const enough = says ? SURE_ENOUGH : WHOLE;
    return columns
      .map((column) => ({ from, to, column, sureness: nameSureness(readings, column) }))
      .filter(({ sureness }) => sureness >= enough);
  });
  return fits.toSorted((a, b) => b.sureness - a.sureness || b.to - b.from - (a.to - a.from))[0] ?? null;
}
