/** What "it" and "that" stand for, in a clause whose names are `N`. */

const POINTER =
  /\b(?:this|that|these|those|the) (?:table|model|metric|dashboard|report|pipeline|column|asset|dataset)s?\b|\b(?:it|its|this|these|those|they|them)\b/;

/** The clause with the first pointer as `N`: for one that names nothing itself. */
export function pointBack(template: string): string {
  return template.replace(POINTER, "N");
}

/** A name, and behind it the question with a pronoun in its place: "N, which tables does that rest on". */
const TOPIC_FIRST =
  /^.*\bN\b.*?\b((?:(?:in|on|from|to|by|of|for) )?(?:what|which|who|whom|whose|where|how|does|do|is|are|can)\b.*?)\b(?:it|they|them|these|those|that|this)\b(?! (?:table|model|metric|dashboard|report|one)s?\b)(.*)$/;

/** With the name where the pronoun is, so that who does what to whom is read in one order: "which tables does N rest on". */
export function putInPlace(template: string): string {
  const [, before, after] = TOPIC_FIRST.exec(template) ?? [];
  const names = template.match(/\bN\b/g) ?? [];
  if (before === undefined || after === undefined || names.length !== 1) return template;
  return `${before}N${after}`;
}
