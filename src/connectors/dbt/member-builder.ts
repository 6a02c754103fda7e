/** Builds one entry of an artifact from its tokens, within bounds: what is too large is let go as it streams by. */
import { Assembler } from "stream-json/assembler.js";
import type { Token } from "stream-json/parser.js";

/** How large one entry, such as a model, may be. */
export interface MemberLimits {
  /** Of its keys and values, without what stands between them. */
  characters: number;
  /** Of its objects, lists and plain values: each takes memory, however short it is written. */
  values: number;
  /** How many objects and lists stand within each other. */
  depth: number;
}

/** Real entries have some ten thousand characters, some thousand values and six levels. */
export const MEMBER_LIMITS: MemberLimits = { characters: 16 * 1024 ** 2, values: 500_000, depth: 64 };

export class MemberBuilder {
  /** Why the entry is not built; null for one that is. */
  excess: string | null = null;
  readonly #limits: MemberLimits;
  readonly #assembler = new Assembler();
  #characters = 0;
  #values = 0;
  #depth = 0;

  constructor(limits: MemberLimits) {
    this.#limits = limits;
  }

  /** Whether the entry has ended. */
  get done(): boolean {
    return this.#depth === 0;
  }

  get value(): unknown {
    return this.#assembler.current;
  }

  /** Counts text of a key or value that is still being read. */
  grow(characters: number): void {
    this.#characters += characters;
    if (this.#characters > this.#limits.characters) {
      this.#giveUp(`it has more than ${this.#limits.characters} characters`);
    }
  }

  /** @param token a whole key or value, or the begin or end of an object or list */
  take(token: Token): void {
    if (token.name === "startObject" || token.name === "startArray") this.#depth++;
    if (token.name === "endObject" || token.name === "endArray") this.#depth--;
    else if (token.name !== "keyValue") this.#values++;
    if (this.#values > this.#limits.values) this.#giveUp(`it has more than ${this.#limits.values} values`);
    if (this.#depth > this.#limits.depth) this.#giveUp(`it is nested more than ${this.#limits.depth} levels deep`);
    if (this.excess === null) this.#assembler.consume(token);
  }

  #giveUp(reason: string): void {
    this.excess ??= reason;
    this.#assembler.dropToLevel(0);
  }
}
