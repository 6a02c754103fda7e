/**
 * Answers questions from the catalog: reads a question into plans, or lets a language model choose one; runs them as
 * whoever asks; and tells what was found, each sentence with the assets that it is about. Nothing that a model writes is shown.
 */
import type { Clock, RandomBytes } from "../clock.ts";
import {
  type AgentAnswer,
  type AgentRequest,
  type Citation,
  type Fact,
  MAX_CITATIONS,
  type SuggestedAction,
} from "./answer.ts";
import { CannotTell, createLookup, type Lookup, type RunTool } from "./lookup.ts";
import type { Chooser } from "./choose-plan.ts";
import { only, type Plan } from "./plan.ts";
import { findReason, findRefusal } from "./read/decline.ts";
import { PREVIOUS } from "./read/grammar.ts";
import { type Reading, readPlan } from "./read/read-plan.ts";
import { createFinder, type Finder } from "./run/find.ts";
import { openScope } from "./scope.ts";
import { triggerSync, viewLineage, viewNode } from "./tell/actions.ts";
import { idsOf, sayPlan } from "./tell/read-as.ts";
import { tell } from "./tell/tell.ts";
import { impactAction } from "./tell/tell-lineage.ts";
import { citeAll, joinWords, listNames, say, tick } from "./tell/words.ts";

/** Below it nothing is claimed: the question is declined. */
const DECLINED = 0.2;
const MOST_DECLINED = 0.1;
/** What a plain question with exact names comes to, and how fast doubt lowers it. */
const MOST_SURE = 0.97;
const DOUBT = 0.55;
/** A reading that is less likely is no reading. */
const MAX_COST = 1.6;
/** A reading that is no less likely needs no second one. */
const SURE_COST = 0.3;
const MAX_ACTIONS = 5;
const MAX_UNKNOWN = 3;

export interface Asker {
  /** Resolves when the asker may go on: nobody's question keeps others waiting for longer than a step of it takes. */
  nextTurn: () => Promise<void>;
  /** Ends it all when the asker is gone. */
  signal: AbortSignal;
  /** Whether a sync may be suggested. */
  mayWrite: boolean;
  /** Looks something up as whoever asks. */
  runTool: RunTool;
}

export interface Agent {
  /** @throws AppError `not_found` where the context names an asset that is not there */
  ask(request: AgentRequest, asker: Asker): Promise<AgentAnswer>;
}

export interface AgentParts {
  clock: Clock;
  random: RandomBytes;
  /** Lets a language model choose among what can be asked; null without one. */
  chooser: Chooser | null;
}

export function createAgent({ clock, random, chooser }: AgentParts): Agent {
  async function answer({ query, context }: AgentRequest, asker: Asker): Promise<Omit<AgentAnswer, "queryId">> {
    const lookup = createLookup(asker.runTool);
    const scope = await openScope(context, lookup);
    const own = aboutContext(
      await readPlan(query, {
        lookup,
        allows: scope.allows,
        nextTurn: asker.nextTurn,
        today: clock.now().toISOString().slice(0, 10),
      }),
      scope.ids,
    );
    const refusal = findRefusal(own.plainWords);
    if (refusal !== null) return declined(refusal);
    // What the reader is sure of needs no model.
    const asksModel = chooser !== null && !isSure(own);
    const chosen = asksModel ? await chooser.choose({ query, own, signal: asker.signal }) : null;
    const reading = chosen !== null && "reading" in chosen ? chosen.reading : own;
    const from = {
      engine: reading === own ? "catalog" : "model",
      note: chosen !== null && "note" in chosen ? chosen.note : null,
    } as const;
    if (!isRead(reading)) return { ...unclear(reading), ...from };
    const finder = createFinder(lookup, scope.narrows ? scope.allows : null);
    const told = await tellAll(reading.plans, { lookup, finder });
    if (told.every(({ text }) => text === "")) return { ...unclear(reading), ...from };
    const facts = [...told, ...sayRivals(reading), ...sayUnread(reading)];
    const citations = citationsOf(facts);
    const uncited = citations.length > MAX_CITATIONS ? [sayCited(citations.length)] : [];
    const actions = await suggest(reading.plans, lookup);
    return {
      answer: [...facts.map(({ text }) => text), ...uncited].filter(Boolean).join(" "),
      readAs: await sayPlans(reading.plans, lookup),
      confidence: sureness(reading),
      citations: citations.slice(0, MAX_CITATIONS),
      suggestedActions: actions.filter(({ type }) => asker.mayWrite || type !== "trigger_sync").slice(0, MAX_ACTIONS),
      ...from,
    };
  }

  return {
    async ask(request, asker) {
      const queryId = `qry_${random(16).toString("hex")}`;
      try {
        return { queryId, ...(await answer(request, asker)) };
      } catch (error) {
        if (error instanceof CannotTell) return { queryId, ...declined(error.message) };
        throw error;
      }
    },
  };
}

