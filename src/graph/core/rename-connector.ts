/** Changes the connector's name in everything that it stated. */
import type { Write } from "../rows.ts";
import { mergeAgain } from "./merge-nodes.ts";
import { refuseRemoved } from "./open-source.ts";
import { saveChange } from "./save-change.ts";

/** @returns where the next step starts; null at the end */
export const renameConnector: Write<"renameConnector"> = async (store, stamp, after) => {
  await refuseRemoved(store, stamp);
  const { nodes, next } = await store.renameSomeClaims(stamp, after);
  if (nodes.length === 0) return next;
  const rows = await store.loadNodes([...new Set(nodes)]);
  const merged = await mergeAgain(store, [...rows.values()], stamp.at);
  await saveChange(store, { nodes: merged.filter(({ isChanged }) => isChanged) });
  return next;
};
