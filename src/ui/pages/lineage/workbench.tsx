/** The canvas or the table with its tools, and what is selected beside it. */
import { type ReactNode, useEffect, useMemo, useState } from "react";

import { Button } from "../../parts/button.tsx";
import { countOf } from "../../parts/count.ts";
import { describeError, Panel } from "../../parts/page.tsx";
import { Prose } from "../../parts/prose.tsx";
import { showToast } from "../../parts/toast.tsx";
import { ActionsProvider, createActions, useActions } from "./canvas/actions.ts";
import { describeNode, describeFold } from "./canvas/asset-node.tsx";
import { Canvas, Dock } from "./canvas/canvas.tsx";
import { Legend } from "./canvas/legend.tsx";
import { useCanvasWindow } from "./canvas/use-window.ts";
import { exportPicture } from "./export/export-picture.ts";
import { useLayout } from "./layout/use-layout.ts";
import styles from "./lineage-page.module.css";
import type { LoadState } from "./loader.ts";
import type { NodeType } from "../../parts/node-types.ts";
import { type LineageNode, SIDES } from "./model/graph.ts";
import { describeDiff, describeDifference, type DrawnDiff } from "./model/diff.ts";
import { type DrawnImpact, effectOn } from "./model/impact.ts";
import { listLines } from "./model/lines.ts";
import { measureHops } from "./model/paths.ts";
import { drawPicture } from "./model/picture.ts";
import { isOpen, type View } from "./model/view.ts";
import { ChangePanel, countAffected, describeImpact } from "./panel/change-panel.tsx";
import { ColumnPanel, NodePanel } from "./panel/node-panel.tsx";
import { FoldPanel } from "./panel/fold-panel.tsx";
import { PathPanel } from "./panel/path-panel.tsx";
import { GraphTable } from "./table/graph-table.tsx";
import { Toolbar } from "./toolbar.tsx";
import { type ChangeView, useShown } from "./use-view.ts";

interface WorkbenchProps {
  root: LineageNode;
  view: View;
  changeView: ChangeView;
  loaded: LoadState;
  onRetry: () => void;
  /** Says which day is shown; false for now. */
  past: ReactNode;
  /** Above the title. */
  children: ReactNode;
}

