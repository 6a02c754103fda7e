/** What can be done with the whole picture. */
import { TypeIcon } from "../../parts/badge.tsx";
import { Button, IconButton } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Menu, MenuItem } from "../../parts/menu.tsx";
import type { NodeType } from "../../parts/node-types.ts";
import type { View } from "./model/view.ts";
import styles from "./toolbar.module.css";

interface ToolbarProps {
  view: View;
  /** How many nodes of each type there are, shown or hidden. */
  types: ReadonlyMap<NodeType, number>;
  onToggleType: (type: NodeType) => void;
  onForm: (form: View["form"]) => void;
  onCopyLink: () => void;
  onExport: (format: "svg" | "png") => void;
}

export function Toolbar({ view, types, onToggleType, onForm, onCopyLink, onExport }: ToolbarProps) {
  return (
    <div className="cluster push">
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
  );
}
