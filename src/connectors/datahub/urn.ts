/** Reads DataHub's names of entities: `urn:li:dataset:(urn:li:dataPlatform:hive,sales.orders,PROD)`. */

import { decodePercent } from "../../characters.ts";

export interface Urn {
  /** Such as `dataset`. */
  type: string;
  /** What is in the parentheses, or the only name. */
  parts: string[];
}

/** As the OpenAPI document has it. */
export const URN_PATTERN = "^urn:li:\\w+:[^\\r\\n]+$";
const URN = /^urn:li:(?<type>\w+):(?<rest>.+)$/s;

/** Of a text that is read as a urn. Those of fields are longer than those of entities. */
const MAX_CHARACTERS = 10_000;

function match(text: string): Readonly<Record<string, string>> {
  return (text.length > MAX_CHARACTERS ? null : URN.exec(text))?.groups ?? {};
}

/** Such as `dataset`; undefined if the text is no urn. */
export function typeOf(text: string): string | undefined {
  return match(text)["type"];
}

/** @returns null if the text is no urn */
export function parseUrn(text: string): Urn | null {
  const { type, rest } = match(text);
  if (type === undefined || rest === undefined) return null;
  const isTuple = rest.startsWith("(") && rest.endsWith(")");
  return { type, parts: (isTuple ? splitTuple(rest.slice(1, -1)) : [rest]).map(decode) };
}

/** Splits at the commas that are not within parentheses. */
function splitTuple(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    else if (character === "," && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}

/** Commas, parentheses and percent signs in a name are encoded. A part that is a urn itself stays encoded. */
function decode(part: string): string {
  return part.includes("%") && !part.startsWith("urn:li:") ? (decodePercent(part) ?? part) : part;
}

/** The last part of a urn, such as `snowflake` of a platform. The text itself if it is no urn. */
export function lastPart(urn: string): string {
  return parseUrn(urn)?.parts.at(-1) ?? urn;
}

export interface FieldUrn {
  /** The urn of the dataset. */
  dataset: string;
  /** In DataHub's own form. */
  path: string;
}

/** @returns null if the urn does not name a field of a dataset */
export function parseField(urn: string): FieldUrn | null {
  const { type = "", parts: [dataset = "", path = ""] = [] } = parseUrn(urn) ?? {};
  return type === "schemaField" && dataset.startsWith("urn:li:dataset:") && path !== "" ? { dataset, path } : null;
}
