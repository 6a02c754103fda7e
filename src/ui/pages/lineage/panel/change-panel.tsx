/** What the chosen change affects: the worst first, and among these what people look at. */
import { Link } from "wouter";

import { countOf, formatCount } from "../../../parts/count.ts";
import { RiskBadge } from "../../../parts/badge.tsx";
import { SelectField } from "../../../parts/field.tsx";
import { Prose } from "../../../parts/prose.tsx";
import { describeChange, listChanges, pathOfChange, toChangeType } from "../../impact/change.ts";
import { RISKS } from "../../impact/risks.ts";
import { useActions } from "../canvas/actions.ts";
import { type DrawnImpact, rankOfType } from "../model/impact.ts";
import { PickList } from "./pick-list.tsx";
import { SidePanel } from "./side-panel.tsx";

export function ChangePanel({ impact }: { impact: DrawnImpact }) {
  const { assess } = useActions();
  const { change, known, affected } = impact;
  const ordered = [...affected.values()].toSorted((a, b) => rankOfType(a.type) - rankOfType(b.type));
  const byRisk = Map.groupBy(ordered, ({ risk }) => risk);
  return (
    <SidePanel
      label="What breaks"
      title={
        <span>
          If <Prose text={describeImpact(impact)} />
        </span>
      }
      onClose={() => assess(null)}
    >
      <SelectField
        label="Change"
        value={change.type}
        choices={listChanges(known.of.type)}
        onChange={({ target: { value } }) =>
          assess({ ...change, type: toChangeType(value) ?? change.type, newType: null })
        }
      />
      <p className="soft">{countAffected(impact)}</p>
      <div className="cluster roomy">
        <Link href={pathOfChange(change)}>See all as a list</Link>
      </div>
      {RISKS.map(({ risk, title }) => {
        const group = byRisk.get(risk) ?? [];
        return (
          group.length > 0 && (
            <section key={risk} className="stack snug" aria-label={`${risk} risk`}>
              <h3 className="cluster small">
                <RiskBadge risk={risk} /> <span className="count">{formatCount(group.length)}</span> {title}
              </h3>
              <PickList nodes={group} />
            </section>
          )
        );
      })}
    </SidePanel>
  );
}

/** The change as a condition; a column comes with its table. */
export function describeImpact({ change, known: { of } }: DrawnImpact): string {
  return describeChange(change, { type: of.type, name: of.parent ? `${of.parent.name}.${of.name}` : of.name });
}

export function countAffected({ known: { assets, columns, isTruncated }, affected }: DrawnImpact): string {
  if (assets.length === 0) return "Nothing that the catalog knows depends on it.";
  const what = assets.length === 1 ? "asset or metric is affected" : "assets and metrics are affected";
  const withColumns = columns.size === 0 ? "" : `, with ${countOf(columns.size, "column")}`;
  const text = `${isTruncated ? "More than " : ""}${formatCount(assets.length)} ${what}${withColumns}.`;
  return affected.size < assets.length ? `${text} The worst ${formatCount(affected.size)} are drawn.` : text;
}
