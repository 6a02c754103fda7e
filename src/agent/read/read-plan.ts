/**
 * Reads a question into plans, without a language model. Names and values come first, then the phrases of a table; heads make
 * plans out of them. Every name and every word that says something must be used, or the question is declined.
 */
import { findNames, type Sources } from "../names/find-names.ts";
import { MAX_PLANS, only, type Plan, type Things } from "../plan.ts";
import { type Cue, cueOf, hasCue, is, isName, type Kind, nameOf, namesOf } from "./cue.ts";
import { findCues } from "./find-cues.ts";
import { HEADS } from "./heads.ts";
import { joinCues } from "./join-cues.ts";
import { tokenize } from "../names/tokens.ts";

export type Reading = Awaited<ReturnType<typeof readPlan>>;
type Read = ReturnType<typeof readCues>;

const MAX_WORDS = 80;
const SURELY = 0.95;
const LEAD =
  /^(?:(?:(?:hi|hello|hey|ok|okay|so|and|please|thanks)\b|(?:can|could|would) (?:you|somebody|someone) (?:please )?(?:tell|show|give|list|explain)|do (?:you|we) know|(?:i|we)(?: want| need| would like|['’]d like)(?: to (?:know|see)|(?! to))|(?:tell|give|show|display) me|show|display|name|(?:what|how) about|i wonder)[\s,:!]*(?:if |whether )?)+/i;
const STRESS =
  /\b(?:at all|if so|(?:show me|i need) the path|as well(?! as)|(?<=\w )(?:can|could|should) (?:i|we))\b/gi;
/** Cues that say nothing by themselves. */
const SILENT: readonly Kind[] = [
  ...(["in", "and", "comma", "what", "exist", "with", "a", "whether", "far", "possessive", "located", "who"] as const),
];

/** @param previous what "it" means at the beginning */
export async function readPlan(question: string, { previous, ...sources }: Sources & { previous: Things | null }) {
  const said = question
    .replace(LEAD, "")
    .replace(/^any\b/i, "are there any")
    .replaceAll(STRESS, " ")
    .replaceAll(/\b(what|who|where)s\b/gi, "$1 is");
  const all = tokenize(said);
  const tokens = all.slice(0, MAX_WORDS);
  const { mentions, sighted } = await findNames(tokens, sources);
  let about = previous;
  const reads: Read[] = [];
  // First without, then with the plain words that are names of assets.
  const [sentences, others] = [false, true].map((plainNames) => cut(findCues(tokens, mentions, plainNames)));
  for (const [i, sentence] of (sentences ?? []).entries()) {
    await sources.nextTurn();
    const first = readCues(joinCues(sentence, about));
    const second = first.plans.length > 0 ? first : readCues(joinCues(others?.[i] ?? [], about));
    const read = second.plans.length > 0 ? second : first;
    reads.push(read);
    about = aboutOf(read) ?? about;
  }
  const cues = reads.flatMap((read) => read.cues);
  const unused = [...reads.flatMap((read) => read.unused), ...all.slice(MAX_WORDS).map(({ text }) => text)];
  const plans = reads.flatMap((read) => read.plans);
  const isRead = unused.length === 0 && plans.length <= MAX_PLANS;
  const names = cues.filter(isName);
  return {
    /** Empty if the question was not read. */
    plans: isRead ? plans.map((plan) => (previous === null ? plan : ofContext(plan, previous))) : [],
    /** Words that have no place in what was read. */
    unused: [...new Set(unused)],
    /** What "it" means in the next question; null if nothing was spoken of. */
    about,
    /** What was found for its words. */
    sighted,
    /** 0 to 1: how surely its names were meant. */
    sureness: Math.min(1, ...names.map(({ sureness }) => sureness)),
    /** Names that would fit as well as those that were taken. */
    rivals: names.flatMap((cue) => {
      const rivals = nameOf(cue).things.slice(1);
      return [...rivals.filter(({ type }) => type !== "column"), ...(cue.near ?? [])];
    }),
    /** Its names of assets, as they are written. */
    said: names.map(({ text }) => text),
    /** Assets that the question surely names. */
    named: names.filter(({ sureness }) => sureness >= SURELY).flatMap((cue) => nameOf(cue).things.slice(0, 1)),
    /** The question without the names that it has. */
    plainWords: names.reduce((text, cue) => text.replace(new RegExp(RegExp.escape(cue.text), "gi"), " "), question),
  };
}

/** The cues of each sentence that says something; ", and who" begins one too. */
function cut(cues: readonly Cue[]): Cue[][] {
  const sentences: Cue[][] = [[]];
  for (const [at, cue] of cues.entries()) {
    const isAsked = is(cue, "comma") && is(cues[at + 1], "and") && is(cues[at + 2], "who", "whether");
    // "We want to drop X. Whom must we tell?": what would be done is a part of the question behind it.
    const said = sentences.at(-1) ?? [];
    const isLead =
      hasCue(said, "if") && hasCue(said, "change") && !hasCue(said, "what", "who", "when", "whether", "how");
    if (is(cue, "stop") && isLead) said.push(cueOf(",", { is: "comma" }));
    else if (is(cue, "stop") || isAsked) sentences.push([]);
    else sentences.at(-1)?.push(cue);
  }
  return sentences.filter((sentence) => !sentence.every((cue) => is(cue, ...SILENT) && !is(cue, "who")));
}

/** Columns of nothing else are those of what is spoken of. */
function ofContext(plan: Plan, context: Things): Plan {
  const isOpen = "find" in plan && plan.find.types?.join() === "column";
  if (!isOpen || /"(?:ids|columns|name)"/.test(JSON.stringify(plan.find))) return plan;
  return { ...plan, find: only(plan.find, { is: "along", along: { way: "columns", of: context } }) };
}

function readCues(cues: readonly Cue[]) {
  const unknown = cues.filter((cue) => is(cue, "unknown"));
  const names = cues.filter(isName);
  let fewest: readonly Cue[] | null = unknown.length > 0 ? unknown : null;
  for (const head of HEADS) {
    const used = new Set<Cue>();
    const plans = head(cues, used, names, namesOf(names));
    if (plans.length === 0) continue;
    const unused = cues.filter((cue) => !used.has(cue) && !is(cue, ...SILENT));
    if (unused.length === 0) return { cues, plans, unused: [] };
    fewest ??= unused;
  }
  // No head asks for these words together.
  const said = cues.filter((cue) => !isName(cue) && !is(cue, ...SILENT));
  return { cues, plans: [], unused: (fewest ?? (said.length > 0 ? said : cues)).map(({ text }) => text) };
}

/** What a sentence is about, which "it" means after it. */
function aboutOf({ plans, cues }: Read): Things | null {
  const plan = plans.at(-1);
  if (plan !== undefined) return "find" in plan ? plan.find : "to" in plan ? plan.to : null;
  const [one, ...others] = cues.filter(isName);
  return one === undefined || others.length > 0 ? null : nameOf(one).set;
}
