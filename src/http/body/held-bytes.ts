/** Stores bytes in blocks of one size. Each tiny chunk as a buffer of its own would take a hundred times its length. */

const BLOCK_BYTES = 256 * 1024;

export class HeldBytes implements Iterable<Uint8Array> {
  readonly #max: number;
  readonly #onGrow: (bytes: number) => void;
  readonly #blocks: Uint8Array[] = [];
  #size = 0;

  /**
   * @param max the most bytes that are kept
   * @param onGrow called with the size of each new block
   */
  constructor(max: number, onGrow: (bytes: number) => void = () => {}) {
    this.#max = max;
    this.#onGrow = onGrow;
  }

  get size(): number {
    return this.#size;
  }

  /** Returns false, and keeps nothing of the chunk, if there would be too many bytes. */
  add(chunk: Uint8Array): boolean {
    if (this.#size + chunk.length > this.#max) return false;
    for (let rest = chunk; rest.length > 0;) {
      const used = this.#size % BLOCK_BYTES;
      if (used === 0) {
        this.#blocks.push(new Uint8Array(BLOCK_BYTES));
        this.#onGrow(BLOCK_BYTES);
      }
      const taken = rest.subarray(0, BLOCK_BYTES - used);
      this.#blocks.at(-1)?.set(taken, used);
      this.#size += taken.length;
      rest = rest.subarray(taken.length);
    }
    return true;
  }

  *[Symbol.iterator](): Generator<Uint8Array> {
    for (const [index, block] of this.#blocks.entries()) yield block.subarray(0, this.#size - index * BLOCK_BYTES);
  }
}
