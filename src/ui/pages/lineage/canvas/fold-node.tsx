/** A node that stands for the neighbours of a hub that are not shown. */
import type { Node, NodeProps } from "@xyflow/react";
import { memo } from "react";

import { formatCount } from "../../../parts/count.ts";
import { classNames } from "../../../parts/class-names.ts";
import { Icon } from "../../../parts/icon.tsx";
import type { Fold } from "../model/picture.ts";
import { useActions } from "./actions.ts";
import { elementIdOf } from "./asset-node.tsx";
import styles from "./fold-node.module.css";
import { useHighlight } from "./highlight.ts";

interface FoldNodeData extends Record<string, unknown> {
  fold: Fold;
  /** The name of the node whose neighbours they are. */
  name: string;
}

export type FoldFlowNode = Node<FoldNodeData, "fold">;

export const FoldNode = memo(function FoldNode({ data: { fold, name } }: NodeProps<FoldFlowNode>) {
  const { showMore, select } = useActions();
  const { nodes: highlighted, selected } = useHighlight();
  const isDim = highlighted !== null && !highlighted.has(fold.id);
  return (
    <div
      id={elementIdOf(fold.id)}
      role="group"
      aria-label={describeFold(fold, name)}
      className={classNames(isDim ? "faint" : "soft", styles["fold"], selected === fold.id && styles["selected"])}
    >
      <button
        type="button"
        tabIndex={-1}
        className={classNames("medium", styles["more"], "nopan")}
        onClick={(event) => {
          event.stopPropagation();
          showMore(fold.of, fold.side);
        }}
      >
        + {formatCount(fold.count)} more
      </button>
      <button
        type="button"
        tabIndex={-1}
        className={classNames("center", styles["search"], "nopan")}
        aria-label={`Search what ${name} ${fold.side === "up" ? "is made from" : "feeds"}`}
        title="Search these"
        onClick={(event) => {
          event.stopPropagation();
          select(fold.id);
        }}
      >
        <Icon name="search" size={13} />
      </button>
    </div>
  );
});

export function describeFold({ count, side }: Fold, name: string): string {
  return `${formatCount(count)} more ${side === "up" ? "upstream" : "downstream"} of ${name}`;
}
