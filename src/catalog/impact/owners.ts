/** The owners of what is affected: the people to tell. */
import type { OwnerImpact, Risk, RiskCounts } from "../impact.ts";
import { compareCodePoints, fold } from "../text.ts";

interface Counted {
  risk: Risk;
  /** How many it stands for; one by default. */
  count?: number;
}

interface Owned extends Counted {
  owner: string;
  ownerName: string;
}

/** `ownerKey`, worked out once for each owner. */
export function createOwnerKeys(): typeof ownerKey {
  const byName = new Map<string, Map<string, string>>();
  return ({ owner, ownerName }) =>
    byName
      .getOrInsertComputed(ownerName, () => new Map<string, string>())
      .getOrInsertComputed(owner, () => ownerKey({ owner, ownerName }));
}

export function countRisks(affected: readonly Counted[]): RiskCounts {
  const counts = { total: 0, high: 0, medium: 0, low: 0 };
  for (const { risk, count = 1 } of affected) {
    counts.total += count;
    counts[risk] += count;
  }
  return counts;
}

/** Tells people apart: by their e-mail address in any case, and by their name if they have no address. */
export function ownerKey({ owner, ownerName }: Pick<Owned, "owner" | "ownerName">): string {
  return owner === "" ? `name ${ownerName}` : `address ${fold(owner)}`;
}

/** One entry for each person. Those at the highest risk come first, what nobody owns comes last. */
export function groupByOwner(affected: readonly Owned[]): OwnerImpact[] {
  const groups = Map.groupBy(affected, createOwnerKeys());
  return [...groups.values()]
    .map((owned) => {
      const owner = owned[0]?.owner ?? "";
      const ownerName = owned.find((one) => one.ownerName !== "")?.ownerName ?? "";
      return Object.assign(countRisks(owned), { owner, ownerName });
    })
    .toSorted(compareOwners);
}

/** How much of an owner's gets no new data. */
export interface UnrefreshedOwner extends Pick<Owned, "owner" | "ownerName"> {
  count: number;
}

/** One entry for each person. Those who own the most come first, what nobody owns comes last. */
export function countOwners(groups: readonly UnrefreshedOwner[]): UnrefreshedOwner[] {
  return [...Map.groupBy(groups, createOwnerKeys()).values()]
    .flatMap((owned) => {
      const count = owned.reduce((sum, each) => sum + each.count, 0);
      return owned.slice(0, 1).map(({ owner, ownerName }) => ({ owner, ownerName, count }));
    })
    .toSorted((a, b) => Number(isNobody(a)) - Number(isNobody(b)) || b.count - a.count || compareNames(a, b));
}

function compareOwners(a: OwnerImpact, b: OwnerImpact): number {
  return (
    Number(isNobody(a)) - Number(isNobody(b)) ||
    b.high - a.high ||
    b.medium - a.medium ||
    b.low - a.low ||
    compareNames(a, b)
  );
}

function compareNames(a: Pick<Owned, "owner" | "ownerName">, b: Pick<Owned, "owner" | "ownerName">): number {
  return compareCodePoints(fold(a.owner), fold(b.owner)) || compareCodePoints(a.ownerName, b.ownerName);
}

/** Whether it belongs to this person: an address or a name, in any case; "" for nobody. */
export function isOwnedBy(person: string): (each: Pick<Owned, "owner" | "ownerName">) => boolean {
  if (person === "") return ({ owner, ownerName }) => owner === "" && ownerName === "";
  const folded = fold(person);
  return ({ owner, ownerName }) => fold(owner) === folded || fold(ownerName) === folded;
}

function isNobody({ owner, ownerName }: Pick<Owned, "owner" | "ownerName">): boolean {
  return owner === "" && ownerName === "";
}
