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

function compareOwners(a: OwnerImpact, b: OwnerImpact): number {
  return (
    Number(isNobody(a)) - Number(isNobody(b)) ||
    b.high - a.high ||
    b.medium - a.medium ||
    b.low - a.low ||
    compareCodePoints(fold(a.owner), fold(b.owner)) ||
    compareCodePoints(a.ownerName, b.ownerName)
  );
}

/** Whether it belongs to this person: an address or a name, in any case; "" for nobody. */
export function isOwnedBy(person: string): (each: Pick<Owned, "owner" | "ownerName">) => boolean {
  if (person === "") return ({ owner, ownerName }) => owner === "" && ownerName === "";
  const folded = fold(person);
  return ({ owner, ownerName }) => fold(owner) === folded || fold(ownerName) === folded;
}

function isNobody({ owner, ownerName }: OwnerImpact): boolean {
  return owner === "" && ownerName === "";
}
