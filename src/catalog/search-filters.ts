/** Filters that are written in the text of a search, such as `tag:pii owner:ada@example.com type:model schema:shop.marts`. */
import { NODE_TYPES, type NodeType } from "./node-types.ts";
import { fold } from "./text.ts";

const FILTER = /(?<=^|\s)(tag|owner|type|schema):(?:"([^"]+)"|([^\s"]\S*))/gi;

export interface SearchFilters {
  /** What is left of the text. */
  words: string;
  tag?: string;
  /** An e-mail address. */
  owner?: string;
  /** An owner's name, such as that of a team. */
  responsible?: string;
  schema?: string;
  /** The types whose names begin with what was written. */
  types?: NodeType[];
}

/** Of a filter that is written twice, the last one counts. A value with spaces is quoted. */
export function readSearchFilters(text: string): SearchFilters {
  const filters: Omit<SearchFilters, "words"> = {};
  const words = text.replaceAll(FILTER, (_whole, name: string, quoted?: string, plain = "") => {
    Object.assign(filters, toFilter(name.toLowerCase(), quoted ?? plain));
    return "";
  });
  return { ...filters, words: words.trim() };
}

function toFilter(name: string, value: string): Omit<SearchFilters, "words"> {
  if (name === "tag") return { tag: value };
  if (name === "schema") return { schema: value };
  if (name === "owner") return value.includes("@") ? { owner: value } : { responsible: value };
  return { types: NODE_TYPES.filter((type) => type.startsWith(fold(value).replace(/s$/, ""))) };
}
