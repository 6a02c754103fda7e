/** What a change means for each thing that changes, and where its spread begins. */
import type { NodeType } from "../asset.ts";
import { compareTypes } from "../data-type.ts";
import { type Effect, EFFECTS, type ImpactQuery } from "../impact.ts";
import { type Label, partOf, startAt } from "./label.ts";
import { ask, type Handle, type Plan } from "./source.ts";
import type { Beginning } from "./spread.ts";
import { isDataset, type Surroundings } from "./surroundings.ts";

/** @param dataType what the column's type is now; "" when unknown */
function effectOf({ change, newType }: ImpactQuery, dataType: string): Effect {
  if (change === "deprecate") return "deprecates";
  if (change !== "type_change") return "breaks";
  if (newType === null || dataType === "") return "narrows";
  return compareTypes(dataType, newType) === "narrows" ? "narrows" : "widens";
}

/** Where the spread begins, and the worst of the effects. */
export function* beginAt(root: Handle, query: ImpactQuery, around: Surroundings): Plan<Beginning & { effect: Effect }> {
  const { type } = around.get(root);
  const changed = isDataset(type)
    ? ((yield* around.columnsOf([root])).get(root) ?? []).map(({ column }) => column)
    : [];
  yield* around.meet(changed);
  const typed = type === "column" ? [root] : changed;
  const shown = query.change === "type_change" ? yield* ask((source) => source.show(typed)) : [];
  const effects = typed.map((_, i) => effectOf(query, shown[i]?.dataType ?? ""));
  const effect = EFFECTS.find((each) => effects.includes(each)) ?? effectOf(query, "");

  const isWhole = query.change === "deprecate";
  // Not knowing a table's columns is not the same as its having none.
  const isUnlisted = isDataset(type) && changed.length === 0;
  const start = startAt(root, effect, isUnlisted && !isWhole ? "UNKNOWN" : "DIRECT");
  const parts = changed.map((column, i): Label => partOf(start, column, effects[i]));
  return { root, labels: startsItself(type, isWhole || isUnlisted) ? [start, ...parts] : parts, isWhole, effect };
}

/** A table or model whose columns change is not itself a thing that changes. */
function startsItself(type: NodeType, asWhole: boolean): boolean {
  return !isDataset(type) || asWhole;
}
