/** The nodes of the canvas. That of an asset has its type and name, its marks, and the buttons that open its neighbours. */
import type { Node, NodeProps } from "@xyflow/react";
import { type ComponentProps, memo } from "react";

import { formatCount } from "../../../parts/count.ts";
import { Badge, CERTIFICATIONS, RiskBadge, RISKS, TypeIcon, Icon } from "../../../parts/marks.tsx";
import { classNames } from "../../../parts/class-names.ts";
import { type Column, type Difference, type LineageNode, type Side, SIDES } from "../model/graph.ts";
import { describeDifference, DIFFERENCE_MARKS, differenceOf, type DrawnDiff } from "../model/diff.ts";
import { type DrawnImpact, type Effect, effectOn, effectOnColumn } from "../model/impact.ts";
import { describePlace } from "../model/names.ts";
import { chooseColumns } from "../model/sizes.ts";
import { useActions } from "./actions.ts";
import effectStyles from "./effect.module.css";
import styles from "./asset-node.module.css";
import { useHighlight } from "./highlight.ts";
import { type Fold, writeUnseen } from "../model/picture.ts";

interface AssetNodeData extends Record<string, unknown> {
  node: LineageNode;
  /** Its name, in one line or two. */
  label: string;
  isRoot: boolean;
  /** How many neighbours are not in the picture, of sides that are closed. */
  unseen: Readonly<Record<Side, number>>;
  /** True if a side is open and can be closed. */
  isOpen: Readonly<Record<Side, boolean>>;
  columns: readonly Column[] | undefined;
  impact: DrawnImpact | null;
  diff: DrawnDiff | null;
}

export type AssetFlowNode = Node<AssetNodeData, "asset">;

/** The id of its element, for `aria-activedescendant`. */
export function elementIdOf(id: string): string {
  return `lineage-${id.replaceAll(" ", "-")}`;
}

export const AssetNode = memo(function AssetNode({ data }: NodeProps<AssetFlowNode>) {
  const { node, label, isRoot, unseen, isOpen, columns, impact, diff } = data;
  const effect = effectOn(node.id, impact);
  const difference = differenceOf(node.id, diff);
  const { nodes: highlighted, selected } = useHighlight();
  const isDim = highlighted !== null && !highlighted.has(node.id);
  return (
    <div
      id={elementIdOf(node.id)}
      role="group"
      data-part="asset"
      data-effect={effect ?? undefined}
      data-difference={effect === null ? (difference ?? undefined) : undefined}
      aria-label={describeNode(node, effect, describeDifference(node.id, diff))}
      className={classNames(
        "relative",
        styles["node"],
        (effect ?? difference) !== null && effectStyles["effect"],
        isRoot && styles["root"],
        isDim && styles["dim"],
        node.isReferenced && styles["referenced"],
        selected === node.id && styles["selected"],
      )}
    >
      <div className={`beside-icon with-end ${styles["head"]}`}>
        <TypeIcon type={node.type} />
        <span className={`medium cut ${styles["name"]}`} title={node.fqn} aria-hidden="true">
          {label}
        </span>
        <Marks node={node} />
        <span className={`soft small cut ${styles["within"]}`} data-fine>
          {describePlace(node)}
        </span>
      </div>
      {(effect ?? difference) !== null && (
        <span className={styles["effect"]} aria-hidden="true">
          <EffectMark effect={effect} />
          {effect === null && <DifferenceMark difference={difference} />}
        </span>
      )}
      {columns !== undefined && <Columns of={node.id} columns={columns} impact={impact} />}
      {SIDES.map((side) => (
        <SideButton key={side} id={node.id} side={side} count={unseen[side]} isOpen={isOpen[side]} />
      ))}
    </div>
  );
});

/** What a change does to it. */
export function EffectMark({ effect }: { effect: Effect }) {
  if (effect === "changed") return <Badge icon="edit" label="changed" />;
  return effect && <RiskBadge risk={effect} hasHint={false} />;
}

export function DifferenceMark({ difference }: { difference: Difference | null }) {
  return difference && <Badge label={difference} {...DIFFERENCE_MARKS[difference]} />;
}

function Marks({ node }: { node: LineageNode }) {
  const { certification, gap, isReferenced } = node;
  return (
    <span className="row tight" data-fine>
      {isReferenced && (
        <span className={`wash warn small ${styles["only"]}`} title="Others name it, but no connector has it.">
          ref
        </span>
      )}
      {gap !== null && (
        <span className="row warn" title={gap}>
          <Icon name="warning" size={13} />
        </span>
      )}
      {certification !== "none" && (
        <span className={`row ${CERTIFICATIONS[certification].tone}`} title={certification}>
          <Icon name={CERTIFICATIONS[certification].icon} size={13} />
        </span>
      )}
    </span>
  );
}

