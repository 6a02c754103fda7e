/**
 * Brings statements that differ only in spelling into one form: without comments, positions, optional words and CTEs that
 * nothing reads, and with every name as the warehouse stores it. A known relation is numbered by its first appearance in the
 * statement instead of named. A CTE and a source of a FROM clause are numbered by where they stand, if nothing else may mean
 * their names. Anything else that may carry meaning stays as it is written. So two statements with the same canonical form
 * mean the same if they read the same relations in the same order.
 */
import { GENERIC, type SqlDialect } from "./dialect.ts";
import { keyOf, withoutUnread } from "./idle-parts.ts";
import { addMentions, isIdentifier, localName, LocalSources, type Named, SPELLING } from "./local-sources.ts";
import { toName } from "./names.ts";
import type { Relations } from "./relations.ts";
import type { Expression, Identifier, Node } from "./syntax.ts";

type Parts = Record<string, unknown>;
type With = NonNullable<Node<"select">["with"]>;

/** Keywords that the parser keeps as they are written, such as the `rows` of a window's frame. */
const KEYWORDS = /^(?:(?:kind|start_side|end_side)_text|language)$/;
/** Functions that are called without parentheses. The parser reads them as columns. */
const BARE_CALLS = /^(?:user|uid)$/i;
const QUOTE = /['"`]/;

/** The CTEs that a part of the statement may read, innermost first. */
interface CommonTables {
  /** As it is stored; that of an ephemeral model is folded. */
  name: string;
  /** The index, in the request, of the ephemeral model that dbt wrote into the CTE; null for any other CTE. */
  relation: number | null;
  /** Stands in place of its name. */
  local: Named;
  outer: CommonTables | null;
}

export interface CanonicalForm {
  statements: Expression[];
  /** The indexes, in the request, of the known relations that are read: each once, in the order of their numbers. */
  reads: number[];
}

/** Copies the trees in canonical form. Statements that differ only in spelling get equal trees. */
export function toCanonical(
  statements: readonly Expression[],
  dialect: SqlDialect,
  relations: Pick<Relations, "indexOf" | "indexOfInlined">,
): CanonicalForm {
  const canonical = new Canonical(dialect, relations);
  const copies = statements.map((statement) => canonical.visit(statement) as Expression);
  return { statements: copies, reads: canonical.reads };
}

class Canonical {
  readonly reads: number[] = [];
  readonly #dialect: SqlDialect;
  readonly #relations: Pick<Relations, "indexOf" | "indexOfInlined">;
  #ctes: CommonTables | null = null;
  #sources: LocalSources | null = null;

  constructor(dialect: SqlDialect, relations: Pick<Relations, "indexOf" | "indexOfInlined">) {
    this.#dialect = dialect;
    this.#relations = relations;
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
    return { [tag]: isHolder ? this.visit(content) : this.#visitQuery(tag, content) };
  }

  /** Visits a node in the scope of its own CTEs and sources, if it has any. */
  #visitQuery(tag: string, content: Parts): Parts {
    const [ctes, sources] = [this.#ctes, this.#sources];
    const clause = isWith(content.with) ? this.#visitWith(withoutUnread(content.with, content), content) : null;
    if (tag === "select") {
      const fold = (name: Named): string => toName(name, this.#dialect).stored;
      this.#sources = new LocalSources(content as Node<"select">, { fold, outer: sources });
    }
    const parts = this.#visitTagged(tag, clause === null ? content : { ...content, with: null });
    [this.#ctes, this.#sources] = [ctes, sources];
    return clause === null || isEmpty(clause.ctes) ? parts : { ...parts, with: clause };
  }

  /**
   * Each CTE sees those before it; under `recursive`, all. The SQL of an ephemeral model counts for that model, so its CTE
   * is left out. A CTE keeps its name if it is written anywhere but as that of a table, or may mean itself.
   */
  #visitWith({ ctes, ...clause }: With, query: Parts): Parts {
    const words = new Set<string>();
    addMentions(query, words);
    const outer = this.#ctes;
    let last = outer;
    const scopes = ctes.map((cte) => {
      const { folded, stored } = toName(cte.alias, this.#dialect);
      const relation = cte.alias_first ? this.#relations.indexOfInlined(folded) : null;
      const keepsName = words.has(keyOf(cte.alias.name)) || (!clause.recursive && readsTable(cte.this, cte.alias.name));
      const local = keepsName ? this.#identifier(cte.alias) : localName("with", countOwn(last));
      last = { name: relation === null ? stored : folded, relation, local, outer: last };
      return last;
    });
    const visited = ctes.flatMap((cte, i) => {
      this.#ctes = clause.recursive ? last : (scopes[i]?.outer ?? null);
      return scopes[i]?.relation === null ? [{ ...this.#visitParts("", cte), alias: scopes[i].local }] : [];
    });
    this.#ctes = last;
    return { ...this.#visitParts("", clause), ctes: visited };
  }

  #numberIn(table: Node<"table">): Named | null {
    const cte = table.schema === null ? this.#findCte(table.name) : null;
    const relation = cte === null ? this.#relations.indexOf(table) : cte.relation;
    return relation === null ? null : this.#numberOf(relation);
  }

  #numberOf(relation: number): Named {
    if (!this.reads.includes(relation)) this.reads.push(relation);
    return { name: `#${this.reads.indexOf(relation)}`, quoted: false };
  }

  #findCte(name: Named): CommonTables | null {
    const { folded, stored } = toName(name, this.#dialect);
    let cte = this.#ctes;
    while (cte !== null && cte.name !== (cte.relation === null ? stored : folded)) cte = cte.outer;
    return cte;
  }

  /** What stands in place of a source's name. */
  #qualifier(name: unknown): unknown {
    if (!isIdentifier(name)) return this.visit(name);
    return this.#sources?.find(toName(name, this.#dialect).stored) ?? this.#identifier(name);
  }

  #visitTagged(tag: string, content: Parts): Parts {
    const parts = this.#visitParts(tag, content);
    switch (tag) {
      case "literal":
        return content.literal_type === "number" ? { ...parts, value: String(content.value).toLowerCase() } : parts;
      case "table":
        return { ...parts, ...this.#table(content as Node<"table">) };
      case "subquery":
        return { ...parts, ...this.#alias(content as Node<"subquery">, null) };
      case "column":
        return { ...parts, name: this.#column(content), table: this.#qualifier(content.table) };
      case "star":
        return { ...parts, table: this.#qualifier(content.table) };
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

  #table(table: Node<"table">): Parts {
    const number = this.#numberIn(table);
    const path = number === null ? this.#path(table) : { name: number, schema: null, catalog: null };
    return { ...path, ...this.#alias(table, table.name) };
  }

  /** A source has an alias in any case, so that it does not matter whether one is written. */
  #alias(source: { alias: Identifier | null }, name: Identifier | null): { alias?: Named } {
    const written = source.alias ?? name;
    const alias = this.#sources?.localOf(source) ?? (written && this.#identifier(written));
    return alias === null ? {} : { alias };
  }

  /** A table's catalog, schema and name. In BigQuery, one pair of quotes may contain the whole path. */
  #path({ name, schema, catalog }: Node<"table">): Parts {
    const split = this.#dialect.parser === "bigquery" && schema === null ? name.name.split(".") : [];
    const path = split.map((part): Named => ({ name: part, quoted: name.quoted }));
    const [own, within = null, above = null] =
      path.length === 2 || path.length === 3 ? path.toReversed() : [name, schema, catalog];
    const cte = within === null ? this.#findCte(name) : null;
    if (cte !== null) return { name: cte.local, schema: null, catalog: null };
    const keeps = this.#dialect.relationCase === true;
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

/** Whether a part of the tree names this table without a schema, in any case. */
function readsTable(node: unknown, name: string): boolean {
  if (typeof node !== "object" || node === null) return false;
  if ("with" in node && isWith(node.with) && node.with.ctes.some(({ alias }) => keyOf(alias.name) === keyOf(name)))
    return false;
  return Object.entries(node).some(([key, child]) => {
    const own = key === "table" && isParts(child) && !child.schema && isIdentifier(child.name) ? child.name : null;
    return (own !== null && keyOf(own.name) === keyOf(name)) || readsTable(child, name);
  });
}

/** How many CTEs are seen. Ephemeral models are relations, and do not count. */
function countOwn(ctes: CommonTables | null): number {
  return ctes === null ? 0 : countOwn(ctes.outer) + (ctes.relation === null ? 1 : 0);
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

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isWith(value: unknown): value is With {
  return typeof value === "object" && value !== null && "ctes" in value && Array.isArray(value.ctes);
}

function lettersOf(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}
