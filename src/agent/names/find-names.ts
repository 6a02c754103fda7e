/** Which words of a question may name assets of this workspace, or values that they have: by a bounded number of searches, never by reading the catalog. */
import { singularOf, splitIdentifier } from "../../catalog/search.ts";
import { fold } from "../../catalog/text.ts";
import { isColumn, NAMED_TYPES, type Thing } from "../catalog.ts";
import type { Lookup } from "../lookup.ts";
import { setOf } from "../read/join-cues.ts";
import { textOf, type Token } from "./tokens.ts";
import { isPlain } from "../read/phrases.ts";
import { type Mention, SURE } from "./choose-mentions.ts";
import { addSchemas, loadValues, valuesIn } from "./find-values.ts";
import { groupBySpan, namesOfThing, type Naming, type Readings, readingsOf, type Span } from "./match.ts";
import { spansByText, spansNaming } from "./match.ts";
import { findsTypos, GRAMMAR } from "./words.ts";

const MAX_SEARCHES = 40;
const PER_SEARCH = 25;
const LONGEST_SEARCHED = 3;
/** A name of which less is said is not meant. */
const SURE_ENOUGH = 0.6;
/** A name that is written as one may have a slip, and must else be whole. */
const SURE_WRITTEN = 0.85;
/** What is this near to the best fits as well. */
const TIE = 0.03;
/** A column that is this near to the best may be meant instead. */
const NEAR = 0.1;
/** Assets that may have none of the question's words, such as those that are misspelt. */
const MAX_UNLIKE = 8;
/** Assets that are looked at in one turn: one takes up to 7 ms if every word of a long question may name it. */
const AT_A_TIME = 5;
/** The likeliest of what a text may stand for comes first. */
const TYPE_ORDER: readonly Thing["type"][] = ["metric", "model", "dashboard", "pipeline", "table", "column"];

export interface Sources {
  lookup: Lookup;
  /** Whether the question may be about it. */
  allows: (thing: Thing) => boolean;
  nextTurn: () => Promise<void>;
}

/** @returns the mentions, and the likeliest of what was looked at for them */
export async function findNames(tokens: readonly Token[], { lookup, allows, nextTurn }: Sources) {
  let known = await loadValues(lookup);
  const found = await gather(tokens, lookup);
  const things = [...new Map(found.map((thing) => [thing.id, thing])).values()].filter(allows);
  const correct = createCorrector(things);
  const readings: Readings[][] = [];
  for (const { words } of tokens) {
    await nextTurn();
    readings.push(words.map((word) => readingsOf(word, correct(word))));
  }
  const question = { tokens, readings, byText: await spansByText(tokens, nextTurn) };
  const fits: Fit[] = [];
  for (const [at, thing] of things.entries()) {
    if (at % AT_A_TIME === 0) await nextTurn();
    for (const naming of spansNaming(namesOfThing(thing), question)) fits.push({ ...naming, thing });
  }
  await nextTurn();
  const named = groupBySpan(fits).flatMap(([span, some]) => namesOf(span, some, tokens));
  let valued = await valuesIn(question, known, nextTurn);
  const sure = [...named, ...valued].filter(({ sureness }) => sureness >= SURE);
  const isSaid = (at: number): boolean => sure.some(({ from, to }) => from <= at && at < to);
  if (known.isCut && tokens.some((token, at) => !isEdge(token) && !isPlain(token.word) && !isSaid(at))) {
    known = await addSchemas(known, lookup);
    valued = await valuesIn(question, known, nextTurn);
  }
  // How many of the question's words an asset is named by, as surely as it is.
  const said = ({ from, to, sure: by }: Fit): number => by * readings.slice(from, to).flat().length;
  const likely = new Set(fits.toSorted((a, b) => said(b) - said(a)).map(({ thing }) => thing));
  const unlike = things.filter((thing) => !likely.has(thing) && !isColumn(thing)).slice(0, MAX_UNLIKE);
  return { mentions: [...named, ...valued], sighted: { things: [...likely, ...unlike], values: known.values } };
}

function isEdge(token: Token | undefined): boolean {
  return token === undefined || token.words.length === 0 || (GRAMMAR.has(token.word) && !token.isName);
}