export function Workbench({ root, view, changeView, loaded, onRetry, past, children }: WorkbenchProps) {
  const { graph } = loaded;
  /** A fold is not in the URL: what it stands for changes with what is shown. */
  const [fold, setFold] = useState<string | null>(null);
  const [anchor, setAnchor] = useState<string | null>(null);
  const shown = useShown(view);
  const picture = useMemo(() => drawPicture(graph, shown), [graph, shown]);
  const types = useMemo(() => countTypes(drawPicture(graph, { ...shown, hidden: new Set() }).nodes), [graph, shown]);
  const { drawn, hasFailed } = useLayout({ picture, graph, columns: shown.columns, isSettled: !loaded.isLoading });
  const canvasWindow = useCanvasWindow(drawn, anchor ?? view.selected);
  const lines = useMemo(
    () => (drawn === null ? [] : listLines(drawn.picture, graph, drawn.boxes, drawn.columns, drawn.routes)),
    [drawn, graph],
  );
  const selected = fold ?? view.selected;
  const isBusy = loaded.isLoading || (!hasFailed && drawn?.picture !== picture);
  const isSlow = useSlow(isBusy);

  const actions = createActions({ changeView, folds: picture.folds, setFold, setAnchor });
  /** Opens more in the direction that leads away from the root; a fold shows its next ones. */
  const openWay = (id: string): void => {
    const folded = picture.folds.find((it) => it.id === id);
    if (folded) return actions.showMore(folded.of, folded.side);
    const hops = measureHops([...picture.links.values()], root.id).get(id) ?? 0;
    const sides = SIDES.filter((side) => hops === 0 || (side === "up") === hops < 0);
    for (const side of sides) if (!isOpen(view, id, side)) actions.expand(id, side);
    return undefined;
  };

  return (
    <ActionsProvider value={actions}>
      <article className={styles["page"]}>
        <header className={`cluster line-below ${styles["header"]}`}>
          <div>
            {children}
            <h1>Lineage of {root.name}</h1>
          </div>
          <Toolbar
            view={view}
            changeView={changeView}
            picture={picture}
            types={types}
            onExport={(format) => {
              if (drawn === null) return;
              exportPicture(format, { title: `Lineage of ${root.name}`, drawn, graph, lines }).catch(() =>
                showToast("The picture could not be saved.", "bad"),
              );
            }}
          />
        </header>
        {past}
        {loaded.error !== null && (
          <p className="notice bad cluster roomy" role="alert">
            Some of it could not be loaded. {describeError(loaded.error)} <Button label="Try again" onClick={onRetry} />
          </p>
        )}
        {picture.diff !== null && <DiffNote diff={picture.diff} />}
        {view.form === "table" ? (
          <div className={styles["table"]}>
            {picture.impact !== null && <ChangeNote impact={picture.impact} />}
            <GraphTable picture={picture} view={view} />
          </div>
        ) : (
          <div className={styles["bench"]}>
            <div className={`grow relative ${styles["window"]}`} data-busy={isBusy || undefined}>
              {hasFailed ? (
                <Undrawn onTable={() => changeView((before) => ({ ...before, form: "table" }))} />
              ) : drawn === null ? null : (
                <>
                  <Canvas
                    drawn={drawn}
                    lines={lines}
                    graph={graph}
                    view={shown}
                    selected={selected}
                    column={fold === null ? view.column : null}
                    canvasWindow={canvasWindow}
                    onOpenWay={openWay}
                  />
                  <Dock drawn={drawn} canvasWindow={canvasWindow}>
                    <Legend lines={lines} picture={picture} />
                  </Dock>
                  {picture.nodes.size === 1 && picture.folds.length === 0 && picture.unseen.size === 0 && <Alone />}
                </>
              )}
              <p className="unseen" role="status">
                {describeSelected()}
              </p>
              <p className={isSlow ? styles["waiting"] : "unseen"} role="status">
                {isSlow &&
                  (loaded.isLoading ? "Loading the lineage …" : `Drawing ${countOf(picture.nodes.size, "asset")} …`)}
              </p>
            </div>
            {renderPanel()}
          </div>
        )}
      </article>
    </ActionsProvider>
  );

  function describeSelected(): string {
    const node = selected === null ? undefined : picture.nodes.get(selected);
    const column = graph.columns.get(view.selected ?? "")?.find(({ id }) => id === view.column);
    if (node !== undefined && column !== undefined) return `Column ${column.name} of ${node.name}.`;
    if (node !== undefined)
      return `${describeNode(node, effectOn(node.id, picture.impact), describeDifference(node.id, picture.diff))}. Made from ${node.totals.up}, feeds ${node.totals.down}.`;
    const folded = picture.folds.find(({ id }) => id === selected);
    return folded === undefined ? "" : describeFold(folded, picture.nodes.get(folded.of)?.name ?? "");
  }

  function renderPanel(): ReactNode {
    const folded = picture.folds.find(({ id }) => id === fold);
    const hub = folded === undefined ? undefined : picture.nodes.get(folded.of);
    if (folded !== undefined && hub !== undefined) {
      const { id, side, count } = folded;
      return <FoldPanel key={id} of={hub} side={side} count={count} view={view} picture={picture} />;
    }
    const node = view.selected === null ? undefined : picture.nodes.get(view.selected);
    if (node === undefined) {
      if (picture.impact !== null) return <ChangePanel impact={picture.impact} />;
      return picture.path !== null && !isBusy && <PathPanel picture={picture} view={view} />;
    }
    const column = graph.columns.get(node.id)?.find(({ id }) => id === view.column);
    if (column !== undefined) return <ColumnPanel node={node} column={column} />;
    const hops = measureHops([...picture.links.values()], root.id).get(node.id);
    const columns = view.columns.has(node.id) ? (graph.columns.get(node.id) ?? null) : null;
    const { impact, diff } = picture;
    return <NodePanel node={node} hops={hops} view={view} columns={columns} impact={impact} diff={diff} />;
  }
}

/** A wait that ends sooner is not worth a word. */
const NOTICED_MS = 300;

function useSlow(isBusy: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isBusy) return undefined;
    const timer = setTimeout(() => setSlow(true), NOTICED_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isBusy]);
  return isBusy && isSlow;
}

/** Above the table: which change it shows the risks of. */
function ChangeNote({ impact }: { impact: DrawnImpact }) {
  const { assess } = useActions();
  return (
    <p className="cluster roomy gap-below">
      <span>
        If <Prose text={describeImpact(impact)} />: {countAffected(impact)}
      </span>
      <Button look="quiet" icon="close" label="Without the change" onClick={() => assess(null)} />
    </p>
  );
}

function Alone() {
  return (
    <div className={styles["alone"]}>
      <Panel icon="lineage" title="No lineage is known">
        Nothing that the catalog knows feeds it or uses it.
      </Panel>
    </div>
  );
}

/** The whole page is loaded again: after an upgrade, only a new page knows where the engine is. The view is in the URL. */
function Undrawn({ onTable }: { onTable: () => void }) {
  return (
    <div role="alert">
      <Panel
        icon="warning"
        title="The picture could not be drawn"
        action={
          <div className={`cluster ${styles["ways"]}`}>
            <Button label="Try again" onClick={() => location.reload()} />
            <Button label="See it as a table" onClick={onTable} />
          </div>
        }
      >
        The part of the page that draws it could not be loaded, or failed.
      </Panel>
    </div>
  );
}

function countTypes(nodes: ReadonlyMap<string, LineageNode>): ReadonlyMap<NodeType, number> {
  const byType = Map.groupBy(nodes.values(), ({ type }) => type);
  return new Map(Array.from(byType, ([type, all]) => [type, all.length]));
}

/** How the two states that are compared differ, in words. */
function DiffNote({ diff }: { diff: DrawnDiff }) {
  return (
    <p className="notice cluster" role="status">
      {describeDiff(diff).join(" ")}
    </p>
  );
}
