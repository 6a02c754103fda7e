/** What can be done with what is on the canvas. */
import { createContext, useContext } from "react";

import type { Change } from "../../impact/change.ts";
import type { Fold } from "../model/picture.ts";
import {
  closeSide,
  openSide,
  showMore,
  showNeighbours,
  showPath,
  toggleColumns,
  togglePicked,
  type View,
} from "../model/view.ts";
import type { ChangeView } from "../use-view.ts";

interface Shown {
  changeView: ChangeView;
  folds: readonly Fold[];
  /** Selects a fold, or none. */
  setFold: (id: string | null) => void;
  /** Names the node that stays in its place when the picture changes. */
  setAnchor: (id: string) => void;
}

type CanvasActions = ReturnType<typeof createActions>;

export function createActions({ changeView, folds, setFold, setAnchor }: Shown) {
  const act =
    <T extends unknown[]>(change: (view: View, id: string, ...rest: T) => View) =>
    (id: string, ...rest: T): void => {
      setAnchor(id);
      changeView((before) => change(before, id, ...rest));
    };
  /** Shows something else of the lineage, with nothing selected. */
  const turn = (change: (view: View) => View): void => {
    setFold(null);
    changeView((before) => ({ ...change(before), selected: null, column: null }));
  };
  return {
    select(id: string | null): void {
      const isFold = folds.some((fold) => fold.id === id);
      setFold(isFold ? id : null);
      changeView((before) => ({ ...before, selected: isFold ? null : id, column: null }));
    },
    selectColumn(node: string, column: string | null): void {
      setFold(null);
      changeView((before) => ({ ...before, selected: node, column }));
    },
    expand: act(openSide),
    collapse: act(closeSide),
    showMore: act(showMore),
    togglePicked: act(togglePicked),
    toggleColumns: act(toggleColumns),
    /** Shows the paths between the root and an asset; null for the first view. */
    showPath: (to: string | null) => turn((view) => (to === null ? showNeighbours(view) : showPath(view, to))),
    /** Shows what a change affects; null for no change. */
    assess: (change: Change | null) => turn((view) => ({ ...view, change })),
  };
}

const ActionsContext = createContext<CanvasActions | null>(null);
export const ActionsProvider = ActionsContext.Provider;

export function useActions(): CanvasActions {
  const actions = useContext(ActionsContext);
  if (actions === null) throw new Error("there is no canvas around this");
  return actions;
}
