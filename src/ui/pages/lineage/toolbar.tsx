/** What can be done with the whole picture. */
import { useState } from "react";

import { TypeIcon } from "../../parts/marks.tsx";
import { Button, IconButton } from "../../parts/button.tsx";
import { copyText } from "../../parts/copy.tsx";
import { countOf } from "../../parts/count.ts";
import { Menu, MenuItem, Segments } from "../../parts/menu.tsx";
import type { NodeType } from "../../parts/node-types.ts";
import { FindBox } from "./find-box.tsx";
import type { Picture } from "./model/picture.ts";
import { isSavedImpact, MAX_HOPS, showHops, showNeighbours, toggleType, type View } from "./model/view.ts";
import styles from "./toolbar.module.css";
import type { ChangeView } from "./use-view.ts";

const FORMS = [
  { value: "canvas", label: "Canvas", icon: "lineage" },
  { value: "table", label: "Table", icon: "table" },
] as const;

/** How far everything can be shown at once. */
const HOPS = [1, 2, 3, 5, MAX_HOPS];

/** Spans for which the picture can be compared; one that is longer than the history means its beginning. */
const SPANS = { "1d": "a day ago", "7d": "a week ago", "30d": "a month ago" } as const;
const A_DAY = "day";

function CompareWith({ compareWith, changeView }: Pick<View, "compareWith"> & Pick<ToolbarProps, "changeView">) {
  const [isPicking, setPicking] = useState(false);
  const compare = (next: string | null): void => changeView((before) => ({ ...before, compareWith: next }));
  const isDay = isPicking || (compareWith !== null && compareWith.includes("-"));
  const isOther = !isDay && compareWith !== null && !Object.hasOwn(SPANS, compareWith);
  return (
    <>
      <select
        className="input own-width"
        aria-label="Compare with"
        value={isDay ? A_DAY : (compareWith ?? "")}
        onChange={({ target }) => {
          setPicking(target.value === A_DAY);
          if (target.value !== A_DAY) compare(target.value || null);
        }}
      >
        <option value="">Compare with: nothing</option>
        {Object.entries(SPANS).map(([span, words]) => (
          <option key={span} value={span}>
            Compare with: {words}
          </option>
        ))}
        {isOther && (
          <option value={compareWith} disabled>
            Compare with: {isSavedImpact(compareWith) ? "a pull request" : `${compareWith} ago`}
          </option>
        )}
        <option value={A_DAY}>Compare with: a day …</option>
      </select>
      {isDay && (
        <input
          type="date"
          className="input own-width"
          aria-label="The day"
          title="The end of that day in UTC"
          max={yesterday()}
          value={compareWith?.includes("-") ? compareWith : ""}
          onChange={({ target }) => target.value && compare(target.value)}
        />
      )}
    </>
  );
}

/** Today has not ended, so nothing can differ from its end, and its lineage is the one of now. */
function yesterday(): string {
  return new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
}

/** Chooses the day that is shown. The page then begins anew, and says how to come back to now. */
function AsOf({ asOf, changeView }: Pick<View, "asOf"> & Pick<ToolbarProps, "changeView">) {
  return (
    <label className="cluster tight small">
      As of
      <input
        type="date"
        className="input own-width"
        title="The lineage at the end of that day, in UTC"
        max={yesterday()}
        defaultValue={asOf?.slice(0, "2026-05-31".length)}
        onChange={({ target }) => {
          // While somebody types a year, it is 2, 20 and 202 first.
          if (target.value >= "1970") changeView((before) => ({ ...before, asOf: target.value }));
        }}
      />
    </label>
  );
}

interface ToolbarProps {
  view: View;
  changeView: ChangeView;
  picture: Picture;
  /** How many nodes of each type there are, shown or hidden. */
  types: ReadonlyMap<NodeType, number>;
  onExport: (format: "svg" | "png") => void;
}

export function Toolbar({ view, changeView, picture, types, onExport }: ToolbarProps) {
  const { up, down } = view.hops;
  const other = view.pathTo !== null ? "the path" : up === down ? null : `${up} up, ${down} down`;
  return (
    <>
      <div className="cluster push-on-wide">
        <Segments
          label="Shown as"
          value={view.form}
          choices={FORMS}
          onChoose={(form) => changeView((before) => ({ ...before, form }))}
        />
        <IconButton
          icon="copy"
          label="Copy a link to this view"
          onClick={() => void copyText(location.href, "The link")}
        />
        <Menu trigger={<Button look="quiet" icon="arrow-down" label="Export" />}>
          <MenuItem label="As SVG" onSelect={() => onExport("svg")} />
          <MenuItem label="As PNG" onSelect={() => onExport("png")} />
        </Menu>
      </div>
      <div className={`cluster ${styles["tools"]}`}>
        <FindBox picture={picture} />
        <details className={styles["more"]} open={matchMedia("(width > 48rem)").matches}>
          <summary className="small">
            Depth, time and types
            {view.hidden.size > 0 && ` (${countOf(view.hidden.size, "type")} hidden)`}
          </summary>
          <div className="cluster">
            <select
              className="input own-width"
              aria-label="Show all within some hops"
              value={other === null ? up : "other"}
              onChange={({ target }) => {
                const hops = Number(target.value);
                changeView((before) =>
                  hops === 0 ? showNeighbours(before) : showHops(before, { up: hops, down: hops }),
                );
              }}
            >
              <option value={0}>Depth: as opened</option>
              {other !== null && (
                <option value="other" disabled>
                  Depth: {other}
                </option>
              )}
              {HOPS.map((hops) => (
                <option key={hops} value={hops}>
                  Depth: {countOf(hops, "hop")}
                </option>
              ))}
            </select>
            <CompareWith compareWith={view.compareWith} changeView={changeView} />
            <AsOf asOf={view.asOf} changeView={changeView} />
            <fieldset className="cluster tight">
              <legend className="unseen">Types</legend>
              {[...types].map(([type, count]) => (
                <button
                  key={type}
                  type="button"
                  className={`row inline tight small ${styles["type"]}`}
                  aria-pressed={!view.hidden.has(type)}
                  onClick={() => changeView((before) => toggleType(before, type))}
                >
                  <span className="row" aria-hidden="true">
                    <TypeIcon type={type} />
                  </span>
                  {type} <span className="faint number">{count}</span>
                </button>
              ))}
            </fieldset>
          </div>
        </details>
      </div>
    </>
  );
}
