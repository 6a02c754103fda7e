/**
 * The impact of a change by brute force, straight from the rules: all hops are listed, the fewest hops to each node at
 * each strength are a plain fixpoint over them, and the paths are read backwards from that.
 * It shares no code with `src/catalog/impact/`, only the types, the rules of risk and the order of keys.
 */
import type { ColumnLineage } from "../../src/catalog/asset.ts";
import type { NodeType } from "../../src/catalog/node-types.ts";
import { type ColumnUse, edgeLevels, joinUses } from "../../src/catalog/edge.ts";
import { compareTypes } from "../../src/catalog/data-type.ts";
import { sortKey } from "../../src/catalog/identity.ts";
import {
  type Effect,
  EFFECTS,
  type Evidence,
  EVIDENCE_KINDS,
  type EvidenceKind,
  type ImpactQuery,
  type Risk,
  RISKS,
  riskOf,
} from "../../src/catalog/impact.ts";
import type { Reference } from "../../src/catalog/reference.ts";
import { compareCodePoints } from "../../src/catalog/text.ts";
import type { EdgeWrite, NodeWrite } from "../../src/graph/catalog-writes.ts";

export interface NaiveAffected {
  id: string;
  risk: Risk;
  path: string[];
  evidence: NaiveHop[];
  owner: string;
}

/** The ends are plain text here, because some starting points have no id. */
interface NaiveHop extends Omit<Evidence, "from" | "to"> {
  from: string;
  to: string;
}

/**
 * A hop of a change from one node to another. A start may also be a table that is assumed to change by one of its
 * columns.
 */
interface Way {
  from: string;
  to: string;
  kind: EvidenceKind;
  level: Evidence["level"];
  /** The ends of the evidence. */
  ends: [from: string, to: string];
  /** Not a hop: from a whole table to one of its columns. */
  isPart: boolean;
  /** Only for columns that were reached as columns. */
  forOwn: boolean;
  /** Affects the node, and leads no further. */
  isEnd: boolean;
}

const LISTED = "the columns of the root: ";
const SHOWN = "shown: ";

/** A metric is reached by the rows of a table. */
function rowWay(from: string, to: string): Way {
  return { from, to, kind: "INDIRECT", level: "asset", ends: [from, to], isPart: false, forOwn: false, isEnd: false };
}

interface Lineage {
  nodes: readonly NodeWrite[];
  edges: readonly EdgeWrite[];
  references: readonly Reference[];
}

