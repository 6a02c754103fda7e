/** Builds one entry of an artifact from its tokens. An entry beyond the limits is dropped while it is read. */
import { Assembler } from "stream-json/assembler.js";
import type { Token } from "stream-json/parser.js";

import { MAX_COLUMNS } from "../../catalog/limits.ts";

/** The limits of one entry, such as a model. */
export interface MemberLimits {
  /** Characters of its keys and values. */
  characters: number;
  /** Number of objects, lists and plain values, because even a short one takes memory. */
  values: number;
  /** How deep objects and lists are nested. */
  depth: number;
}

/** Real entries have some ten thousand characters, about a thousand values and six levels. */
export const MEMBER_LIMITS: MemberLimits = { characters: 16 * 1024 ** 2, values: 500_000, depth: 64 };

export class MemberBuilder {
  /** Why the entry was dropped; null if it was not. */
  excess: string | null = null;
  readonly #limits: MemberLimits;
  readonly #assembler = new Assembler();
  #characters = 0;
  #values = 0;
  #depth = 0;
  /** The key of the entry's member that is being read. */
  #member = "";
  #columns = 0;

  constructor(limits: MemberLimits) {
    this.#limits = limits;
  }

  /** Whether the entry is complete. */
  get done(): boolean {
    return this.#depth === 0;
  }

  get value(): unknown {
    return this.#assembler.current;
  }

  /** Counts the characters of a key or value while it is read. */
  grow(characters: number): void {
    this.#characters += characters;
    if (this.#characters > this.#limits.characters) {
      this.#giveUp(`it has more than ${this.#limits.characters} characters`);
    }
  }

  /** @param token a whole key or value, or the beginning or end of an object or list */
  take(token: Token): void {
    if (token.name === "startObject" || token.name === "startArray") this.#depth++;
    if (token.name === "endObject" || token.name === "endArray") this.#depth--;
    else if (token.name !== "keyValue") this.#values++;
    if (this.#values > this.#limits.values) this.#giveUp(`it has more than ${this.#limits.values} values`);
    if (this.#depth > this.#limits.depth) this.#giveUp(`it is nested more than ${this.#limits.depth} levels deep`);
    if (this.excess === null && !this.#isBeyondColumns(token)) this.#assembler.consume(token);
  }

  /**
   * Whether the token belongs to a column beyond those that the catalog keeps. One more is read, so that the code that cuts the
   * list sees that there are too many.
   */
  #isBeyondColumns(token: Token): boolean {
    if (token.name === "keyValue" && this.#depth === 1) [this.#member, this.#columns] = [token.value, 0];
    if (this.#member !== "columns" || this.#depth < 2) return false;
    if (token.name === "keyValue" && this.#depth === 2) this.#columns++;
    return this.#columns > MAX_COLUMNS + 1;
  }

  #giveUp(reason: string): void {
    this.excess ??= reason;
    this.#assembler.dropToLevel(0);
  }
}
