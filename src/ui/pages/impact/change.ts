/** The changes that can be assessed, and how they are called. */
import { NODE_TYPE_TABLE, type NodeType } from "../../parts/node-types.ts";

const OF_COLUMNS = ["column_drop", "column_rename", "type_change"] as const;
const OF_ASSETS = ["deprecate", "asset_drop"] as const;
const CHANGE_TYPES = [...OF_COLUMNS, ...OF_ASSETS] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

export interface Change {
  /** The id of the asset, metric or column that is changed. */
  of: string;
  type: ChangeType;
  /** Only for a `type_change`; null if it is not given. */
  newType: string | null;
}

/** @returns null if the text is not the name of a change */
export function toChangeType(text: string | null): ChangeType | null {
  return CHANGE_TYPES.find((it) => it === text) ?? null;
}

const VERBS: Record<Exclude<ChangeType, "type_change">, string> = {
  column_drop: "Drop",
  column_rename: "Rename",
  deprecate: "Deprecate",
  asset_drop: "Drop",
};

/** The changes that can happen to what is of this type, the usual one first. Each names what would change: the asset or a column. */
export function listChanges(type: NodeType): { value: ChangeType; label: string }[] {
  const ofColumn = [...OF_COLUMNS, "deprecate"] as const;
  const possible = type === "column" ? ofColumn : NODE_TYPE_TABLE[type].hasColumns ? CHANGE_TYPES : OF_ASSETS;
  return possible.map((value) => {
    const isOfAny = type !== "column" && OF_COLUMNS.some((it) => it === value);
    if (value === "type_change") return { value, label: isOfAny ? "Change a type" : "Change its type" };
    return { value, label: `${VERBS[value]} ${isOfAny ? "a column" : `the ${type}`}` };
  });
}

/** The path of the page that lists what the change of an asset, metric or column affects. */
export function pathOfImpact(id: string, change?: string, newType: string | null = null): string {
  return `/impact?${new URLSearchParams({ id, ...(change && { change }), ...(newType && { type: newType }) })}`;
}

/**
 * The change as a condition, such as "a column of `fct_orders` is dropped".
 * @param name of what is changed
 */
export function describeChange(
  { type, newType }: Omit<Change, "of">,
  { name, type: ofType }: { name: string; type: NodeType },
): string {
  if (type === "asset_drop") return `\`${name}\` is dropped`;
  const ofColumns = NODE_TYPE_TABLE[ofType].hasColumns ? "a column of " : "";
  if (type === "column_drop") return `${ofColumns}\`${name}\` is dropped`;
  if (type === "column_rename") return `${ofColumns}\`${name}\` is renamed`;
  if (type === "deprecate") return `\`${name}\` is deprecated`;
  const becomes = newType === null ? "gets another type" : `becomes ${newType}`;
  return `${ofColumns}\`${name}\` ${becomes}`;
}
