/** How much a change would affect, and which part of it is shown. */
import { countOf, formatCount } from "../../parts/count.ts";
import { NODE_TYPE_TABLE } from "../../parts/node-types.ts";
import { Segments } from "../../parts/menu.tsx";
import type { Assets } from "./documents.ts";
import { type Filter, RISKS } from "./filter.ts";
import styles from "./summary.module.css";

/** Such as "28 assets and metrics are affected, with 31 columns." The canvas says the same. */
export function countAssets({ total, columns }: Pick<Assets, "total" | "columns">): string {
  if (total === 0) return "Nothing that the catalog knows would be affected.";
  const what = total === 1 ? "asset or metric is affected" : "assets and metrics are affected";
  return `${formatCount(total)} ${what}${columns === 0 ? "" : `, with ${countOf(columns, "column")}`}.`;
}

interface SummaryProps {
  assets: Assets;
  filter: Filter;
  onChoose: (filter: Partial<Filter>) => void;
}

export function Filters({ assets, filter, onChoose }: SummaryProps) {
  const risks = RISKS.filter(({ risk }) => assets[risk] > 0);
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
            ...risks.map(({ risk }) => ({ value: risk, label: `${formatCount(assets[risk])} ${risk}` })),
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
