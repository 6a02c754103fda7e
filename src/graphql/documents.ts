/** Keeps the documents that clients send, so that each text is parsed and validated once. */
import { type DocumentNode, GraphQLError, type GraphQLSchema } from "graphql";
import { LRUCache } from "lru-cache";

import { listTokens, parseDocument, requireSize, validateDocument } from "./read-document.ts";

/** How many bytes of documents are kept at most, by the sizes below. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
/** For each character of the text, which is both the key and the document's source. */
const CHARACTER_BYTES = 2;
/** For each token, with its part of a node. Comments are tokens without a node. */
const TOKEN_BYTES = 400;
const COMMENT_BYTES = 100;
/** For each error with its message, and once for each document. */
const FAULT_BYTES = 2_000;

interface Kept {
  parsed: DocumentNode | GraphQLError;
  faults: readonly GraphQLError[] | null;
  bytes: number;
}

export type Documents = ReturnType<typeof createDocuments>;

export function createDocuments(schema: GraphQLSchema) {
  const kept = new LRUCache<string, Kept>({ maxSize: MAX_KEPT_BYTES, sizeCalculation: ({ bytes }) => bytes });

  function read(text: string): Kept {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const made = { ...parseKept(text), faults: null };
    kept.set(text, made);
    return made;
  }

  return {
    /** @throws GraphQLError if the text is no document, or too large */
    parse(text: string): DocumentNode {
      requireSize(text);
      const { parsed } = read(text);
      if (parsed instanceof GraphQLError) throw parsed;
      return parsed;
    },
    /** @param document a result of `parse` */
    validate(document: DocumentNode): readonly GraphQLError[] {
      const text = textOf(document);
      const known = read(text);
      if (known.faults !== null) return known.faults;
      const faults = validateDocument(schema, document);
      kept.set(text, { ...known, faults, bytes: known.bytes + faults.length * FAULT_BYTES });
      return faults;
    },
    /** The calculated size of all kept documents. */
    get keptBytes() {
      return kept.calculatedSize;
    },
    maxKeptBytes: MAX_KEPT_BYTES,
    /** Forgets all documents. */
    clear: () => kept.clear(),
  };
}

function parseKept(text: string): Pick<Kept, "parsed" | "bytes"> {
  const textBytes = FAULT_BYTES + text.length * CHARACTER_BYTES;
  try {
    const parsed = parseDocument(text);
    const tokens = parsed.tokenCount ?? 0;
    const comments = listTokens(parsed).reduce((count) => count + 1, 0) - tokens;
    return { parsed, bytes: textBytes + tokens * TOKEN_BYTES + comments * COMMENT_BYTES };
  } catch (error) {
    if (error instanceof GraphQLError) return { parsed: error, bytes: textBytes };
    throw error;
  }
}

function textOf({ loc }: DocumentNode): string {
  if (loc === undefined) throw new Error("the document was parsed without its locations in the text");
  return loc.source.body;
}
