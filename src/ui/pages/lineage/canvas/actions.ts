/** What can be done with what is on the canvas. */
import { createContext, useContext } from "react";

import type { Change } from "../../impact/change.ts";
import type { Side } from "../model/graph.ts";

export interface CanvasActions {
  select: (id: string | null) => void;
  selectColumn: (node: string, column: string | null) => void;
  expand: (id: string, side: Side) => void;
  collapse: (id: string, side: Side) => void;
  showMore: (id: string, side: Side) => void;
  togglePicked: (id: string, side: Side, neighbour: string) => void;
  toggleColumns: (id: string) => void;
  /** Shows the paths between the root and an asset; null for the first view. */
  showPath: (to: string | null) => void;
  /** Shows what a change affects; null for no change. */
  assess: (change: Change | null) => void;
}

const ActionsContext = createContext<CanvasActions | null>(null);
export const ActionsProvider = ActionsContext.Provider;

export function useActions(): CanvasActions {
  const actions = useContext(ActionsContext);
  if (actions === null) throw new Error("there is no canvas around this");
  return actions;
}