async function gather(tokens: readonly Token[], lookup: Lookup): Promise<Thing[]> {
  const named = tokens.filter(({ isName }) => isName).map(({ text }) => text);
  const texts = new Set([...named.map((text) => text.split(".").at(-1) ?? text), ...named]);
  for (let length = LONGEST_SEARCHED; length > 0; length--) {
    for (let from = 0; from + length <= tokens.length; from++) {
      const part = tokens.slice(from, from + length);
      const plain = part.filter(({ word }) => isPlain(word)).length;
      const isTelling = length === 2 || plain < length;
      if (isTelling && part.every((token) => !isEdge(token) && !token.isName))
        texts.add(part.map(({ word }, i) => (i < length - 1 ? word : singularOf(word))).join(" "));
    }
  }
  // A column may be called "amount": words of the language of questions come last.
  for (const token of tokens)
    if (!token.isName && !isEdge(token) && isPlain(token.word)) texts.add(singularOf(token.word));
  const found = await Promise.all(
    [...texts]
      .slice(0, MAX_SEARCHES)
      .flatMap((text) => [
        lookup.search(text.slice(0, 200), NAMED_TYPES, PER_SEARCH),
        lookup.search(text.slice(0, 200), ["column"], PER_SEARCH),
      ]),
  );
  return found.flat();
}

/** Corrects words that no asset's name has to those that one has. */
function createCorrector(things: readonly Thing[]): (word: string) => string[] {
  const known = new Set(things.flatMap((thing) => splitIdentifier(`${thing.name} ${thing.displayName}`)));
  const alike = findsTypos(known);
  return (word) => (known.has(word) || known.has(singularOf(word)) || isPlain(word) ? [] : alike(word).slice(0, 2));
}

/** An asset that a span may name. */
type Fit = Naming & { thing: Thing };

/** What a span names: what is called exactly so, or else the surest. */
function namesOf({ from, to }: Span, fits: readonly Fit[], tokens: readonly Token[]): Mention[] {
  const span = tokens.slice(from, to);
  if (isEdge(span[0]) || isEdge(span.at(-1))) return [];
  const text = textOf(span);
  const exact = fits.filter(({ isExact }) => isExact);
  const [only] = span.length === 1 ? span : [];
  const isWritten = only?.isName === true;
  // `orders.id` is no `order_id` of another table.
  if (isWritten && exact.length === 0 && /\S\.\S/.test(text)) return [];
  if (!isWritten && exact.length === 0 && span.every(({ word }) => isPlain(word))) return [];
  const isExact = exact.length > 0 && (only === undefined || isWritten || /\d/.test(only.word));
  const length = span.flatMap(({ words }) => words).length;
  // What is written as a name leaves no word of it out, not even "to".
  const isWhole = ({ name, displayName }: Thing): boolean =>
    !isWritten || [name, displayName].some((each) => splitIdentifier(each).length === length);
  const some = isExact
    ? exact.map(({ thing }) => ({ thing, sure: 1 }))
    : fits.filter(({ sure, thing }) => sure >= (isWritten ? SURE_WRITTEN : SURE_ENOUGH) && isWhole(thing));
  return group(some, fold(text), { from, to });
}

/** The surest; columns of one name together, apart from all else. */
function group(fits: readonly { thing: Thing; sure: number }[], text: string, span: Span): Mention[] {
  const rank = ({ name, type }: Thing): number =>
    TYPE_ORDER.indexOf(type) + (fold(name) === text ? 0 : TYPE_ORDER.length);
  return [false, true].flatMap((isOfColumns) => {
    const each = fits.filter(({ thing }) => isColumn(thing) === isOfColumns);
    const sureness = Math.max(0, ...each.map(({ sure }) => sure));
    const within = (gap: number): Thing[] =>
      each.filter(({ sure }) => sure >= sureness - gap).map(({ thing }) => thing);
    const things = within(TIE).toSorted((a, b) => rank(a) - rank(b));
    const near = isOfColumns ? within(NEAR).filter((thing) => !things.includes(thing)) : [];
    return things.length === 0 ? [] : [{ ...span, word: { is: "name", things, set: setOf(things) }, near, sureness }];
  });
}
