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
} from "./view.ts";

const NAMES = [
  "open",
  "pick",
  "hide",
  "up",
  "down",
  "to",
  "columns",
  "at",
  "column",
  "view",
  "change",
  "of",
  "type",
  "compare",
] as const;
/** Between the entries of a list. */
const DOT = ".";
/** A day, or a duration before now. */
const COMPARED = /^(?:\d{4}-\d\d-\d\d|[1-9]\d{0,4}[hdw])$/;
const ID = /^[\da-f]{32}$/;
const SHORT_ID = "[\\w-]{22}";
const OPENED = new RegExp(`^(${SHORT_ID})([ud])(\\d{0,4})$`);
const PICKED = new RegExp(`^(${SHORT_ID})([ud])(${SHORT_ID})$`);

/** @returns the view that the parameters describe, without what cannot be read or exceeds a limit */
export function readView(root: string, parameters: URLSearchParams): View {
  const view = createView(root);
  const list = (name: (typeof NAMES)[number]): string[] => parameters.get(name)?.split(DOT).filter(Boolean) ?? [];
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
    form: parameters.get("view") === "table" ? "table" : "canvas",
  };
}

function readChange(root: string, parameters: URLSearchParams): Change | null {
  const type = toChangeType(parameters.get("change"));
  if (type === null) return null;
  const newType = type === "type_change" ? (parameters.get("type") ?? "").slice(0, MAX_TYPE_NAME) : "";
  return { of: readId(parameters.get("of") ?? "") ?? root, type, newType: newType === "" ? null : newType };
}

/** Writes a view into parameters. Keeps the other parameters, and leaves out what is as in the first view. */
export function writeView(view: View, parameters: URLSearchParams): URLSearchParams {
  const written = new URLSearchParams(parameters);
  for (const name of NAMES) written.delete(name);
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

/** 16 bytes in the alphabet of RFC 4648, section 5. */
function writeId(id: string): string {
  const bytes = id.match(/../g)?.map((digits) => Number.parseInt(digits, 16)) ?? [];
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** @returns null if it is none */
function readId(short: string): string | null {
  if (!new RegExp(`^${SHORT_ID}$`).test(short)) return null;
  const bytes = atob(`${short.replaceAll("-", "+").replaceAll("_", "/")}==`);
  const id = Array.from(bytes, (byte) => (byte.codePointAt(0) ?? 0).toString(16).padStart(2, "0")).join("");
  return ID.test(id) ? id : null;
}
