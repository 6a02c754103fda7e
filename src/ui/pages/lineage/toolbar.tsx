/** What can be done with the whole picture. */
import { useState } from "react";

import { TypeIcon } from "../../parts/badge.tsx";
import { Button, IconButton } from "../../parts/button.tsx";
import { countOf } from "../../parts/count.ts";
import { Icon } from "../../parts/icon.tsx";
import { Menu, MenuItem } from "../../parts/menu.tsx";
import type { NodeType } from "../../parts/node-types.ts";
import { FindBox } from "./find-box.tsx";
import type { Picture } from "./model/picture.ts";
import { MAX_HOPS, type View } from "./model/view.ts";
import styles from "./toolbar.module.css";

/** How far everything can be shown at once. */
const HOPS = [1, 2, 3, 5, MAX_HOPS];

/** Spans for which the picture can be compared; one that is longer than the history means its beginning. */
const SPANS = { "1d": "a day ago", "7d": "a week ago", "30d": "a month ago" } as const;
const A_DAY = "day";

function CompareWith({ compareWith, onCompare }: { compareWith: string | null; onCompare: ToolbarProps["onCompare"] }) {
  const [isPicking, setPicking] = useState(false);
  const isDay = isPicking || (compareWith !== null && compareWith.includes("-"));
  const isOther = !isDay && compareWith !== null && !Object.hasOwn(SPANS, compareWith);
  return (
    <>
      <select
        className={`input ${styles["hops"]}`}
        aria-label="Compare with"
        value={isDay ? A_DAY : (compareWith ?? "")}
        onChange={({ target }) => {
          setPicking(target.value === A_DAY);
          if (target.value !== A_DAY) onCompare(target.value || null);
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
            Compare with: {compareWith} ago
          </option>
        )}
        <option value={A_DAY}>Compare with: a day …</option>
      </select>
      {isDay && (
        <input
          type="date"
          className={`input ${styles["hops"]}`}
          aria-label="The day"
          title="The end of that day in UTC"
          max={yesterday()}
          value={compareWith?.includes("-") ? compareWith : ""}
          onChange={({ target }) => target.value && onCompare(target.value)}
        />
      )}
    </>
  );
}

/** Today has not ended, so nothing can differ from its end. */
function yesterday(): string {
  return new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
}

interface ToolbarProps {
  view: View;
  picture: Picture;
  /** How many nodes of each type there are, shown or hidden. */
  types: ReadonlyMap<NodeType, number>;
  onToggleType: (type: NodeType) => void;
  onForm: (form: View["form"]) => void;
  /** 0 for the first view. */
  onHops: (hops: number) => void;
  /** Null to compare with no day. */
  onCompare: (day: string | null) => void;
  onCopyLink: () => void;
  onExport: (format: "svg" | "png") => void;
}

export function Toolbar({
  view,
  picture,
  types,
  onToggleType,
  onForm,
  onHops,
  onCompare,
  onCopyLink,
  onExport,
}: ToolbarProps) {
  const { up, down } = view.hops;
  const other = view.pathTo !== null ? "the path" : up === down ? null : `${up} up, ${down} down`;
  return (
    <>
      <div className="cluster push-on-wide">
        <fieldset className="segments">
          <legend className="unseen">Shown as</legend>
          {(["canvas", "table"] as const).map((form) => (
            <button
              key={form}
              type="button"
              className="segment"
              aria-pressed={view.form === form}
              onClick={() => onForm(form)}
            >
              <Icon name={form === "canvas" ? "lineage" : "table"} size={14} /> {form === "canvas" ? "Canvas" : "Table"}
            </button>
          ))}
        </fieldset>
        <IconButton icon="copy" label="Copy a link to this view" onClick={onCopyLink} />
        <Menu
          trigger={
            <Button look="quiet" icon="arrow-down">
              Export
            </Button>
          }
        >
          <MenuItem onSelect={() => onExport("svg")}>As SVG</MenuItem>
          <MenuItem onSelect={() => onExport("png")}>As PNG</MenuItem>
        </Menu>
      </div>
      <div className={`cluster ${styles["tools"]}`}>
        <FindBox picture={picture} />
        <select
          className={`input ${styles["hops"]}`}
          aria-label="Show all within some hops"
          value={other === null ? up : "other"}
          onChange={({ target }) => onHops(Number(target.value))}
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
        <CompareWith compareWith={view.compareWith} onCompare={onCompare} />
        <fieldset className="cluster tight">
          <legend className="unseen">Types</legend>
          {[...types].map(([type, count]) => (
            <button
              key={type}
              type="button"
              className={`row inline tight small ${styles["type"]}`}
              aria-pressed={!view.hidden.has(type)}
              onClick={() => onToggleType(type)}
            >
              <span className="row" aria-hidden="true">
                <TypeIcon type={type} />
              </span>
              {type} <span className="faint number">{count}</span>
            </button>
          ))}
        </fieldset>
      </div>
    </>
  );
}