export function assessNaively({ nodes, edges, references }: Lineage, query: ImpactQuery) {
  const byId = new Map<string, NodeWrite>(nodes.map((node) => [node.id, node]));
  const keyOf = (id: string): string => {
    const node = byId.get(id.replace(LISTED, ""));
    return node === undefined ? "" : sortKey(node.facts.fqn, node.id);
  };
  const typeOf = (id: string): NodeType => byId.get(id)?.type ?? "metric";
  const isDataset = (id: string): boolean => typeOf(id) === "table" || typeOf(id) === "model";
  const lineageOf = (id: string): ColumnLineage["status"] | undefined => byId.get(id)?.facts.columnLineage?.status;
  const parentOf = (id: string): string | null => byId.get(id)?.parentId ?? null;
  const columnsOf = (id: string): string[] => nodes.filter(({ parentId }) => parentId === id).map((node) => node.id);
  const has = (level: "asset" | "column", { from, to }: EdgeWrite): boolean =>
    edgeLevels(typeOf(from), typeOf(to))?.includes(level) ?? false;
  const between = (from: string, to: string): EdgeWrite[] =>
    edges.filter((edge) => edge.from === from && edge.to === to);
  const usesOf = (from: string, to: string): ColumnUse[] => joinUses(between(from, to).flatMap(({ uses }) => uses));
  const isDirect = (from: string, to: string): boolean =>
    usesOf(from, to).length === 0 || usesOf(from, to).some(({ kind }) => kind === "DIRECT");

  const isCopy = (from: string, to: string): boolean =>
    usesOf(from, to).length === 0 ||
    usesOf(from, to).some(({ kind, transformation }) => kind === "DIRECT" && transformation === "IDENTITY");

  const { root, change } = query;
  const isDeprecated = change === "deprecate";
  const isWhole = isDeprecated || change === "asset_drop";
  const isListed = isDataset(root) && columnsOf(root).length > 0;

  const isBound = (from: string, to: string): boolean =>
    edges.some((edge) => parentOf(edge.from) === from && (edge.to === to || parentOf(edge.to) === to));
  const isKnown = (from: string, to: string): boolean => {
    if (lineageOf(to) === "known") return true;
    const bound = isBound(from, to);
    if (isDataset(to)) return bound && between(from, to).some(({ kind }) => kind === "materializes");
    return bound && lineageOf(to) === undefined;
  };
  const unclearOf = (id: string): string[] => {
    if (lineageOf(id) === "known") return [];
    return columnsOf(id).filter((column) => lineageOf(id) !== "partial" || lineageOf(column) !== "known");
  };

  const ways: Way[] = [];
  const go = (from: string, to: string, kind: EvidenceKind, level: Way["level"], more: Partial<Way> = {}): void => {
    ways.push({ from, to, kind, level, ends: [from, to], isPart: false, forOwn: false, isEnd: false, ...more });
  };
  for (const edge of edges) {
    const { from, to } = edge;
    if (has("column", edge) && (typeOf(from) === "column" || typeOf(to) === "column")) {
      const kind = isDirect(from, to) ? "DIRECT" : "INDIRECT";
      go(from, to, kind, "column");
      const dataset = parentOf(to);
      if (dataset !== null && byId.has(dataset) && to !== root) {
        go(from, dataset, kind, "column", { ends: [from, to], isEnd: true });
      }
    }
    if (!has("asset", edge)) continue;
    if (!isDataset(from)) {
      go(from, to, isDataset(to) && lineageOf(to) === "known" && from !== root ? "NONE" : "DIRECT", "asset");
      continue;
    }
    const known = isKnown(from, to);
    if (!known) {
      for (const column of columnsOf(from)) go(column, to, "UNKNOWN", "asset", { forOwn: true });
      go(LISTED + from, to, "UNKNOWN", "asset", { ends: [from, to] });
    }
    if (isWhole && from === root) go(from, to, "DIRECT", "asset");
    else if (known) go(from, to, "NONE", "asset");
    else
      go(from, to, from !== root && unclearOf(from).length === columnsOf(from).length ? "DIRECT" : "UNKNOWN", "asset");
  }
  for (const { id } of nodes.filter((node) => isDataset(node.id))) {
    for (const column of unclearOf(id)) go(id, column, "DIRECT", "asset", { isPart: true });
  }

  // The strengths: by effect and kind, and assets that use no changed column last.
  const strengths = [
    ...EFFECTS.flatMap((effect) => EVIDENCE_KINDS.slice(0, 3).map((kind) => ({ effect, kind }))),
    ...EFFECTS.map((effect) => ({ effect, kind: "NONE" as const })),
  ];
  const strengthOf = (effect: Effect, kind: EvidenceKind): number =>
    strengths.findIndex((each) => each.effect === effect && each.kind === kind);
  const after = (strength: number, way: Way): number | null => {
    const { effect, kind } = strengths[strength] ?? { effect: "breaks", kind: "NONE" };
    const isBarred = kind === "NONE" && (way.isPart || way.level === "column");
    const weaker = EVIDENCE_KINDS.indexOf(kind) > EVIDENCE_KINDS.indexOf(way.kind) ? kind : way.kind;
    return isBarred ? null : strengthOf(effect, weaker);
  };

  const effectOf = (column: string | null): Effect => {
    if (isDeprecated) return "deprecates";
    if (change !== "type_change") return "breaks";
    const node = column === null ? undefined : byId.get(column);
    if (node === undefined || query.newType === null) return "narrows";
    return compareTypes(node.facts.dataType, query.newType, node.platform) === "narrows" ? "narrows" : "widens";
  };
  const changed = isListed ? columnsOf(root) : [root];
  const effects = changed.map((id) => effectOf(typeOf(id) === "column" ? id : null));
  const effect = EFFECTS.find((each) => effects.includes(each)) ?? "breaks";

  /** The fewest hops to each node at each strength. */
  const hops = new Map<string, (number | undefined)[]>();
  const isShorter = (point: string, strength: number, many: number): boolean => {
    const known = hops.get(point) ?? [];
    hops.set(point, known);
    if ((known[strength] ?? Infinity) <= many) return false;
    known[strength] = many;
    return true;
  };
  const starts = new Set<string>();
  const start = (point: string, strength: number): void => {
    starts.add(point);
    isShorter(point, strength, 0);
  };
  changed.forEach((id, i) => start(id, strengthOf(effects[i] ?? effect, "DIRECT")));
  if (isListed) start(LISTED + root, strengthOf(effect, "DIRECT"));
  if (isListed && isWhole) start(root, strengthOf(effect, "DIRECT"));

  /** A node passes the change on at a strength unless it is as near at a stronger one. */
  const goesOn = (point: string, strength: number): boolean => {
    const known = hops.get(point) ?? [];
    const own = known[strength];
    return own !== undefined && !known.slice(0, strength).some((other) => other !== undefined && other <= own);
  };
  /** Metrics that are known to use no column of their source: they count its rows. */
  const counting = edges.filter(({ from, to }) => {
    const isCount = typeOf(to) === "metric" && lineageOf(to) === "known" && !isBound(from, to);
    return isDataset(from) && from !== root && columnsOf(from).length > 0 && isCount;
  });
  /** The states of columns at which their whole table is reached: from the best state of the last column on. */
  const wholes = (table: string): { column: string; strength: number; many: number }[] => {
    const best = columnsOf(table).map((column) => {
      const known = hops.get(column) ?? [];
      const strength = known.findIndex((many) => many !== undefined);
      return strength < 0 ? [Infinity, Infinity] : [strength, known[strength] ?? Infinity];
    });
    const [last = [Infinity, Infinity]] = best.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => c - a || d - b);
    const [least = Infinity, nearest = Infinity] = last;
    return columnsOf(table).flatMap((column) =>
      (hops.get(column) ?? []).flatMap((many, strength) => {
        const isIn = strength > least || (strength === least && (many ?? -1) >= nearest);
        return many !== undefined && isIn && goesOn(column, strength) ? [{ column, strength, many }] : [];
      }),
    );
  };
  const endOf = (way: Way): string => (way.isEnd ? SHOWN + way.to : way.to);
  for (let isMoving = true; isMoving;) {
    isMoving = false;
    for (const way of ways) {
      (hops.get(way.from) ?? []).forEach((many, strength) => {
        const next = after(strength, way);
        if (many === undefined || next === null) return;
        if (isShorter(endOf(way), next, many + (way.isPart ? 0 : 1))) isMoving = true;
      });
    }
    if (isMoving) continue;
    for (const { from, to } of counting) {
      for (const { strength, many } of wholes(from)) {
        const next = after(strength, rowWay(from, to));
        if (next !== null && isShorter(to, next, many + 1)) isMoving = true;
      }
    }
  }

  /** The fewest hops over which the columns that go away are copied unchanged. */
  const copies = new Map(
    effect === "breaks" ? changed.filter((id) => typeOf(id) === "column").map((id) => [id, 0]) : [],
  );
  const copying = edges.filter(
    ({ from, to }) => typeOf(from) === "column" && typeOf(to) === "column" && isCopy(from, to),
  );
  for (let isMoving = true; isMoving;) {
    isMoving = false;
    for (const { from, to } of copying) {
      const many = (copies.get(from) ?? Infinity) + 1;
      if (many >= (copies.get(to) ?? Infinity)) continue;
      copies.set(to, many);
      isMoving = true;
    }
  }

  interface Told {
    path: string[];
    evidence: NaiveHop[];
    /** The order among paths that are as strong and as near. */
    order: [boolean, boolean, string, string];
  }
  /** The best path to a node at this strength and distance; null if every path leads through its table. */
  const trace = (point: string, strength: number, many: number, ownOnly = false): Told | null => {
    if (many === 0 && starts.has(point)) {
      return ownOnly && isListed ? null : { path: [root], evidence: [], order: [false, false, "", ""] };
    }
    const found = ways.flatMap((way): Told[] => {
      if (endOf(way) !== point || (ownOnly && way.isPart)) return [];
      return (hops.get(way.from) ?? []).flatMap((far, from): Told[] => {
        if (far !== many - (way.isPart ? 0 : 1) || after(from, way) !== strength || !goesOn(way.from, from)) return [];
        const before = trace(way.from, from, far, way.forOwn);
        if (before === null) return [];
        if (way.isPart) return [{ ...before, order: [true, true, "", ""] }];
        const isUnused = strengths[from]?.kind === "NONE" && isDataset(way.from);
        const uses = way.level === "asset" ? [] : usesOf(way.ends[0], way.ends[1]);
        const { transformation = "" as const, expression = "" } = strongest(uses) ?? {};
        const kind = isUnused ? "NONE" : way.kind;
        const hop = { kind, level: way.level, transformation, expression, from: way.ends[0], to: way.ends[1] };
        return [
          {
            path: [...before.path, way.to],
            evidence: [...before.evidence, hop],
            order: [false, way.level === "asset", keyOf(way.from), keyOf(way.ends[1])],
          },
        ];
      });
    });
    const byRows = counting.flatMap(({ from, to }): Told[] =>
      wholes(from).flatMap((whole): Told[] => {
        if (to !== point || whole.many !== many - 1) return [];
        if (after(whole.strength, rowWay(from, to)) !== strength) return [];
        const before = trace(whole.column, whole.strength, whole.many);
        if (before === null) return [];
        const hop = { kind: "INDIRECT", level: "asset", transformation: "", expression: "", from, to } as const;
        const last = before.order[0] ? from : whole.column;
        const order: Told["order"] = [false, true, keyOf(last), keyOf(to)];
        return [{ path: [...before.path, to], evidence: [...before.evidence, hop], order }];
      }),
    );
    return [...found, ...byRows].toSorted(compareTold)[0] ?? null;
  };
  const compareTold = (a: Told, b: Told): number =>
    Number(a.order[0]) - Number(b.order[0]) ||
    Number(a.order[1]) - Number(b.order[1]) ||
    compareCodePoints(a.order[2], b.order[2]) ||
    compareCodePoints(a.order[3], b.order[3]);

  /** The shortest path of a copy. Of equal ones, the one through the first node by key. */
  const traceCopy = (column: string): Pick<Told, "path" | "evidence"> => {
    const many = copies.get(column) ?? Infinity;
    if (many === 0) return { path: [root], evidence: [] };
    const from = copying
      .filter((edge) => edge.to === column && copies.get(edge.from) === many - 1)
      .map((edge) => edge.from)
      .toSorted((a, b) => compareCodePoints(keyOf(a), keyOf(b)))[0];
    if (from === undefined) throw new Error("a copy has no way");
    const { path, evidence } = traceCopy(from);
    const { transformation = "" as const, expression = "" } = strongest(usesOf(from, column)) ?? {};
    const hop = { kind: "DIRECT", level: "column", transformation, expression, from, to: column } as const;
    return { path: [...path, column], evidence: [...evidence, hop] };
  };
  /**
   * The path by which an asset's own SQL names a column that goes away, or a copy of it, by a use or by a reference.
   */
  const failureOf = (asset: string): Pick<Told, "path" | "evidence"> | null => {
    const [best] = [...copies.keys()]
      .flatMap((column) => {
        const isNamed = references.some(({ from, to }) => from === column && to === asset);
        const ends = edges
          .filter(({ from, to }) => from === column && (to === asset || (isNamed && parentOf(to) === asset)))
          .filter(({ from, to }) => typeOf(to) !== "table" && typeOf(to) !== "model" && !isDirect(from, to));
        const found = ends.map(({ to }): { column: string; to: string; isBare: number } => ({ column, to, isBare: 0 }));
        return isNamed ? found.concat({ column, to: asset, isBare: 1 }) : found;
      })
      .toSorted(
        (a, b) =>
          a.isBare - b.isBare ||
          (copies.get(a.column) ?? 0) - (copies.get(b.column) ?? 0) ||
          compareCodePoints(keyOf(a.column), keyOf(b.column)) ||
          compareCodePoints(keyOf(a.to), keyOf(b.to)),
      );
    if (best === undefined) return null;
    const { column, to, isBare } = best;
    const { path, evidence } = traceCopy(column);
    const name = byId.get(column)?.facts.name ?? "";
    const bare = { transformation: "REFERENCE", expression: name } as const;
    const { transformation, expression } = isBare === 1 ? bare : (strongest(usesOf(column, to)) ?? bare);
    const hop = { kind: "INDIRECT", level: "column", transformation, expression, from: column, to } as const;
    return { path: [...path, asset], evidence: [...evidence, hop] };
  };

  const affected = nodes.flatMap(({ id, type, facts }): NaiveAffected[] => {
    if (id === root || parentOf(id) === root) return [];
    const certification = facts.certification ?? "none";
    const parent = byId.get(parentOf(id) ?? "");
    const owner = facts.owner === "" && facts.ownerName === "" ? (parent?.facts.owner ?? "") : facts.owner;
    const told = bestOf(id, type);
    const failure = type === "column" || told?.kind === "DIRECT" ? null : failureOf(id);
    if (failure !== null) return [{ id, risk: riskOf("breaks", "NAMED", { type, certification }), ...failure, owner }];
    if (told === null) return [];
    const { path, evidence, effect: own, kind } = told;
    return [{ id, risk: riskOf(own, kind, { type, certification }), path, evidence, owner }];
  });
  function bestOf(id: string, type: NodeType) {
    for (let strength = 0; strength < strengths.length; strength++) {
      const points = [id, SHOWN + id].filter((point) => hops.get(point)?.[strength] !== undefined);
      const many = Math.min(...points.map((point) => hops.get(point)?.[strength] ?? Infinity));
      const told = points
        .flatMap((point) => (hops.get(point)?.[strength] === many ? (trace(point, strength, many) ?? []) : []))
        .toSorted(compareTold)[0];
      if (told === undefined) continue;
      if (type === "column" && !isReachedItself(id)) return null;
      const { effect: own, kind } = strengths[strength] ?? { effect, kind: "NONE" as const };
      return { path: [...told.path.slice(0, -1), id], evidence: told.evidence, effect: own, kind };
    }
    return null;
  }
  function isReachedItself(column: string): boolean {
    return (hops.get(column) ?? []).some((_, strength) =>
      ways.some(
        (way) =>
          way.to === column &&
          !way.isPart &&
          (hops.get(way.from) ?? []).some((far, from) => far !== undefined && after(from, way) === strength),
      ),
    );
  }
  return {
    effect,
    affected: affected.toSorted(
      (a, b) =>
        RISKS.indexOf(a.risk) - RISKS.indexOf(b.risk) ||
        a.path.length - b.path.length ||
        compareCodePoints(keyOf(a.id), keyOf(b.id)),
    ),
  };
}

function strongest(uses: readonly ColumnUse[]): ColumnUse | undefined {
  for (const transformation of ["AGGREGATION", "TRANSFORMATION", "IDENTITY"] as const) {
    const found = uses.find((use) => use.kind === "DIRECT" && use.transformation === transformation);
    if (found !== undefined) return found;
  }
  return uses[0];
}
