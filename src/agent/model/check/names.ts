/** Which nodes of the workspace the names in a model's text can mean. */
import type { CatalogNode } from "../../../catalog/asset.ts";
import { MAX_SEARCH_CHARACTERS, splitIdentifier } from "../../../catalog/search.ts";
import { fold } from "../../../catalog/text.ts";
import { nameOf } from "../../answers/words.ts";
import { type AgentCatalog, NAMED_TYPES } from "../../catalog.ts";
import type { Scope } from "../../find/scope.ts";
import type { Part } from "./parts.ts";
import { TYPE_WORD } from "./standing.ts";

/** Names that are looked up for one text; what comes behind them is taken to be unknown. */
const MAX_LOOKUPS = 80;
const MAX_FOUND = 50;
const MAX_MEANT = 8;

export interface Names {
  /** The nodes that a name can mean, the likelier first; [] where there is none that the question may be about. */
  find(text: string): Promise<CatalogNode[]>;
  /** The parts with what is named in plain words made one part each. */
  mark(parts: readonly Part[]): Promise<Part[]>;
}

/** @param known what the question is about and what was found for it: what a name most likely means */
export function createNames(catalog: AgentCatalog, scope: Scope, known: readonly CatalogNode[]): Names {
  const places = new Map(known.map(({ id }, place) => [id, place]));
  const placeOf = (node: CatalogNode): number => places.get(node.id) ?? known.length;
  const found = new Map<string, Promise<CatalogNode[]>>();
  /** What a reader takes a name to mean: what was spoken of before anything else, and anything else before a column. */
  const likeliest = (meant: readonly CatalogNode[]): readonly CatalogNode[] => {
    const spokenOf = meant.filter(({ id }) => places.has(id));
    const assets = meant.filter(({ type }) => type !== "column");
    return [spokenOf, assets].find((group) => group.length > 0) ?? meant;
  };
  const lookUp = async (text: string): Promise<CatalogNode[]> => {
    const name = text.slice(0, MAX_SEARCH_CHARACTERS);
    const [byId, byFqn, named, columns] = await Promise.all([
      catalog.load([text]),
      catalog.findByFqn(text),
      catalog.search(name, NAMED_TYPES, MAX_FOUND),
      catalog.search(name, ["column"], MAX_FOUND),
    ]);
    const all = [...byId, byFqn, ...known, ...named, ...columns].filter((node) => node !== null);
    const meant = [...new Map(all.map((node) => [node.id, node])).values()].filter(
      (node) => isCalled(node, text) && scope.allows(node),
    );
    return likeliest(meant)
      .toSorted((a, b) => placeOf(a) - placeOf(b))
      .slice(0, MAX_MEANT);
  };
  const find = (text: string): Promise<CatalogNode[]> => {
    const key = fold(text.trim());
    const before = found.get(key);
    if (before !== undefined) return before;
    const looked = found.size < MAX_LOOKUPS && key !== "" ? lookUp(text.trim()) : Promise.resolve([]);
    found.set(key, looked);
    return looked;
  };
  const spoken = known
    .flatMap((node) => [node.name, node.metric?.displayName ?? ""])
    .map((name) => ({ name, words: splitIdentifier(name) }))
    .filter(({ words }) => words.length > 1)
    .toSorted((a, b) => b.words.length - a.words.length);
  return {
    find,
    async mark(parts) {
      const marked: Part[] = [];
      for (let i = 0; i < parts.length; i++) {
        const part = parts[i];
        if (part === undefined) break;
        const said = spoken.find(({ words }) => words.every((word, n) => isWord(parts[i + n], word)));
        if (said !== undefined) {
          marked.push({ kind: "name", text: said.name, word: fold(said.name) });
          i += said.words.length - 1;
        } else if (isBesideType(parts, i) && (await find(part.text)).length > 0) marked.push({ ...part, kind: "name" });
        else marked.push(part);
      }
      return marked;
    },
  };
}

function isCalled(node: CatalogNode, text: string): boolean {
  const said = fold(text);
  const fqn = fold(node.fqn);
  const names = [node.id, node.name, nameOf(node), node.metric?.displayName ?? ""].map(fold);
  return names.includes(said) || fqn === said || (said.includes(".") && fqn.endsWith(`.${said}`));
}

function isWord(part: Part | undefined, word: string): boolean {
  return part?.kind === "word" && part.word === word;
}

const TYPE = new RegExp(`^${TYPE_WORD}$`);
const LITTLE = /^(?:a|an|the|of|in|is|are|and|or|its|their|this|these|that|which|has|have|from|by|to|as|for|with|not)$/;

/** A plain word next to "table" or "dashboard" may be its name. */
function isBesideType(parts: readonly Part[], i: number): boolean {
  const part = parts[i];
  if (part?.kind !== "word" || TYPE.test(part.word) || LITTLE.test(part.word)) return false;
  return [parts[i - 1], parts[i + 1]].some((beside) => beside?.kind === "word" && TYPE.test(beside.word));
}
