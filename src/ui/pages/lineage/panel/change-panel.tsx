/** What the chosen change affects: what people look at first. */
import { Link } from "wouter";

import { formatCount } from "../../../parts/count.ts";
import { SelectField } from "../../../parts/form.tsx";
import { Prose } from "../../../parts/prose.tsx";
import { describeChange, listChanges, pathOfImpact, toChangeType } from "../../impact/change.ts";
import { countAssets, sectionOf } from "../../impact/affected-list.tsx";
import { useActions } from "../canvas/actions.ts";
import { describeAffected, type DrawnImpact } from "../model/impact.ts";
import { PickList, SidePanel } from "./side-panel.tsx";

export function ChangePanel({ impact }: { impact: DrawnImpact }) {
  const { assess } = useActions();
  const { change, known, affected } = impact;
  const drawn = known.assets.filter(({ id }) => affected.has(id));
  const sections = Map.groupBy(drawn, ({ type }) => sectionOf(type));
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
        <Link href={pathOfImpact(change.of, change.type, change.newType)}>See all as a list</Link>
      </div>
      {[...sections].map(([title, group]) => (
        <section key={title} className="stack snug" aria-label={title}>
          <h3 className="cluster small">
            {title} <span className="count">{formatCount(group.length)}</span>
          </h3>
          <PickList nodes={group} />
        </section>
      ))}
    </SidePanel>
  );
}

/** The change as a condition; a column comes with its table. */
export function describeImpact({ change, known: { of } }: DrawnImpact): string {
  return describeChange(change, { type: of.type, name: of.parent ? `${of.parent.name}.${of.name}` : of.name });
}

export function countAffected(impact: DrawnImpact): string {
  return [countAssets(impact.known.counts), ...describeAffected(impact)].join(" ");
}
