/** Says whether what the agent's exam takes for granted is true of the sample. */
import type { Fact, Selection } from "../../bench/agent/question.ts";
import type { SampleConnector, SampleNode } from "./sample-nodes.ts";

export interface SampleFacts {
  find(fqn: string): SampleNode | undefined;
  /** Throws where the fact names what the sample does not have. */
  isTrue(fact: Fact): boolean;
}

export function createSampleFacts(nodes: readonly SampleNode[], connector: SampleConnector): SampleFacts {
  const byFqn = new Map(nodes.map((node) => [node.fqn, node]));
  if (byFqn.size !== nodes.length) throw new Error("Two nodes of the sample have one name.");
  const downstream = new Map(nodes.map(({ fqn, downstream: next }) => [fqn, next.nodes.map((node) => node.fqn)]));
  const feeds = (from: string, to: string): boolean => (downstream.get(from) ?? []).includes(to);

  /** Fewest hops to everything downstream, the start included; without a node, as if it were not there. */
  const walk = (from: string, without?: string): Map<string, number> => {
    const hops = new Map([[from, 0]]);
    // A map's entries are visited in the order in which they came, new ones included.
    for (const [fqn, distance] of hops) {
      for (const to of downstream.get(fqn) ?? []) {
        if (to !== without && !hops.has(to)) hops.set(to, distance + 1);
      }
    }
    return hops;
  };
  const reaches = (from: string, to: string): boolean => from !== to && walk(from).has(to);

  const meets = (node: SampleNode, wanted: Selection): boolean =>
    (wanted.type === undefined || node.type === wanted.type) &&
    (wanted.owner === undefined || ownerOf(node) === wanted.owner) &&
    (wanted.tag === undefined || node.tags.includes(wanted.tag)) &&
    (wanted.certification === undefined || node.certification === wanted.certification) &&
    (wanted.certifiedBy === undefined || certifierOf(node) === wanted.certifiedBy) &&
    (wanted.under === undefined || node.fqn.startsWith(wanted.under)) &&
    (wanted.name === undefined || node.name === wanted.name) &&
    (wanted.columnOf === undefined || node.parent?.fqn === wanted.columnOf) &&
    (wanted.feeds === undefined || feeds(node.fqn, wanted.feeds)) &&
    (wanted.uses === undefined || feeds(wanted.uses, node.fqn)) &&
    (wanted.dependsOn === undefined || reaches(wanted.dependsOn, node.fqn)) &&
    (wanted.described === undefined || (node.description !== "") === wanted.described);
  const get = (fqn: string): SampleNode => {
    const node = byFqn.get(fqn);
    if (node === undefined) throw new Error(`The sample has no ${fqn}.`);
    return node;
  };
  const select = (wanted: Selection): string[] => {
    // None may be selected because a name is spelled wrong.
    for (const fqn of namesOf(wanted)) get(fqn);
    return nodes.filter((node) => meets(node, wanted)).map(({ fqn }) => fqn);
  };

  const isTrue = (fact: Fact): boolean => {
    switch (fact[0]) {
      case "owner":
        return ownerOf(get(fact[1])) === fact[2];
      case "certification":
        return get(fact[1]).certification === fact[2];
      case "certified by":
        return certifierOf(get(fact[1])) === fact[2];
      case "certified on":
        return (get(fact[1]).certifiedAt ?? get(fact[1]).meta.certified_at)?.slice(0, 10) === fact[2];
      case "feeds":
        return feeds(get(fact[1]).fqn, get(fact[2]).fqn);
      case "reaches":
        return reaches(get(fact[1]).fqn, get(fact[2]).fqn);
      case "never reaches":
        return !reaches(get(fact[1]).fqn, get(fact[2]).fqn);
      case "shortest path": {
        const [, from, by, to] = fact;
        const direct = walk(from).get(get(to).fqn);
        return direct !== undefined && (walk(from, get(by).fqn).get(to) ?? Infinity) > direct;
      }
      case "says":
        return textOf(get(fact[1])).toLowerCase().includes(fact[2].toLowerCase());
      case "data type":
        return get(fact[1]).dataType === fact[2];
      case "all":
        return select(fact[1]).toSorted().join() === fact[2].toSorted().join();
      case "count":
        return select(fact[1]).length === fact[2];
      case "sync":
        return connector.lastSync[fact[1]] === fact[2];
      case "connector":
        return (fact[1] === "health" ? connector.health : (connector.schedule?.cron ?? null)) === fact[2];
    }
  };
  return { find: (fqn) => byFqn.get(fqn), isTrue };
}

/** The nodes that a selection is made by. */
function namesOf({ columnOf, feeds, uses, dependsOn }: Selection): string[] {
  return [columnOf, feeds, uses, dependsOn].filter((fqn) => fqn !== undefined);
}

function ownerOf({ owner, ownerName }: SampleNode): string {
  return owner === "" ? ownerName : owner;
}

function certifierOf({ certifiedBy, meta }: SampleNode): string | undefined {
  return certifiedBy ?? meta.certified_by;
}

function textOf({ description, definitionSummary, sql }: SampleNode): string {
  return [description, definitionSummary, sql ?? ""].join("\n");
}
