/** What is found in a statement while it is read, besides where its columns come from. */
import { isUnchanged, type Lineage, listedFields, type Origin } from "./lineage.ts";
import type { NamedColumn, RelationPath } from "./request.ts";

/** More names than this are not listed: a text of two megabytes may hold hundreds of thousands. */
const MAX_NAMED = 20_000;

export class Findings {
  readonly #named = new Map<string, NamedColumn>();
  readonly #unfound = new Map<string, RelationPath>();
  readonly #handled = new WeakSet();
  #missedUse: string | null = null;

  /**
   * Takes down that the statement writes a name. It names all columns of which what it means is an unchanged copy.
   * @param path of a field of it, folded
   */
  addName(lineage: Lineage, path: readonly string[] = []): void {
    for (const use of lineage.uses.values()) {
      if (!isUnchanged(use)) continue;
      const fields = listedFields(use, path);
      if (fields.length === 0 || use.origin.implied !== true) this.#addColumn(use.origin);
      for (const { origin } of fields) this.#addColumn(origin);
    }
    this.addMissedUse(lineage.unresolved);
  }

  #addColumn({ relation, column }: Origin): void {
    const key = `${relation} ${column}`;
    if (this.#named.has(key)) return;
    if (this.#named.size < MAX_NAMED) this.#named.set(key, { relation, column });
    else this.addMissedUse(`the SQL names more than ${MAX_NAMED} columns`);
  }

  /** @param reason why a use may be missing, or null where none is; the first one counts */
  addMissedUse(reason: string | null): void {
    this.#missedUse ??= reason;
  }

  addUnfound(path: RelationPath): void {
    this.#unfound.set(JSON.stringify(path).toLowerCase(), path);
  }

  /** Takes down that a part of the tree has been read, or need not be. */
  markHandled(part: object): void {
    this.#handled.add(part);
  }

  isHandled(part: object): boolean {
    return this.#handled.has(part);
  }

  get named(): NamedColumn[] {
    return [...this.#named.values()];
  }

  get missedUse(): string | null {
    return this.#missedUse;
  }

  get unfound(): RelationPath[] {
    return [...this.#unfound.values()];
  }
}
