/** What a change affects, as it is drawn. */
import { formatCount } from "../../../parts/count.ts";
import type { NodeType } from "../../../parts/node-types.ts";
import type { Change } from "../../impact/change.ts";
import type { Affected } from "../../impact/documents.ts";
import { changeKey, type KnownImpact, type LineageGraph, linkKey } from "./graph.ts";
import { MAX_ADDED } from "./view.ts";

export interface DrawnImpact {
  change: Change;
  known: KnownImpact;
  /** The node that is changed, or whose column is. */
  origin: string;
  /** The origin and the affected nodes that are drawn: the worst hit first, each after the nodes on its path. */
  nodes: ReadonlySet<string>;
  /** What happens to each of these. The origin is not among them. */
  affected: ReadonlyMap<string, Affected>;
  /** The nodes from the origin to each of these. */
  ways: ReadonlyMap<string, readonly string[]>;
  /** The links of all ways, by `linkKey`. */
  links: ReadonlySet<string>;
}

/** @returns null if it is not known yet what the change affects */
export function drawImpact(graph: LineageGraph, change: Change): DrawnImpact | null {
  const known = graph.impacts.get(changeKey(change));
  if (known === undefined) return null;
  const origin = known.of.parent?.id ?? known.of.id;
  const assets = new Map(known.assets.map((asset) => [asset.id, asset]));
  const wayTo = ({ path }: Affected): string[] => {
    const steps = path.flatMap((step) => (assets.has(step) ? step : (known.tables.get(step) ?? [])));
    return [...new Set([origin, ...steps])];
  };
  const nodes = new Set([origin]);
  for (const asset of known.assets) {
    const added = wayTo(asset).filter((id) => !nodes.has(id));
    if (nodes.size + added.length > MAX_ADDED) break;
    for (const id of added) nodes.add(id);
  }
  const affected = new Map<string, Affected>();
  const ways = new Map<string, readonly string[]>();
  for (const id of nodes) {
    const asset = assets.get(id);
    if (asset === undefined || id === origin) continue;
    affected.set(id, asset);
    ways.set(
      id,
      wayTo(asset).filter((step) => nodes.has(step)),
    );
  }
  return { change, known, origin, nodes, affected, ways, links: linksOf(ways.values()) };
}

const LOOKED_AT: readonly NodeType[] = ["dashboard", "pipeline", "metric"];

/** What people look at comes first, the dashboards before the rest. */
function rankOfType(type: NodeType): number {
  const place = LOOKED_AT.indexOf(type);
  return place === -1 ? LOOKED_AT.length : place;
}

export function listDashboards({ affected }: DrawnImpact): string[] {
  return Array.from(affected.values()).flatMap(({ id, type }) => (type === "dashboard" ? [id] : []));
}

/** The affected nodes that people look at, the dashboards first. */
export function listLookedAt({ affected }: DrawnImpact): string[] {
  const lookedAt = [...affected.values()].filter(({ type }) => LOOKED_AT.includes(type));
  return lookedAt.toSorted((a, b) => rankOfType(a.type) - rankOfType(b.type)).map(({ id }) => id);
}

/** How many of the affected are drawn, if that is not all of them. */
export function describeAffected({ known: { counts }, affected }: DrawnImpact): string[] {
  if (affected.size >= counts.total) return [];
  return [`The first ${formatCount(affected.size)} of ${formatCount(counts.total)} affected are drawn.`];
}

/** The steps of ways, by `linkKey`. */
export function linksOf(ways: Iterable<readonly string[]>): Set<string> {
  const links = new Set<string>();
  for (const way of ways) {
    for (const [place, to] of way.slice(1).entries()) links.add(linkKey({ from: way[place] ?? to, to }));
  }
  return links;
}

/** What a change does to a node or column; null if nothing. */
export type Effect = "changed" | Affected["risk"] | null;

/** The colour tokens of effects, where there is no room for more than a colour. */
export const EFFECT_COLOURS = { changed: "--ink", high: "--bad", medium: "--warn", low: "--ink-faint" } as const;

export function effectOn(id: string, impact: DrawnImpact | null): Effect {
  return impact?.origin === id ? "changed" : (impact?.affected.get(id)?.risk ?? null);
}

export function effectOnColumn(id: string, impact: DrawnImpact | null): Effect {
  return impact?.known.of.id === id ? "changed" : (impact?.known.columns.get(id)?.risk ?? null);
}
