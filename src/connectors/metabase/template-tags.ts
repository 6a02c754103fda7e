/**
 * Makes SQL with Metabase's template tags readable: https://www.metabase.com/docs/latest/questions/native-editor/sql-parameters
 * A tag becomes something that may stand in its place. The result is read, and never run.
 */

/** The meaning of a tag, if Metabase states it. */
export interface TemplateTag {
  /** `text`, `number`, `date`, `boolean`, `dimension`, `temporal-unit`, `card` or `snippet`; "" if unknown. */
  type: string;
  /** The field of a `dimension` or `temporal-unit`. */
  field: number | null;
  card: number | null;
  /** The name of a snippet. */
  snippet: string;
}

export interface TagMeanings {
  tags: ReadonlyMap<string, TemplateTag>;
  /** The contents of snippets by their names. */
  snippets: ReadonlyMap<string, string>;
  /** The names of the columns that cards yield, by the cards' ids. */
  cardColumns: ReadonlyMap<number, readonly string[]>;
  /** The name of the column of a field. */
  columnOf: (field: number) => string | null;
  /** Writes a name as the warehouse quotes it. */
  quote: (name: string) => string;
}

export interface Readable {
  sql: string;
  /** Tags that have no meaning: a reason to doubt what is read. */
  unknown: string[];
}

/** Snippets may name snippets. This many levels of them are read. */
const MAX_DEPTH = 8;
/** A few snippets that name each other can make a very long text. */
const MAX_CHARACTERS = 1_048_576;

/**
 * The parts of a text that matter here. A comment within an optional clause ends where the clause ends, as in
 * `[[ {{limit}} --]] 100`. Metabase reads no tags in comments.
 */
const TOKEN =
  /(?<comment>--[^\n]*?(?=\]\]|\n|$)|\/\*[\s\S]*?(?:\*\/|$))|(?<tag>\{\{(?<inner>[^{}]{0,1000})\}\})|(?<open>\[\[)|(?<close>\]\])|(?<quote>['"`])/g;

/** The name of the card in a tag such as `#12-orders`. */
const CARD = /^#(\d+)/;

interface Token {
  kind: "comment" | "tag" | "open" | "close" | "quote";
  text: string;
  index: number;
  /** The name in a tag. */
  name: string;
  /** Whether it is a part of a string or a quoted name. */
  isQuoted: boolean;
}

function* tokensOf(sql: string): Generator<Token> {
  const pattern = new RegExp(TOKEN);
  let quote = "";
  for (let found = pattern.exec(sql); found !== null; found = pattern.exec(sql)) {
    const { 0: text, index, groups = {} } = found;
    const kind = KINDS.find((each) => groups[each] !== undefined);
    const isQuoted = quote !== "";
    if (kind === "quote") {
      if (quote === "") quote = text;
      else if (quote === text) quote = "";
    }
    // Two dashes in a string are no comment, and what follows may be a tag.
    if (kind === "comment" && isQuoted) pattern.lastIndex = index + 2;
    else if (kind !== undefined) yield { kind, text, index, name: (groups["inner"] ?? "").trim(), isQuoted };
  }
}

const KINDS = ["comment", "tag", "open", "close", "quote"] as const;

/** Optional clauses are kept, because a reader may fill them in. */
export function toReadable(sql: string, meanings: TagMeanings, depth = 0): Readable {
  const unknown: string[] = [];
  let readable = "";
  let at = 0;
  const tokens = [...tokensOf(sql)];
  const brackets = findOptional(tokens);
  for (const token of tokens) {
    const { kind, index, text } = token;
    readable += sql.slice(at, index);
    at = index + text.length;
    if (kind === "tag") {
      const value = toValue(token, meanings, depth);
      unknown.push(...value.unknown);
      readable += value.sql;
    } else {
      readable += brackets.has(token) ? " " : text;
    }
    if (readable.length > MAX_CHARACTERS) break;
  }
  return { sql: readable + sql.slice(at), unknown };
}

/** The brackets around clauses with tags. Other double brackets are SQL, as in `array[[1, 2], [3, 4]]`. */
function findOptional(tokens: readonly Token[]): ReadonlySet<Token> {
  const brackets = new Set<Token>();
  const open: { bracket: Token; hasTag: boolean }[] = [];
  for (const token of tokens) {
    const clause = open.at(-1);
    if (token.kind === "open") open.push({ bracket: token, hasTag: false });
    else if (token.kind === "tag" && clause !== undefined) clause.hasTag = true;
    else if (token.kind === "close" && open.pop()?.hasTag === true && clause !== undefined) {
      brackets.add(clause.bracket).add(token);
    }
  }
  return brackets;
}

function toValue({ name, isQuoted }: Token, meanings: TagMeanings, depth: number): Readable {
  const tag = meanings.tags.get(name);
  const card = tag?.card ?? cardIn(name);
  if (card !== null) return { sql: toSubquery(card, meanings), unknown: [] };
  const snippet = tag?.snippet || snippetIn(name);
  if (snippet !== "") {
    const content = meanings.snippets.get(snippet);
    if (content === undefined || depth >= MAX_DEPTH) return { sql: "null", unknown: [name] };
    return toReadable(content, meanings, depth + 1);
  }
  if (isQuoted) return { sql: "1", unknown: [] };
  if (tag?.type === "temporal-unit" && tag.field !== null) {
    const column = meanings.columnOf(tag.field);
    return { sql: column === null ? "null" : meanings.quote(column), unknown: column === null ? [name] : [] };
  }
  return { sql: LITERALS[tag?.type ?? ""] ?? "null", unknown: [] };
}

const LITERALS: Readonly<Record<string, string>> = {
  number: "1",
  text: "'text'",
  date: "'2000-01-01'",
  boolean: "true",
  dimension: "1 = 1",
};

/** A subquery with the columns that a card yields. Their values come from the card, which is an asset of its own. */
function toSubquery(card: number, { cardColumns, quote }: TagMeanings): string {
  const columns = cardColumns.get(card) ?? [];
  const list = columns.length === 0 ? "1" : columns.map((column) => `null as ${quote(column)}`).join(", ");
  return `(select ${list})`;
}

export function cardIn(name: string): number | null {
  const [, id] = CARD.exec(name) ?? [];
  return id === undefined ? null : Number(id);
}

export function snippetIn(name: string): string {
  return name.startsWith("snippet:") ? name.slice("snippet:".length).trim() : "";
}

/** The names of the tags in SQL, those in comments left out. */
export function tagsIn(sql: string): string[] {
  const names = [...tokensOf(sql)].flatMap(({ kind, name }) => (kind === "tag" ? [name] : []));
  return [...new Set(names)];
}

/** How the warehouse quotes a name. */
export function quoterOf(platform: string): (name: string) => string {
  const mark = BACKTICK_PLATFORMS.has(platform) ? "`" : '"';
  return (name) => mark + name.replaceAll(mark, mark + mark) + mark;
}

const BACKTICK_PLATFORMS = new Set(["bigquery", "databricks", "hive", "mysql", "spark"]);
