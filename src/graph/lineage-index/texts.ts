/** A list of texts that threads share without copying it. */
export interface SharedTexts {
  bytes: Uint8Array<SharedArrayBuffer>;
  /** The text `n` is at the bytes from `starts[n]` until `starts[n + 1]`. */
  starts: Uint32Array<SharedArrayBuffer>;
}

export function shareTexts(texts: readonly string[]): SharedTexts {
  const encoded = texts.map((text) => new TextEncoder().encode(text));
  const starts = new Uint32Array(new SharedArrayBuffer((texts.length + 1) * Uint32Array.BYTES_PER_ELEMENT));
  for (const [i, { length }] of encoded.entries()) starts[i + 1] = (starts[i] ?? 0) + length;
  const bytes = new Uint8Array(new SharedArrayBuffer(starts.at(-1) ?? 0));
  for (const [i, text] of encoded.entries()) bytes.set(text, starts[i]);
  return { bytes, starts };
}

/** @returns a function that decodes each text once */
export function readTexts({ bytes, starts }: SharedTexts): (number: number) => string {
  const read = new Map<number, string>();
  return (number) =>
    read.getOrInsertComputed(number, () =>
      // Shared bytes cannot be decoded; copied ones can.
      new TextDecoder().decode(Uint8Array.from(bytes.subarray(starts[number], starts[number + 1]))),
    );
}
