/**
 * Brings statements that differ only in spelling into one form: without comments, positions and optional words, and
 * with every name as the warehouse stores it. Anything that may carry meaning stays as it is written. So two statements
 * with the same canonical form mean the same.
 */
import { GENERIC, type SqlDialect } from "./dialect.ts";
import { toName } from "./names.ts";
import type { Expression, Identifier } from "./syntax.ts";

type Parts = Record<string, unknown>;
type Named = Pick<Identifier, "name" | "quoted">;

/** Keys that hold positions, comments, or whether an optional word is written. */
const SPELLING =
  /^(?:span|comments|.*_comments|inferred_type|alias_explicit_as|alias_keyword|use_inner_keyword|use_outer_keyword|explicit_asc|double_colon_syntax|integer_spelling)$/;
/** Keywords that the parser keeps as they are written, such as the `rows` of a window's frame. */
const KEYWORDS = /^(?:(?:kind|start_side|end_side)_text|language)$/;
/** Functions that are called without parentheses. The parser reads them as columns. */
const BARE_CALLS = /^(?:user|uid)$/i;
const QUOTE = /['"`]/;

/** Copies the trees in canonical form. Statements that differ only in spelling get equal trees. */
export function toCanonical(statements: readonly Expression[], dialect: SqlDialect): Expression[] {
  const ctes = new Set<string>();
  if (dialect.relationCase === true) gatherCtes(statements, ctes);
  const canonical = new Canonical(dialect, ctes);
  return statements.map((statement) => canonical.visit(statement) as Expression);
}

class Canonical {
  readonly #dialect: SqlDialect;
  /** In lower case. */
  readonly #ctes: ReadonlySet<string>;

  constructor(dialect: SqlDialect, ctes: ReadonlySet<string>) {
    this.#dialect = dialect;
    this.#ctes = ctes;
  }

  visit(node: unknown): unknown {
    if (typeof node !== "object" || node === null) return node;
    if (Array.isArray(node)) return node.map((child) => this.visit(child));
    if (isIdentifier(node)) return this.#identifier(node);
    const [[tag, content] = ["", null], ...others] = Object.entries(node);
    // An expression has one key, its tag.
    if (tag === "and" || tag === "or") return { [tag]: operandsOf(node, tag).map((operand) => this.visit(operand)) };
    if (others.length > 0 || !isParts(content)) return this.#visitParts("", node as Parts);
    // A node of one key may also only wrap an expression, as WHERE does.
    const isHolder = tag !== "var" && Object.keys(content).length === 1;
    return { [tag]: isHolder ? this.visit(content) : this.#visitTagged(tag, content) };
  }

  #visitTagged(tag: string, content: Parts): Parts {
    const parts = this.#visitParts(tag, content);
    switch (tag) {
      case "literal":
        return content.literal_type === "number" ? { ...parts, value: String(content.value).toLowerCase() } : parts;
      case "table":
        return { ...parts, ...this.#place(content) };
      case "column":
        return { ...parts, name: this.#column(content) };
      case "dot":
        return { ...parts, field: this.#field(content.field) };
      case "method_call":
        return { ...parts, method: this.#dialect.relationCase === true ? asWritten(content.method) : parts.method };
      case "lateral":
        return { ...parts, ...this.#lateralAlias(content) };
      case "var":
        return { ...parts, this: typeof content.this === "string" ? this.#word(content.this) : parts.this };
      default:
        return parts;
    }
  }

  #visitParts(tag: string, node: Parts): Parts {
    const parts: Parts = {};
    for (const [key, child] of Object.entries(node)) {
      if (SPELLING.test(key)) continue;
      if (typeof child !== "string") parts[key] = this.visit(child);
      else if (KEYWORDS.test(key)) parts[key] = child.toLowerCase();
      else if (key === "name" || key === "original_name") parts[key] = this.#call(child, tag, node.quoted === true);
      else parts[key] = child;
    }
    return parts;
  }

  #identifier(identifier: Named): Named {
    // The meaning of quotes depends on the dialect, which is not known here.
    if (identifier.quoted && this.#dialect === GENERIC) return { name: identifier.name, quoted: true };
    return { name: toName(identifier, this.#dialect).stored, quoted: false };
  }

  /** The name of a call or a type. If the parser has a tag for the function, the tag is its name. */
  #call(name: string, tag: string, quoted: boolean): string {
    if (lettersOf(name) === lettersOf(tag)) return tag;
    // The names of user-defined routines are case-sensitive where those of tables are.
    const isOwn = name.includes(".") && this.#dialect.relationCase === true;
    return quoted || isOwn ? name : this.#word(name);
  }

  /** A word without quotes. The text of a type may contain quotes, as in `enum('a')`; it stays as it is. */
  #word(text: string): string {
    return QUOTE.test(text) ? text : toName({ name: text, quoted: false }, this.#dialect).stored;
  }

  #column({ name, table }: Parts): unknown {
    if (!isIdentifier(name)) return this.visit(name);
    const stored = this.#identifier(name);
    return table === null && BARE_CALLS.test(name.name) ? { ...stored, quoted: name.quoted } : stored;
  }

  /** In Snowflake, `[0].key` is a path into a document. The keys of documents are case-sensitive. */
  #field(field: unknown): unknown {
    const folds = this.#dialect.folding === "ignore" || this.#dialect.folding === "lower";
    return folds ? this.visit(field) : asWritten(field);
  }

  /** A table's catalog, schema and name. In BigQuery, one pair of quotes may contain the whole path. */
  #place({ name, schema, catalog }: Parts): Parts {
    if (!isIdentifier(name)) return {};
    const split = this.#dialect.parser === "bigquery" && schema === null ? name.name.split(".") : [];
    const path = split.map((part): Named => ({ name: part, quoted: name.quoted }));
    const [own, within = null, above = null] =
      path.length === 2 || path.length === 3 ? path.toReversed() : [name, schema, catalog];
    const isCte = within === null && this.#ctes.has(name.name.toLowerCase());
    const keeps = this.#dialect.relationCase === true && !isCte;
    const [newName, newSchema, newCatalog] = [own, within, above].map((part) =>
      keeps ? asWritten(part) : this.visit(part),
    );
    return { name: newName, schema: newSchema, catalog: newCatalog };
  }

  /** The parser gives a lateral's names as strings, and does not say whether its columns are quoted. */
  #lateralAlias({ alias, alias_quoted: quoted, column_aliases: columns }: Parts): Parts {
    const stored = (name: unknown, isQuoted: boolean): unknown =>
      typeof name === "string" ? toName({ name, quoted: isQuoted }, this.#dialect).stored : name;
    return {
      alias: stored(alias, quoted === true),
      alias_quoted: false,
      column_aliases: Array.isArray(columns) ? columns.map((column) => stored(column, true)) : columns,
    };
  }
}

/**
 * The operands of a chain of `and` or of `or`, in order. A long chain nests to the left; a comment changes the nesting.
 */
function operandsOf(chain: unknown, tag: "and" | "or"): unknown[] {
  const operands: unknown[] = [];
  const rest: unknown[] = [chain];
  while (rest.length > 0) {
    const node = rest.pop();
    if (isParts(node) && isParts(node[tag])) rest.push(node[tag].right, node[tag].left);
    else operands.push(node);
  }
  return operands;
}

function asWritten(identifier: unknown): unknown {
  return isIdentifier(identifier) ? { name: identifier.name, quoted: false } : identifier;
}

function isParts(value: unknown): value is Parts {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isIdentifier(value);
}

function isIdentifier(value: unknown): value is Named {
  if (typeof value !== "object" || value === null || !("name" in value) || !("quoted" in value)) return false;
  const others = Object.keys(value).filter((key) => !SPELLING.test(key));
  return typeof value.name === "string" && typeof value.quoted === "boolean" && others.length === 2;
}

function lettersOf(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

/** Gathers the names of all CTEs of the tree, in lower case. */
function gatherCtes(node: unknown, names: Set<string>): void {
  if (typeof node !== "object" || node === null) return;
  if ("ctes" in node && Array.isArray(node.ctes)) {
    for (const { alias } of node.ctes as { alias: Identifier }[]) names.add(alias.name.toLowerCase());
  }
  for (const child of Object.values(node)) gatherCtes(child, names);
}