function declined(why: string): Omit<AgentAnswer, "queryId"> {
  return {
    answer: why,
    readAs: null,
    confidence: MOST_DECLINED,
    citations: [],
    suggestedActions: [],
    engine: "catalog",
    note: null,
  };
}

/** "this" and "it", where nothing before it says what, is what the context names. */
function aboutContext(reading: Reading, ids: readonly string[]): Reading {
  if (ids.length === 0) return reading;
  const inContext = (plan: Plan): Plan => {
    if (!("find" in plan) || plan.find.ids !== undefined || plan.find.types?.join() !== "column") return plan;
    return { ...plan, find: only(plan.find, { is: "along", along: { way: "columns", of: { ids: [...ids] } } }) };
  };
  const resolved = JSON.parse(
    JSON.stringify(reading.plans).replaceAll(`"${PREVIOUS}"`, ids.map((id) => JSON.stringify(id)).join(",")),
  ) as Plan[];
  return { ...reading, plans: resolved.map(inContext) };
}

function isRead({ plans, cost, unplaced }: Reading): boolean {
  return plans.length > 0 && cost <= MAX_COST && unplaced.length === 0 && !JSON.stringify(plans).includes(PREVIOUS);
}

function isSure(reading: Reading): boolean {
  return isRead(reading) && reading.unread === "" && reading.cost <= SURE_COST;
}

function sureness({ cost }: Reading): number {
  return Math.round(Math.max(DECLINED, MOST_SURE * Math.exp(-DOUBT * Math.max(0, cost))) * 100) / 100;
}

async function tellAll(plans: readonly Plan[], tools: { lookup: Lookup; finder: Finder }): Promise<Fact[]> {
  const names = new Map((await tools.lookup.load(idsOf(plans))).map((thing) => [thing.id, thing]));
  const told = await Promise.all(plans.map((plan) => tell(plan, { ...tools, names })));
  return told.flat();
}

async function sayPlans(plans: readonly Plan[], lookup: Lookup): Promise<string> {
  const names = new Map((await lookup.load(idsOf(plans))).map((thing) => [thing.id, thing]));
  return plans.map((plan) => sayPlan(plan, names)).join("; ");
}

function sayRivals({ rivals }: Reading): Fact[] {
  if (rivals.length === 0) return [];
  return [say(`${listNames(rivals.map((thing) => ({ ...thing, name: thing.fqn })))} could be meant as well.`)];
}

function sayUnread({ unread }: Reading): Fact[] {
  return unread === ""
    ? []
    : [
        {
          text: `I could not read “${unread.replaceAll(/["“”]/g, "'").slice(0, 200)}”, so that is not answered.`,
          about: [],
        },
      ];
}

/** Says why there is no answer, and where to look instead if the question names an asset. */
function unclear({ unknown, unplaced, named: things, plainWords }: Reading): Omit<AgentAnswer, "queryId"> {
  const reason = findReason(plainWords);
  if (reason !== null) return declined(reason);
  const words = unknown.slice(0, MAX_UNKNOWN).map((word) => tick(word, 100));
  const why =
    words.length > 0
      ? `I do not know what ${joinWords(words, "or")} means in this catalog, so I cannot answer that.`
      : unplaced.length > 0
        ? "I know these words, but not what they ask for together."
        : "I am not sure enough of what is asked for to answer.";
  const known = [...new Map(things.map((thing) => [thing.id, thing])).values()].slice(0, MAX_UNKNOWN);
  if (known.length === 0) return declined(why);
  return {
    ...declined(
      `${why} The catalog has ${listNames(known)}: you can look at ${known.length > 1 ? "them and their" : "it and its"} lineage.`,
    ),
    citations: citeAll(known),
    suggestedActions: known
      .flatMap((thing) => [viewNode(thing), viewLineage(thing, "downstream")])
      .slice(0, MAX_ACTIONS),
  };
}

/** Each asset once, with the first thing that was told of it, the most relevant first. */
function citationsOf(facts: readonly Fact[]): Citation[] {
  const byId = new Map<string, Citation>();
  for (const citation of facts.flatMap(({ about }) => about)) {
    if (!byId.has(citation.assetId)) byId.set(citation.assetId, citation);
  }
  return [...byId.values()];
}

function sayCited(amount: number): string {
  return `This is about at least ${amount.toLocaleString("en-US")} assets, of which ${MAX_CITATIONS} are cited.`;
}

async function suggest(plans: readonly Plan[], lookup: Lookup): Promise<SuggestedAction[]> {
  if (plans.some(({ tell: what }) => what === "connectors"))
    return (await lookup.connectors()).items.map(({ id }) => triggerSync(id));
  const things = (await lookup.load(idsOf(plans))).slice(0, MAX_ACTIONS);
  const impact = plans.find((plan) => plan.tell === "impact");
  return things.flatMap((thing) => {
    const first = impact === undefined ? viewNode(thing) : impactAction(thing, impact.change);
    return [first, viewLineage(thing, "downstream")];
  });
}
