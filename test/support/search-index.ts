/** The indexes of a graph store in memory: their answers for one query, by the rules of `rankOf`. */
import type { NodeType } from "../../src/catalog/node-types.ts";
import {
  comparePositions,
  rankOf,
  type Searchable,
  type SearchMode,
  type SearchQuery,
  standingOf,
  toSearchFields,
} from "../../src/catalog/search.ts";
import { compareCodePoints } from "../../src/catalog/text.ts";
import type { Hit, Place, SearchIndex } from "../../src/graph/memgraph/find-hits.ts";
import { readStanding, searchEntry, type SearchSource, type TextRange } from "../../src/graph/memgraph/search-index.ts";
import type { NodeId } from "../../src/ids.ts";

export type Row = Searchable & SearchSource & { id: NodeId };

/** The questions to the index, in order. */
export type Question =
  | { what: "terms" | "rows" | "named" }
  | { what: "rank"; rows: number }
  | { what: "walk"; read: number };

export function placeOf(row: Row, query: SearchQuery, mode: SearchMode): Place | null {
  const rank = rankOf(query, toSearchFields(row), mode);
  return rank === null ? null : { ...rank, standing: standingOf(row), key: row.key };
}

export function comparePlaces(a: Place, b: Place): number {
  return comparePositions({ ...a, mode: "all" }, { ...b, mode: "all" }, compareCodePoints);
}

function inOrder(hits: readonly Hit[]): Hit[] {
  return hits.toSorted((a, b) => comparePlaces(a.place, b.place));
}

function isIn(text: string, { after, before }: TextRange): boolean {
  return compareCodePoints(text, after) >= 0 && compareCodePoints(text, before) < 0;
}

/** @param types the types of the search; the rows may have others */
export function createMemoryIndex(
  rows: readonly Row[],
  query: SearchQuery,
  types: readonly NodeType[],
  asked: Question[] = [],
): SearchIndex {
  const stored = rows.map((row) => ({ row, ...searchEntry(row, true) }));
  const toHits = (some: readonly (typeof stored)[number][], mode: SearchMode): Hit[] =>
    some.flatMap(({ row }) => {
      const place = types.includes(row.type) ? placeOf(row, query, mode) : null;
      return place === null ? [] : [{ id: row.id, place }];
    });
  const textsOf = ({ row, places, terms }: (typeof stored)[number], by: string): string[] =>
    by === "terms" ? terms.map(({ at }) => at) : by === "tableAt" ? tablesOf(row) : [places[by] ?? ""];
  const tablesOf = ({ type, fqn, name }: Row): string[] =>
    stored.flatMap(({ row: table, places }) =>
      type === "column" && table.type !== "column" && `${table.fqn}.${name}` === fqn ? (places["fqnAt"] ?? "") : [],
    );
  const within = (by: string, ranges: readonly TextRange[]) =>
    stored.filter((each) => textsOf(each, by).some((text) => ranges.some((range) => isIn(text, range))));

  return {
    async countTerms(lists, most) {
      asked.push({ what: "terms" });
      const all = stored.flatMap((each) => textsOf(each, "terms"));
      return lists.map((ranges) =>
        Math.min(ranges.flatMap((range) => all.filter((at) => isIn(at, range))).length, most + 1),
      );
    },
    async countRows({ by, ranges }, most) {
      asked.push({ what: "rows" });
      return Math.min(within(by, ranges).length, most + 1);
    },
    async listNamed(ranges, limit) {
      asked.push({ what: "named" });
      const named = within("nameAt", ranges).filter(({ row }) => placeOf(row, query, "all")?.tier === 1);
      return inOrder(toHits(named, "all")).slice(0, limit);
    },
    async rank({ by, ranges }, { mode, lowest, highest, after, limit }) {
      const some = within(by, ranges);
      asked.push({ what: "rank", rows: some.length });
      const hits = toHits(some, mode).filter(({ place }) => {
        const isAfter = after === null || after.tier < lowest || comparePlaces(place, after) > 0;
        return place.tier >= lowest && place.tier <= highest && isAfter;
      });
      return inOrder(hits).slice(0, limit);
    },
    async walk(range, { tier, limit }) {
      const read = within("standing", [range])
        .toSorted((a, b) => compareCodePoints(a.places["standing"] ?? "", b.places["standing"] ?? ""))
        .slice(0, limit);
      asked.push({ what: "walk", read: read.length });
      const last = read.at(-1)?.places["standing"];
      return {
        hits: toHits(read, "all").filter(({ place }) => place.tier === tier),
        read: read.length,
        last: last === undefined ? null : readStanding(last),
      };
    },
  };
}
