/** The owners of what is affected: the people to tell. */
import type { OwnerImpact, Risk, RiskCounts } from "../impact.ts";
import { compareCodePoints, fold } from "../text.ts";

interface Owned {
  owner: string;
  ownerName: string;
  risk: Risk;
}

export function countRisks(affected: readonly { risk: Risk }[]): RiskCounts {
  const count = (risk: Risk): number => affected.filter((each) => each.risk === risk).length;
  return { total: affected.length, high: count("high"), medium: count("medium"), low: count("low") };
}

/** Tells people apart: by their e-mail address in any case, and by their name if they have no address. */
export function ownerKey({ owner, ownerName }: Pick<Owned, "owner" | "ownerName">): string {
  return owner === "" ? `name ${ownerName}` : `address ${fold(owner)}`;
}

/** One entry for each person. Those at the highest risk come first, what nobody owns comes last. */
export function groupByOwner(affected: readonly Owned[]): OwnerImpact[] {
  const groups = Map.groupBy(affected, ownerKey);
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

function isNobody({ owner, ownerName }: OwnerImpact): boolean {
  return owner === "" && ownerName === "";
}
