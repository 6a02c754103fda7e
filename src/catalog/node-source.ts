/** What each connector says about which asset a node is. */
import type { ConnectorId } from "../ids.ts";
import type { Existence } from "./asset.ts";
import type { NodeType } from "./node-types.ts";
import { compareCodePoints } from "./text.ts";

/** One connector's name for a node. */
export interface NodeSource {
  connectorId: ConnectorId;
  connectorName: string;
  /** Whether the connector states the node, or only names it. */
  existence: Existence;
  /** The type that the connector gives it. */
  type: NodeType;
  /** Its dot-separated name as the connector's source spells it. */
  fqn: string;
  /** The installation of the platform; "" if there is only one. */
  instance: string;
  /** Other names of the connector's source that are left out, because they differ from `fqn` only in case. */
  alikeNames: string[];
  /** When the connector first stated or named it, without a break: ISO 8601, UTC. */
  since: string;
}

/**
 * One entry for each connector, those that state the node first, then by their names. A connector may state a node in
 * several scopes; what it states comes before what it only names, and the earliest time counts.
 */
export function joinSources(sources: readonly NodeSource[]): NodeSource[] {
  const joined = new Map<ConnectorId, NodeSource>();
  for (const source of sources.toSorted(compareSources)) {
    const known = joined.get(source.connectorId);
    if (known === undefined) joined.set(source.connectorId, source);
    else if (source.since < known.since) joined.set(source.connectorId, { ...known, since: source.since });
  }
  return [...joined.values()];
}

function compareSources(a: NodeSource, b: NodeSource): number {
  return (
    Number(a.existence === "referenced") - Number(b.existence === "referenced") ||
    compareCodePoints(a.connectorName, b.connectorName) ||
    compareCodePoints(a.connectorId, b.connectorId) ||
    compareCodePoints(a.since, b.since) ||
    compareCodePoints(a.fqn, b.fqn)
  );
}
