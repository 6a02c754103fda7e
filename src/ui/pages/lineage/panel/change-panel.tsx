/** What the chosen change affects, the worst first. */
import { Link } from "wouter";

import { parentOf } from "../../../assets/asset-row.ts";
import { RiskBadge, TypeIcon } from "../../../parts/badge.tsx";
import { SelectField } from "../../../parts/field.tsx";
import { Prose } from "../../../parts/prose.tsx";
import { describeChange, listChanges, pathOfChange, toChangeType } from "../../impact/change.ts";
import { RISKS } from "../../impact/risks.ts";
import { useActions } from "../canvas/actions.ts";
import type { DrawnImpact } from "../model/impact.ts";
import { SidePanel } from "./side-panel.tsx";
import styles from "./side-panel.module.css";

export function ChangePanel({ impact }: { impact: DrawnImpact }) {
  const { assess, select } = useActions();
  const { change, known, affected } = impact;
  const byRisk = Map.groupBy(affected.values(), ({ risk }) => risk);
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
      <p className={styles["note"]}>{countAffected(impact)}</p>
      <div className={styles["links"]}>
        <Link href={pathOfChange(change)}>See all as a list</Link>
      </div>
      {RISKS.map(({ risk, title }) => {
        const group = byRisk.get(risk) ?? [];
        return (
          group.length > 0 && (
            <section key={risk} className={styles["risk"]} aria-label={`${risk} risk`}>
              <h3>
                <RiskBadge risk={risk} /> <span>{group.length.toLocaleString("en-US")}</span> {title}
              </h3>
              <ul className={styles["list"]}>
                {group.map((it) => (
                  <li key={it.id}>
                    <button type="button" className={styles["pick"]} onClick={() => select(it.id)}>
                      <TypeIcon type={it.type} />
                      <span>{it.name}</span>
                      <span className={styles["within"]}>{parentOf(it)}</span>
                    </button>
                  </li>
                ))}
              </ul>
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
  const [all, ofColumns, drawn] = [assets.length, columns.size, affected.size].map((it) => it.toLocaleString("en-US"));
  const what = assets.length === 1 ? "asset or metric is affected" : "assets and metrics are affected";
  const withColumns = columns.size === 0 ? "" : `, with ${ofColumns} ${columns.size === 1 ? "column" : "columns"}`;
  const told = `${isTruncated ? "More than " : ""}${all} ${what}${withColumns}.`;
  return affected.size < assets.length ? `${told} The worst ${drawn} are drawn.` : told;
}
