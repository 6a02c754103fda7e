/** Which part of an answer is shown. It is in the URL, so that a link shows the same part. */
import { personKey } from "../../assets/asset-row.ts";
import type { Risk } from "../../parts/marks.tsx";
import { NODE_TYPES, type NodeType } from "../../parts/node-types.ts";
import type { Affected } from "./documents.ts";
import { useParameters } from "../../parts/use-parameters.ts";

export interface Filter {
  /** Null for all. */
  type: NodeType | null;
  risk: Risk | null;
  /** An address or a name; "" for what nobody owns. */
  owner: string | null;
  /** Whether the list is grouped by owner, instead of by type. */
  isByOwner: boolean;
}

type Passing = Pick<Affected, "type" | "ownedBy"> & { risk?: Risk };

/** The URL cannot have an empty owner, so it has a word for nobody. */
const NOBODY = "nobody";

export function useFilter() {
  const { parameters, setParameter } = useParameters();
  const owner = parameters.get("owner");
  const filter: Filter = {
    type: NODE_TYPES.find((type) => type === parameters.get("show")) ?? null,
    risk: RISKS.find(({ risk }) => risk === parameters.get("risk"))?.risk ?? null,
    owner: owner === NOBODY ? "" : owner,
    isByOwner: parameters.get("group") === "owner",
  };
  return {
    filter,
    choose(changed: Partial<Filter>): void {
      if (changed.type !== undefined) setParameter("show", changed.type);
      if (changed.risk !== undefined) setParameter("risk", changed.risk);
      if (changed.owner !== undefined) setParameter("owner", changed.owner === "" ? NOBODY : changed.owner);
      if (changed.isByOwner !== undefined) setParameter("group", changed.isByOwner ? "owner" : null);
    },
  };
}

/** What gets no new data has no risk, so a chosen risk leaves all of it out. */
export function passes({ type, risk, owner }: Filter, impact: Passing): boolean {
  return (
    (type === null || impact.type === type) &&
    (risk === null || impact.risk === risk) &&
    (owner === null || personKey(impact.ownedBy) === owner)
  );
}

/** The risks, the worst first, and what each means for what is affected. */
export const RISKS: readonly { risk: Risk; title: string }[] = [
  { risk: "high", title: "Breaks, or misleads" },
  { risk: "medium", title: "May break, or show other rows" },
  { risk: "low", title: "Continues to work" },
];

/** The bar of the page that takes a manifest, and of the action. */
export const FAIL_ON = "high";
