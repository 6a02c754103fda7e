/**
 * Gathers what else is found while a statement is read: the columns that it names, and the relations that are not
 * known.
 */
import { isUnchanged, type Lineage, listedFields, type Origin } from "./lineage.ts";
import type { Span } from "./names.ts";
import { MAX_REFERENCES, type NamedColumn, type ColumnReference, type RelationPath } from "./request.ts";

/** More names than this are not listed: a text of two megabytes may hold hundreds of thousands. */
const MAX_NAMED = 20_000;

export class SqlFindings {
  readonly #references: Map<string, ColumnReference> | null;
  readonly #named = new Map<string, NamedColumn>();
  readonly #unfound = new Map<string, RelationPath>();
  readonly #handled = new WeakSet();
  #missedUse: string | null = null;
  #hidesRows = false;

  /** @param withReferences whether to keep where names are written */
  constructor({ withReferences = false }: { withReferences?: boolean } = {}) {
    this.#references = withReferences ? new Map() : null;
  }

  /**
   * Records that the statement names a column. If the name means an unchanged copy of stored columns, those are named.
   * @param path the path of a field, in lower case, if the statement names a field of the column
   * @param span where the name is written
   */
  addName(lineage: Lineage, path: readonly string[] = [], span?: Span): void {
    for (const use of lineage.uses.values()) {
      if (!isUnchanged(use)) continue;
      const fields = listedFields(use, path);
      if (fields.length === 0 || use.origin.implied !== true) this.#addColumn(use.origin, span);
      for (const { origin } of fields) this.#addColumn(origin, span);
    }
    this.addMissedUse(lineage.unresolved);
  }

  /** Records columns that are used by position. Like a named column, each of them must exist. */
  addByPosition(columns: readonly { lineage: Lineage }[]): void {
    for (const { lineage } of columns) this.addName(lineage);
  }

  #addColumn({ relation, column }: Origin, span: Span | undefined): void {
    const key = `${relation} ${column}`;
    if (span !== undefined && this.#references !== null && this.#references.size < MAX_REFERENCES) {
      const { start, end } = span;
      this.#references.set(`${start} ${end} ${key}`, { relation, column, start, end });
    }
    if (this.#named.has(key)) return;
    if (this.#named.size < MAX_NAMED) this.#named.set(key, { relation, column });
    else this.addMissedUse(`the SQL names more than ${MAX_NAMED} columns`);
  }

  /** @param reason why a use may be missing; null if none is. Only the first reason is kept */
  addMissedUse(reason: string | null): void {
    this.#missedUse ??= reason;
  }

  /** Records that columns which are not known decide rows. */
  hideRows(): void {
    this.#hidesRows = true;
  }

  addUnfound(path: RelationPath): void {
    this.#unfound.set(JSON.stringify(path).toLowerCase(), path);
  }

  /** Records that a part of the tree was read, or does not need to be. */
  markHandled(part: object): void {
    this.#handled.add(part);
  }

  isHandled(part: object): boolean {
    return this.#handled.has(part);
  }

  get hidesRows(): boolean {
    return this.#hidesRows;
  }

  get named(): NamedColumn[] {
    return [...this.#named.values()];
  }

  get references(): ColumnReference[] {
    return [...(this.#references?.values() ?? [])];
  }

  get missedUse(): string | null {
    return this.#missedUse;
  }

  get unfound(): RelationPath[] {
    return [...this.#unfound.values()];
  }
}
