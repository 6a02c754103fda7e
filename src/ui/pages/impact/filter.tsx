/** Which part of an answer is shown. It is in the URL, so that a link shows the same part. */
import { personKey } from "../../assets/asset-row.ts";
import { formatCount } from "../../parts/count.ts";
import type { Risk } from "../../parts/marks.tsx";
import { Segments } from "../../parts/menu.tsx";
import { NODE_TYPE_TABLE, NODE_TYPES, type NodeType } from "../../parts/node-types.ts";
import type { Affected, Assets } from "./documents.ts";
import styles from "./filter.module.css";
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
    risk: RISKS.find((risk) => risk === parameters.get("risk")) ?? null,
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

/** The worst first. */
export const RISKS: readonly Risk[] = ["high", "medium", "low"];

/** The bar of the page that takes a manifest, and of the action. */
export const FAIL_ON = "high";

interface FiltersProps {
  assets: Assets;
  filter: Filter;
  onChoose: (filter: Partial<Filter>) => void;
}

export function Filters({ assets, filter, onChoose }: FiltersProps) {
  const risks = RISKS.filter((risk) => assets[risk] > 0);
  return (
    <div className={`cluster ${styles["filters"]}`}>
      <Segments
        label="Type"
        value={filter.type ?? "all"}
        choices={[
          { value: "all", label: `All ${formatCount(assets.total)}` },
          ...assets.types.map(({ type, count }) => {
            return { value: type, label: `${NODE_TYPE_TABLE[type].plural} ${formatCount(count)}`, icon: type };
          }),
        ]}
        onChoose={(type) => onChoose({ type: type === "all" ? null : type })}
      />
      {risks.length > 1 && (
        <Segments
          label="Risk"
          value={filter.risk ?? "all"}
          choices={[
            { value: "all", label: "Any risk" },
            ...risks.map((risk) => ({ value: risk, label: `${formatCount(assets[risk])} ${risk}` })),
          ]}
          onChoose={(risk) => onChoose({ risk: risk === "all" ? null : risk })}
        />
      )}
      <Segments
        label="Group"
        value={filter.isByOwner ? "owner" : "type"}
        choices={[
          { value: "type", label: "By type" },
          { value: "owner", label: "By owner" },
        ]}
        onChoose={(group) => onChoose({ isByOwner: group === "owner" })}
      />
    </div>
  );
}
