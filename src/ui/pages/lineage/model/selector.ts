/** dbt's graph selectors, as far as one node to begin from can stand for them: `+model`, `2+model+3`, `+tag:daily`. */
import type { Side } from "./graph.ts";
import { MAX_HOPS } from "./view.ts";

export interface Selector {
  /** What to search for: a name, or a filter such as `tag:daily`. */
  name: string;
  hops: Readonly<Record<Side, number>>;
}

const SELECTOR = /^(?:(\d*)(\+))?([^+]*[^+\s])(?:(\+)(\d*))?$/;
const METHOD = /^(\w+):(.*)$/;

/** The methods, as filters of a search. A source of dbt is a table of its schema. */
const METHODS: Readonly<Record<string, (value: string) => string>> = {
  tag: (value) => `tag:${value}`,
  owner: (value) => `owner:${value}`,
  schema: (value) => `schema:${value}`,
  type: (value) => `type:${value}`,
  source: (value) => `type:table ${value.replaceAll(".", " ")}`,
};

/** @returns null if the text is a plain name, and a text that says what is wrong if the selector is not read here */
export function readSelector(text: string): Selector | string | null {
  const isUnion = /\s/.test(text) && /[+@]|^\w+:/.test(text);
  if (isUnion) return "One selector at a time: unions, such as a+ b+, are not read here.";
  if (text.startsWith("@")) return "@model is not read here. +model+ is: all that is upstream and downstream.";
  if (text.includes(",")) return "Intersections, such as a+,b+, are not read here.";
  const [, upDigits = "", upPlus, wanted = "", downPlus, downDigits = ""] = SELECTOR.exec(text) ?? [];
  const [, method, value = ""] = METHOD.exec(wanted) ?? [];
  if (upPlus === undefined && downPlus === undefined && method === undefined) {
    return text.includes("+") ? "Write a name between the signs: +model, model+2 or 2+model+3." : null;
  }
  const toSearch = method === undefined ? String : METHODS[method];
  if (toSearch === undefined)
    return `The method ${method}: is not read here. ${Object.keys(METHODS).join(":, ")}: are.`;
  if (method !== undefined && value === "") return `Write what to look for after ${method}:.`;
  const hops = { up: toHops(upPlus, upDigits), down: toHops(downPlus, downDigits) };
  return { name: toSearch(method === undefined ? wanted : value), hops };
}

function toHops(plus: string | undefined, digits: string): number {
  return plus === undefined ? 0 : Math.min(digits === "" ? MAX_HOPS : Number(digits), MAX_HOPS);
}
