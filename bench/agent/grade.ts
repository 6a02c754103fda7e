/** Marks an answer of the agent by the facts that an item of an exam says of it: ids that are cited, names and numbers. */
import { z } from "zod";

const names = z.array(z.string());

/** One question. `README.md` explains what each field requires of a correct answer. */
export const itemSchema = z.object({
  id: z.string(),
  /** `shop`, or the folder of a dbt project. */
  project: z.string(),
  question: z.string(),
  class: z.enum(["simple", "composed", "unanswerable"]),
  context: z
    .object({ asset_ids: names.optional(), tags: names.optional(), workspace_area: z.string().optional() })
    .optional(),
  begins: z.enum(["Yes", "No"]).optional(),
  members: names.optional(),
  never: names.optional(),
  count: z.number().optional(),
  states: z.array(names).optional(),
  cites: z.array(z.union([z.string(), names])).optional(),
  because: z.string(),
});
export type Item = z.infer<typeof itemSchema>;

export interface Answer {
  text: string;
  confidence: number;
  /** Fully qualified names. */
  cited: readonly string[];
}

const DECLINED_BELOW = 0.2;
const NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

export function isDeclined({ confidence }: Answer): boolean {
  return confidence < DECLINED_BELOW;
}

/** The faults of an answer; [] if it is correct. */
export function faultsOf(item: Item, answer: Answer): string[] {
  if (item.class === "unanswerable") return isDeclined(answer) ? [] : ["answered"];
  if (isDeclined(answer)) return ["declined"];
  const { text, cited } = answer;
  const ticked = new Set([...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => shortName(name).toLowerCase()));
  const cites = (name: string): boolean =>
    cited.some((fqn) => fqn.startsWith(`${name}.`) || name.startsWith(`${fqn}.`) || `.${fqn}`.endsWith(`.${name}`));
  const tells = (fqn: string): boolean => cited.includes(fqn) || ticked.has(shortName(fqn).toLowerCase());
  const number = item.count;
  return [
    ...(item.begins !== undefined && !text.startsWith(item.begins) ? [`begin with ${item.begins}`] : []),
    ...(item.members ?? []).filter((fqn) => !tells(fqn)).map((fqn) => `name ${fqn}`),
    ...(item.never ?? [])
      .filter((name) => cited.some((fqn) => `.${fqn}`.endsWith(`.${name}`)))
      .map((fqn) => `not name ${fqn}`),
    ...(number !== undefined &&
    ![number.toLocaleString("en-US"), NUMBERS[number] ?? ""].some((it) => it !== "" && says(text, it))
      ? [`say ${number}`]
      : []),
    ...(item.states ?? [])
      .filter((any) => !any.some((phrase) => says(text, phrase)))
      .map((any) => `say ${any.join(" or ")}`),
    ...(item.cites ?? [])
      .map((cite) => (typeof cite === "string" ? [cite] : cite))
      .filter((any) => !any.some(cites))
      .map((any) => `cite ${any.join(" or ")}`),
  ];
}

function shortName(fqn: string): string {
  return fqn.split(".").at(-1) ?? fqn;
}

/**
 * Whether the text contains the phrase as separate words, regardless of case, without backticks, and with `_` as a
 * space.
 */
function says(text: string, phrase: string): boolean {
  const [head, tail] = [
    /^\d/.test(phrase) ? String.raw`(?<![\w-]|\d[.,])` : String.raw`(?<!\w)`,
    /\d$/.test(phrase) ? String.raw`(?!\d|[.,]\d)` : String.raw`(?!\w)`,
  ];
  return new RegExp(head + RegExp.escape(plain(phrase)) + tail).test(plain(text));
}

function plain(text: string): string {
  return text.replaceAll("`", "").replaceAll("_", " ").toLowerCase();
}
