/**
 * A view as the parameters of a URL. An id takes 22 characters instead of 32 digits, and every list
 * has a limit, so a link stays below 4,000 characters.
 */
import { NODE_TYPES } from "../../../parts/node-types.ts";
import { type Change, toChangeType } from "../../impact/change.ts";
import { type Side, sideKey, SIDES } from "./graph.ts";
import {
  createView,
  FIRST_SHOWN,
  MAX_COLUMNS,
  MAX_HOPS,
  MAX_OPEN,
  MAX_PICKED,
  MAX_SHOWN,
  MAX_TYPE_NAME,
  type View,
  showHops,
} from "./view.ts";
import { pathOfLineage } from "../../../assets/asset-row.ts";

/** Between the entries of a list. */
const DOT = ".";
/** A day, a duration before now, or the id of a saved impact. */
const COMPARED = /^(?:\d{4}-\d\d-\d\d|[1-9]\d{0,4}[hdw]|[\da-f]{32})$/;
/** A day, or a time in UTC. */
const MOMENT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z)?$/;
const ID = /^[\da-f]{32}$/;
const SHORT_ID = "[\\w-]{22}";
const SHORT = new RegExp(`^${SHORT_ID}$`);
const OPENED = new RegExp(`^(${SHORT_ID})([ud])(\\d{0,4})$`);
const PICKED = new RegExp(`^(${SHORT_ID})([ud])(${SHORT_ID})$`);

/** @returns the view that the parameters describe, without what cannot be read or exceeds a limit */
export function readView(root: string, parameters: URLSearchParams): View {
  const view = createView(root);
  const list = (name: string): string[] => parameters.get(name)?.split(DOT).filter(Boolean) ?? [];
  const opened = list("open").flatMap((entry): [string, number][] => {
    const [, short = "", letter, count] = OPENED.exec(entry) ?? [];
    const id = readId(short);
    if (id === null) return [];
    return [[sideKey(id, sideOf(letter)), Math.min(Number(count || FIRST_SHOWN), MAX_SHOWN)]];
  });
  const picked = list("pick").flatMap((entry) => {
    const [, of = "", letter, neighbour = ""] = PICKED.exec(entry) ?? [];
    const [id, other] = [readId(of), readId(neighbour)];
    return id === null || other === null ? [] : [{ key: sideKey(id, sideOf(letter)), other }];
  });
  const byKey = Map.groupBy(picked.slice(0, MAX_PICKED), ({ key }) => key);
  const columns = list("columns").flatMap((short) => readId(short) ?? []);
  const hopsOf = (side: Side): number =>
    Math.min(Number(/^\d{1,2}$/.exec(parameters.get(side) ?? "")?.[0] ?? 0), MAX_HOPS);
  const selected = readId(parameters.get("at") ?? "");
  return {
    ...view,
    // An empty list means that everything was closed.
    open: parameters.has("open") ? new Map(opened.slice(0, MAX_OPEN)) : view.open,
    picked: new Map([...byKey].map(([key, picks]) => [key, picks.map(({ other }) => other)])),
    hidden: new Set(NODE_TYPES.filter((type) => list("hide").includes(type))),
    hops: { up: hopsOf("up"), down: hopsOf("down") },
    pathTo: readId(parameters.get("to") ?? ""),
    columns: new Set(columns.slice(0, MAX_COLUMNS)),
    selected,
    column: selected === null ? null : readId(parameters.get("column") ?? ""),
    change: readChange(root, parameters),
    compareWith: COMPARED.exec(parameters.get("compare") ?? "")?.[0] ?? null,
    asOf: MOMENT.exec(parameters.get("as_of") ?? "")?.[0] ?? null,
    form: parameters.get("view") === "table" ? "table" : "canvas",
  };
}

function readChange(root: string, parameters: URLSearchParams): Change | null {
  const type = toChangeType(parameters.get("change"));
  if (type === null) return null;
  const newType = type === "type_change" ? (parameters.get("type") ?? "").slice(0, MAX_TYPE_NAME) : "";
  return { of: readId(parameters.get("of") ?? "") ?? root, type, newType: newType === "" ? null : newType };
}

/** Writes a view as parameters. Leaves out what is as in the first view. */
export function writeView(view: View): URLSearchParams {
  const written = new URLSearchParams();
  const opened = [...view.open].map(([key, count]) => {
    const [id = "", side] = key.split(" ");
    return `${writeId(id)}${side === "up" ? "u" : "d"}${count === FIRST_SHOWN ? "" : count}`;
  });
  const picked = [...view.picked].flatMap(([key, ids]) => {
    const [id = "", side] = key.split(" ");
    return ids.map((other) => `${writeId(id)}${side === "up" ? "u" : "d"}${writeId(other)}`);
  });
  if (!isFirstOpen(view)) written.set("open", opened.join(DOT));
  if (picked.length > 0) written.set("pick", picked.join(DOT));
  if (view.hidden.size > 0) written.set("hide", [...view.hidden].join(DOT));
  if (view.columns.size > 0) written.set("columns", [...view.columns].map(writeId).join(DOT));
  for (const side of SIDES) if (view.hops[side] > 0) written.set(side, String(view.hops[side]));
  if (view.pathTo !== null) written.set("to", writeId(view.pathTo));
  if (view.selected !== null && ID.test(view.selected)) {
    written.set("at", writeId(view.selected));
    if (view.column !== null) written.set("column", writeId(view.column));
  }
  if (view.compareWith !== null) written.set("compare", view.compareWith);
  if (view.asOf !== null) written.set("as_of", view.asOf);
  if (view.form === "table") written.set("view", "table");
  if (view.change !== null) writeChange(view.root, view.change, written);
  return written;
}

function writeChange(root: string, { of, type, newType }: Change, written: URLSearchParams): void {
  written.set("change", type);
  if (of !== root && ID.test(of)) written.set("of", writeId(of));
  if (newType !== null) written.set("type", newType);
}

function isFirstOpen(view: View): boolean {
  const first = createView(view.root).open;
  return view.open.size === first.size && [...first].every(([key, count]) => view.open.get(key) === count);
}

function sideOf(letter: string | undefined): Side {
  return letter === "u" ? "up" : "down";
}

const BASE64URL = { alphabet: "base64url", omitPadding: true } as const;

/** 16 bytes in the alphabet of RFC 4648, section 5; "" for what is no id. */
function writeId(id: string): string {
  return ID.test(id) ? Uint8Array.fromHex(id).toBase64(BASE64URL) : "";
}

/** @returns null if it is none */
function readId(short: string): string | null {
  return SHORT.test(short) ? Uint8Array.fromBase64(short, BASE64URL).toHex() : null;
}

export function pathOfView(view: View): string {
  return `${pathOfLineage(view.root)}?${writeView(view).toString()}`;
}

/**
 * The path of the canvas that compares a lineage with how it would be with a manifest.
 * @param savedImpact the id of the answer about the manifest
 * @param up how many hops upstream are shown; null if the catalog does not have the root
 */
export function pathOfComparedLineage(root: string, savedImpact: string, up: number | null): string {
  const first = createView(root);
  const view = up === null ? first : showHops(first, { up: Math.max(up, 1), down: 1 });
  return pathOfView({ ...view, compareWith: savedImpact });
}

/**
 * The path of the canvas that shows what the change affects, and nothing else.
 * @param root the asset or metric that is changed, or whose column is
 */
export function pathOfChangedLineage(root: string, change: Change): string {
  return pathOfView({ ...createView(root), open: new Map(), change });
}
