/**
 * Pipe syntax, `from t |> where a > 1 |> select b`, written as the query that means the same to the warehouse:
 * https://cloud.google.com/bigquery/docs/reference/standard-sql/pipe-syntax. What is not known stays as it is, and the
 * parser refuses it.
 */
import type { Token } from "./tokens.ts";

/** A query that grows with each pipe. */
interface Block {
  /** The text after FROM. Its aliases can be used until the columns are changed. */
  from: string;
  filters: string[];
  /** Empty, or what sorts the rows. */
  order: string;
}

/** Parentheses in parentheses are written by recursion. */
const MAX_DEPTH = 200;

const JOIN = /^(?:(?:left|right|full|inner|cross|outer)\s+)*join\b/i;
const SET_OPERATION = /^(?:union|intersect|except)\s+(?:all|distinct)$/i;
const DIRECTION = /\s+(?:asc|desc)(?:\s+nulls\s+(?:first|last))?$/i;

function write({ from, filters, order }: Block, columns = "*", rest = ""): string {
  const where = filters.map((filter) => `(${filter})`).join(" and ");
  return [`select ${columns} from ${from}`, where && `where ${where}`, rest, order && `order by ${order}`]
    .filter((part) => part !== "")
    .join(" ");
}

function around(query: string): Block {
  return { from: `(${query})`, filters: [], order: "" };
}

/** Splits tokens at a sign outside their parentheses. */
function split(tokens: readonly Token[], sign: string): (readonly Token[])[] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (/^[([]$/.test(token.word)) depth++;
    if (/^[)\]]$/.test(token.word)) depth--;
    if (depth === 0 && token.word === sign) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

class Writer {
  readonly #sql: string;
  readonly #all: readonly Token[];

  constructor(sql: string, tokens: readonly Token[]) {
    this.#sql = sql;
    this.#all = tokens;
  }

  /** The text of these tokens without comments, with the queries in parentheses written anew. */
  text(tokens: readonly Token[]): string {
    let text = "";
    let at = tokens[0]?.start ?? 0;
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i];
      if (token === undefined) continue;
      text += (token.start > at ? " " : "") + this.#sql.slice(token.start, token.end);
      at = token.end;
      const close = this.#all[token.closedBy];
      if (close === undefined) continue;
      const length = token.closedBy - token.index;
      text += `${this.query(tokens.slice(i + 1, i + length))})`;
      at = close.end;
      i += length;
    }
    return text;
  }

  query(tokens: readonly Token[]): string {
    const [head = [], ...pipes] = split(tokens, "|>");
    if (pipes.length === 0) return this.text(tokens);
    const start = this.#beginning(head);
    const before = this.text(head.slice(0, start));
    const isFrom = head[start]?.word === "from";
    const own = this.text(head.slice(isFrom ? start + 1 : start));
    let block: Block = isFrom ? { from: own, filters: [], order: "" } : around(own);
    for (const pipe of pipes) {
      const next = this.#pipe(block, pipe);
      if (next === null) return this.text(tokens);
      block = next;
    }
    return `${before} ${write(block)}`;
  }

  /** The index at which the query begins, after its CTEs and a statement around it. */
  #beginning(head: readonly Token[]): number {
    let end = 0;
    for (let i = 0; i < head.length; i++) {
      const token = head[i];
      if (token === undefined || /^(?:from|select)$/.test(token.word)) return i;
      if (token.closedBy < 0) continue;
      end = i;
      i += token.closedBy - token.index;
    }
    return end;
  }

  #pipe(block: Block, [word, ...rest]: readonly Token[]): Block | null {
    if (word === undefined) return null;
    const items = (): string[] => split(rest, ",").map((item) => this.text(item));
    const text = this.text(rest);
    const whole = this.text([word, ...rest]);
    const closed = block.order !== "" ? around(write(block)) : block;
    switch (word.word) {
      case "where":
        return { ...closed, filters: [...closed.filters, text] };
      case "select":
        return around(write(block, text));
      case "extend":
        return { ...block, from: `${block.from} cross join lateral (select ${text})` };
      case "set":
        return around(write(block, `* replace (${items().map(toReplaced).join(", ")})`));
      case "drop":
        return around(write(block, `* except (${text})`));
      case "rename":
        return around(write(block, `* rename (${items().map(toRenamed).join(", ")})`));
      case "as":
        return { ...around(write(block)), from: `(${write(block)}) as ${text}` };
      case "distinct":
        return around(write(block, "distinct *"));
      case "order":
        return { ...closed, order: this.text(rest.slice(1)) };
      case "limit":
        return around(`${write(block)} ${whole}`);
      case "aggregate":
        return this.#aggregate(block, rest);
      default:
    }
    if (/^(?:union|intersect|except)$/.test(word.word)) return this.#combine(block, [word, ...rest]);
    const isRelation = JOIN.test(whole) || /^(?:pivot|unpivot|tablesample)$/.test(word.word);
    if (!isRelation) return null;
    return JOIN.test(whole)
      ? { ...closed, from: `${closed.from} ${whole}` }
      : around(write({ ...around(write(block)), from: `(${write(block)}) ${whole}` }));
  }

  /** `aggregate sum(a) as total group by b`: the groups come first. */
  #aggregate(block: Block, rest: readonly Token[]): Block {
    const at = rest.findIndex(({ word }, i) => word === "group" && /^(?:by|and)$/.test(rest[i + 1]?.word ?? ""));
    const isOrdered = rest[at + 1]?.word === "and";
    const keys = at < 0 ? [] : split(rest.slice(at + (isOrdered ? 4 : 2)), ",").map((item) => this.text(item));
    const groups = keys.map((key) => key.replace(DIRECTION, ""));
    const values = split(at < 0 ? rest : rest.slice(0, at), ",").map((item) => this.text(item).replace(DIRECTION, ""));
    const positions = groups.map((_, i) => String(i + 1)).join(", ");
    const columns = [...groups, ...values].filter((column) => column !== "").join(", ");
    const query = write({ ...block, order: "" }, columns, positions && `group by ${positions}`);
    return isOrdered ? { ...around(query), order: positions } : around(query);
  }

  #combine(block: Block, tokens: readonly Token[]): Block | null {
    const at = tokens.findIndex(({ word }) => word === "(");
    const operation = this.text(tokens.slice(0, at));
    if (at < 0 || !SET_OPERATION.test(operation)) return null;
    const others = split(tokens.slice(at), ",").map((other) => this.text(other));
    return around([`(${write(block)})`, ...others].join(` ${operation} `));
  }
}

/** `a = expression` becomes `expression as a`. */
function toReplaced(item: string): string {
  const [, name = "", value = ""] = /^([^=]+?)\s*=\s*(.*)$/s.exec(item) ?? [];
  return `${value} as ${name}`;
}

/** `a b` becomes `a as b`. */
function toRenamed(item: string): string {
  const [from = "", to = ""] = item.split(/\s+(?:as\s+)?/i);
  return `${from} as ${to}`;
}

function depthOf(tokens: readonly Token[]): number {
  let [depth, most] = [0, 0];
  for (const { word } of tokens) {
    depth += Number(word === "(") - Number(word === ")");
    most = Math.max(most, depth);
  }
  return most;
}

/** @returns the same text if it has no pipes that can be written as a query */
export function withoutPipes(sql: string, tokens: readonly Token[]): string {
  if (!tokens.some(({ word }) => word === "|>") || depthOf(tokens) > MAX_DEPTH) return sql;
  const writer = new Writer(sql, tokens);
  return split(tokens, ";")
    .map((statement) => writer.query(statement))
    .join(";\n");
}
