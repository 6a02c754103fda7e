/** Whom a report concerns: owners, and those who certified a metric. */
import type { CatalogNode } from "../catalog/asset.ts";
import type { AssessedChange } from "../catalog/change-set/join-impact.ts";
import { listOwners } from "../catalog/impact/affected-assets.ts";
import { countOwners, ownerKey } from "../catalog/impact/owners.ts";
import { countUnrefreshed } from "../catalog/impact/unrefreshed.ts";
import { isDataset } from "../catalog/node-types.ts";
import { formatCounts } from "./counted-words.ts";
import type { WhatIfReport } from "./what-if.ts";

type Owned = Pick<CatalogNode, "owner" | "ownerName">;
export type Certified = Owned & Pick<CatalogNode, "certifiedBy">;

/** The metrics, dashboards and pipelines that a manifest drops or renames. People look at them, whoever reads them. */
export function listOthers({ changes }: Pick<WhatIfReport, "changes">): AssessedChange[] {
  return changes.filter(({ kind, type }) => kind !== "named" && type !== "column" && !isDataset(type));
}

/** The owner, and whoever certified it if that is somebody else; nobody, if neither is known. */
function peopleOf({ owner, ownerName, certifiedBy }: Certified): Owned[] {
  const own = { owner, ownerName };
  const certifier = { owner: certifiedBy ?? "", ownerName: "" };
  if (certifiedBy === null || ownerKey(certifier) === ownerKey(own)) return [own];
  return owner || ownerName ? [own, certifier] : [certifier];
}

/** Adds who certified a metric, as far as the certification would lapse. */
export function createCertifiers({ lapses }: Pick<WhatIfReport, "lapses">) {
  const certifiers = new Map(lapses.metrics.map(({ id, certifiedBy }) => [id, certifiedBy]));
  return <Node extends Owned & Pick<CatalogNode, "id">>(node: Node): Node & Certified => {
    return { ...node, certifiedBy: certifiers.get(node.id) ?? null };
  };
}

/** Each person once, with how much of theirs is affected, gets no new data, reads other values, lapses or goes. */
export function listOwnersToTell(
  report: Pick<WhatIfReport, "groups" | "checks" | "rewritten" | "lapses" | "changes">,
): (Owned & { counts: string })[] {
  const { groups, checks, rewritten, lapses } = report;
  const told = new Map<string, Owned & { counts: string[] }>();
  const tell = (person: Owned, counts: string): void => {
    const { owner, ownerName } = person;
    told.getOrInsertComputed(ownerKey(person), () => ({ owner, ownerName, counts: [] })).counts.push(counts);
  };
  const count = (people: readonly Owned[]) =>
    countOwners(people.map(({ owner, ownerName }) => ({ owner, ownerName, count: 1 })));
  const certifiedBy = createCertifiers(report);
  const looked = [...rewritten.assets.filter(({ type }) => !isDataset(type)), ...rewritten.readers];
  const readers = [...new Map(looked.map((each) => [each.id, each])).values()];
  for (const each of listOwners(groups)) tell(each, formatCounts(each));
  for (const [people, what] of [
    [countUnrefreshed(checks.unrefreshed).owners, "not refreshed"],
    [count(readers.flatMap((each) => peopleOf(certifiedBy(each)))), "with other values"],
    [count(lapses.metrics.flatMap(peopleOf)), "to certify again"],
    [count(listOthers(report).flatMap(peopleOf)), "dropped or renamed"],
  ] as const) {
    for (const each of people) tell(each, `${each.count} ${what}`);
  }
  const [known, nobody] = [[...told.values()], told.get(ownerKey({ owner: "", ownerName: "" }))];
  return [...known.filter((each) => each !== nobody), ...(nobody === undefined ? [] : [nobody])].map((each) => {
    const { owner, ownerName, counts } = each;
    return { owner, ownerName, counts: counts.join(", ") };
  });
}