function SideButton({ id, side, count, isOpen }: { id: string; side: Side; count: number; isOpen: boolean }) {
  const actions = useActions();
  if (count === 0 && !isOpen) return null;
  const direction = side === "up" ? "upstream" : "downstream";
  const label = isOpen ? `Close ${direction}` : `Show ${formatCount(count)} ${direction}`;
  return (
    <NodeButton
      className={classNames("number", styles["side"], styles[side], isOpen && styles["opened"])}
      title={label}
      aria-label={label}
      onPress={() => (isOpen ? actions.collapse(id, side) : actions.expand(id, side))}
    >
      {isOpen ? "−" : writeUnseen(count)}
    </NodeButton>
  );
}

interface NodeButtonProps extends Omit<ComponentProps<"button">, "onClick"> {
  onPress: () => void;
}

/** The canvas has keys for what the buttons of its nodes do. A press is no click on the node, and moves nothing. */
function NodeButton({ className, onPress, ...rest }: NodeButtonProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      {...rest}
      className={classNames(className, "nopan")}
      onClick={(event) => {
        event.stopPropagation();
        onPress();
      }}
    />
  );
}

function Columns({ of, columns, impact }: { of: string; columns: readonly Column[]; impact: DrawnImpact | null }) {
  const { selectColumn } = useActions();
  const { columns: highlighted } = useHighlight();
  const { shown, more } = chooseColumns(columns);
  if (columns.length === 0)
    return <p className={`soft small line-above ${styles["no-columns"]}`}>No columns are known.</p>;
  return (
    <div className="line-above">
      {shown.map(({ id, name, dataType, hasGap }) => (
        <NodeButton
          key={id}
          className={classNames("row spread small hoverable", styles["column"], highlighted.has(id) && styles["lit"])}
          title={dataType === null ? name : `${name} ${dataType}`}
          onPress={() => selectColumn(of, id)}
        >
          <span className="cut">{name}</span>
          <Beside effect={effectOnColumn(id, impact)} hasGap={hasGap} dataType={dataType} />
        </NodeButton>
      ))}
      {more > 0 && (
        <p className={`soft small line-above ${styles["no-columns"]}`}>and {more} more without a place here</p>
      )}
    </div>
  );
}

/** The one thing beside a column's name. */
function Beside({ effect, hasGap, dataType }: { effect: Effect; hasGap: boolean; dataType: string | null }) {
  if (effect !== null) {
    return (
      <span className={`small nowrap ${effect === "changed" ? "" : RISKS[effect].tone}`}>
        {effect === "changed" ? effect : `${effect} risk`}
      </span>
    );
  }
  return hasGap ? (
    <Icon name="warning" size={11} />
  ) : (
    <span className={`soft small cut ${styles["data-type"]}`} data-fine>
      {dataType}
    </span>
  );
}

/** All that the node shows, in words. */
export function describeNode(
  { name, type, certification, isReferenced, gap }: LineageNode,
  effect: Effect,
  difference: string | null = null,
): string {
  const facts = [
    type,
    difference,
    effect === null || effect === "changed" ? effect : `${effect} risk`,
    certification === "none" ? null : certification,
    isReferenced ? "only referenced" : null,
    gap === null ? null : "its lineage has a gap",
  ];
  return [name, ...facts.filter((it) => it !== null)].join(", ");
}

interface FoldNodeData extends Record<string, unknown> {
  fold: Fold;
  /** The name of the node whose neighbours they are. */
  name: string;
}

export type FoldFlowNode = Node<FoldNodeData, "fold">;

/** A node that stands for the neighbours of a hub that are not shown. */
export const FoldNode = memo(function FoldNode({ data: { fold, name } }: NodeProps<FoldFlowNode>) {
  const { showMore, select } = useActions();
  const { nodes: highlighted, selected } = useHighlight();
  const isDim = highlighted !== null && !highlighted.has(fold.id);
  return (
    <div
      id={elementIdOf(fold.id)}
      role="group"
      aria-label={describeFold(fold, name)}
      className={classNames(
        isDim ? "faint" : "soft",
        "sunken",
        styles["fold"],
        selected === fold.id && styles["selected"],
      )}
    >
      <NodeButton className={`medium ${styles["more"]}`} onPress={() => showMore(fold.of, fold.side)}>
        + {formatCount(fold.count)} more
      </NodeButton>
      <NodeButton
        className={`center ${styles["search"]}`}
        aria-label={`Search what ${name} ${fold.side === "up" ? "is made from" : "feeds"}`}
        title="Search these"
        onPress={() => select(fold.id)}
      >
        <Icon name="search" size={13} />
      </NodeButton>
    </div>
  );
});

export function describeFold({ count, side }: Fold, name: string): string {
  return `${formatCount(count)} more ${side === "up" ? "upstream" : "downstream"} of ${name}`;
}
