/**
 * Answers questions from the catalog: reads a question into plans, or lets a language model choose one; runs them as
 * whoever asks; and tells what was found, each sentence with the assets that it is about. Nothing that a model writes is shown.
 */
import type { ChangeType } from "../catalog/impact.ts";
import type { Clock, RandomBytes } from "../clock.ts";
import { type AgentAnswer, type AgentRequest, type Fact, MAX_CITATIONS, type SuggestedAction } from "./answer.ts";
import { CannotTell, changeOf, createLookup, type Lookup, type RunTool } from "./lookup.ts";
import type { Chooser } from "./choose-plan.ts";
import { idsIn, type Plan, type PlanOf, type Things } from "./plan.ts";
import { findReason } from "./decline.ts";
import { type Reading, readPlan } from "./read/read-plan.ts";
import { findCandidates } from "./names/find-candidates.ts";
import { dayOf, type Thing } from "./catalog.ts";
import { createFinder } from "./run/find.ts";
import { openScope } from "./scope.ts";
import { type Names, sayPlan } from "./tell/read-as.ts";
import { tellAspect, tellComparison } from "./tell/tell-aspects.ts";
import { findConnectors, tellConnectors } from "./tell/tell-connectors.ts";
import { tellCauses, tellImpact, tellPath } from "./tell/tell-lineage.ts";
import { tellCount, tellGroups, tellList, type Tools } from "./tell/tell-sets.ts";
import { tellWhether } from "./tell/tell-whether.ts";
import { cite, count, joinWords, list, listSome, MAX_NAMES, named, say, tick } from "./tell/words.ts";

const MOST_DECLINED = 0.1;
/** What a question with exact names comes to. */
const MOST_SURE = 0.97;
/** How sure a reading is if another asset has as good a name. */
const RIVALLED = 0.8;
/** How surely a model's plan is meant, and what lowers that. */
const CHOSEN = 0.92;
const DISAGREED = 0.85;
const LEFT_OUT = 0.7;
const EMPTY = 0.85;
/** Earlier questions that say what "it" means. */
const MAX_EARLIER = 3;
const NO_ANSWER = "The language model found that the catalog cannot answer this.";
const MAX_ACTIONS = 5;
const MAX_UNUSED = 3;
const CAN_ASK = "You can ask about owners, lineage, columns, checks, certifications, and what a change would break.";

const TELLERS: { [Tell in Plan["tell"]]: (plan: PlanOf<Tell>, tools: Tools) => Promise<Fact[]> } = {
  list: tellList,
  count: tellCount,
  whether: tellWhether,
  aspect: tellAspect,
  groups: tellGroups,
  path: tellPath,
  impact: tellImpact,
  causes: tellCauses,
  comparison: tellComparison,
  connectors: tellConnectors,
};

function tell(plan: Plan, tools: Tools): Promise<Fact[]> {
  return (TELLERS[plan.tell] as (plan: Plan, tools: Tools) => Promise<Fact[]>)(plan, tools);
}

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

export type Agent = ReturnType<typeof createAgent>;

export interface AgentParts {
  clock: Clock;
  random: RandomBytes;
  /** Lets a language model choose among what can be asked; null without one. */
  chooser: Chooser | null;
}

type By = Pick<AgentAnswer, "engine" | "note">;
type Told = Omit<AgentAnswer, "queryId" | keyof By>;

const BY_ITSELF: By = { engine: "catalog", note: null };

export function createAgent({ clock, random, chooser }: AgentParts) {
  async function answer({ query, context, conversation }: AgentRequest, asker: Asker): Promise<Told & By> {
    // Many look-ups are answered from one read, so each of them waits for a turn.
    const lookup = createLookup(async (operation, variables) => {
      await asker.nextTurn();
      return asker.runTool(operation, variables);
    });
    const scope = await openScope(context, lookup);
    const now = clock.now();
    const sources = { lookup, allows: scope.allows ?? (() => true), nextTurn: asker.nextTurn };
    let previous: Things | null = scope.ids.length === 0 ? null : { ids: scope.ids };
    let earlierThings: readonly Thing[] = [];
    for (const earlier of conversation.slice(-MAX_EARLIER)) {
      const before = await readPlan(earlier, { ...sources, previous });
      previous = before.about ?? previous;
      earlierThings = before.sighted.things;
    }
    const own = await readPlan(query, { ...sources, previous });
    const refusal = findReason(own.plainWords, true);
    const read = refusal === null ? own : { ...own, plans: [] };
    const { plans, ...by } = await choose();
    const answered = plans.length === 0 ? null : await run(plans, by.engine === "model").catch(declineUntold);
    return { ...(answered ?? (refusal === null ? unclear(own) : declined(refusal))), ...by };

    /** The model's plans if there is a model and it gives an answer, else the reader's. */
    async function choose(): Promise<{ plans: readonly Plan[] } & By> {
      if (chooser === null) return { ...BY_ITSELF, plans: read.plans };
      const earlier = conversation.at(-1) ?? "";
      const known = [...own.named, ...(await lookup.load(previous?.ids ?? []))];
      const sighted = { ...own.sighted, things: [...own.sighted.things, ...earlierThings] };
      const candidates = await findCandidates(`${query} ${earlier}`, sighted, known, lookup);
      const chosen = await chooser({ query, conversation, today: dayOf(now), candidates, signal: asker.signal });
      if ("note" in chosen) return { ...BY_ITSELF, plans: read.plans, note: chosen.note };
      return { plans: chosen.plans, engine: "model", note: chosen.plans.length === 0 ? NO_ANSWER : null };
    }

    /** @returns null if the plans tell nothing */
    async function run(chosen: readonly Plan[], isModels: boolean): Promise<Told | null> {
      const finder = createFinder(lookup, scope.allows);
      const things = await lookup.load(idsIn([...chosen, ...read.plans]));
      const names: Names = new Map(things.map((thing) => [thing.id, thing]));
      const told = (await Promise.all(chosen.map((plan) => tell(plan, { lookup, finder, now, names })))).flat();
      if (told.every(({ text }) => text === "")) return null;
      const meant = await lookup.load(idsIn(chosen));
      const facts = isModels ? told : [...told, ...sayRivals(read)];
      // Each asset once, with the first thing that was told of it. The assets that a plan names come first.
      const all = [...meant.map(cite), ...facts.flatMap(({ about }) => about)];
      const citations = [...Map.groupBy(all, ({ assetId }) => assetId).values()].flatMap(([first]) => first ?? []);
      const uncited = `This is about at least ${count(citations.length)} assets, of which ${MAX_CITATIONS} are cited.`;
      const texts = [...facts.map(({ text }) => text), citations.length > MAX_CITATIONS ? uncited : ""];
      const actions = await suggest(chosen, meant, lookup);
      const readAs = sayPlans(chosen, names);
      const agreed = read.plans.length === 0 ? null : readAs === sayPlans(read.plans, names);
      const readSurely = MOST_SURE * read.sureness * (read.rivals.length > 0 ? RIVALLED : 1);
      const sure = isModels ? trustIn(chosen, agreed, own.named, citations.length > 0) : readSurely;
      return {
        answer: texts.filter(Boolean).join(" "),
        readAs,
        confidence: Math.round(sure * 100) / 100,
        citations: citations.slice(0, MAX_CITATIONS),
        suggestedActions: actions.filter(({ type }) => asker.mayWrite || type !== "trigger_sync").slice(0, MAX_ACTIONS),
      };
    }
  }

  return {
    /** @throws AppError `not_found` where the context names an asset that is not there */
    async ask(request: AgentRequest, asker: Asker): Promise<AgentAnswer> {
      const queryId = `qry_${random(16).toString("hex")}`;
      return { queryId, ...BY_ITSELF, ...(await answer(request, asker).catch(declineUntold)) };
    },
  };
}

/**
 * How surely a model's plan is what was meant: it is if the reader made the same, and less so if it leaves out a name of the
 * question, if the reader read something else, or if it finds nothing.
 * @param agreed whether the reader made the same plan; null if it made none
 * @param said assets that the question surely names
 */
function trustIn(plans: readonly Plan[], agreed: boolean | null, said: readonly Thing[], foundSome: boolean): number {
  if (agreed === true) return MOST_SURE;
  const json = JSON.stringify(plans).toLowerCase();
  const isAllUsed = said.every(({ id, name }) =>
    [id, JSON.stringify(name.toLowerCase())].some((it) => json.includes(it)),
  );
  return CHOSEN * (agreed === false ? DISAGREED : 1) * (isAllUsed ? 1 : LEFT_OUT) * (foundSome ? 1 : EMPTY);
}

function declined(why: string): Told {
  return { readAs: null, citations: [], suggestedActions: [], answer: why, confidence: MOST_DECLINED };
}

function declineUntold(error: unknown): Told {
  if (error instanceof CannotTell) return declined(error.message);
  throw error;
}

function sayPlans(plans: readonly Plan[], names: Names): string {
  return plans.map((plan) => sayPlan(plan, names)).join("; ");
}

function sayRivals({ rivals }: Reading): Fact[] {
  const full = rivals.slice(0, MAX_NAMES).map((thing) => named({ ...thing, name: thing.fqn }));
  return rivals.length === 0 ? [] : [say`${listSome(full, rivals.length)} could be meant as well.`];
}

/** Says why there is no answer, which words were not understood or names not found, and where to look instead if the question names an asset. */
function unclear({ unused, said, named: things, plainWords }: Reading): Told {
  const reason = findReason(plainWords, false);
  const words = (unused.length > 0 ? unused : said).slice(0, MAX_UNUSED).map(tick);
  const why = `I did not understand ${joinWords(words, "or") || "a word"} in this question, so I cannot answer it.`;
  if (reason !== null) return declined(`${reason} ${why}`);
  const known = [...new Set(things)].slice(0, MAX_UNUSED);
  if (known.length === 0) return declined(`${why} ${CAN_ASK}`);
  const [it, one] = known.length > 1 ? ["them", "one of them"] : ["it", "it"];
  const ask = `you can ask who owns ${it}, what feeds or uses ${it}, or what breaks if ${one} is dropped.`;
  return {
    ...declined(`${why} The catalog has ${list(known).text}: ${ask}`),
    citations: known.map(cite),
    suggestedActions: known.flatMap((thing) => suggestFor(thing)).slice(0, MAX_ACTIONS),
  };
}

/** Calls that go on from an answer. Each works as it stands: its ids are of nodes that were just read. */
async function suggest(plans: readonly Plan[], meant: readonly Thing[], lookup: Lookup): Promise<SuggestedAction[]> {
  const asked = plans.find((plan) => plan.tell === "connectors");
  if (asked !== undefined) {
    const { wanted } = await findConnectors(asked, lookup);
    return wanted.map(({ id }) => ({
      type: "trigger_sync",
      endpoint: `/connectors/${encodeURIComponent(id)}/sync`,
      params: {},
    }));
  }
  const impact = plans.find((plan) => plan.tell === "impact");
  return meant.slice(0, MAX_ACTIONS).flatMap((thing) => suggestFor(thing, impact?.change));
}

/** To look at what uses an asset, and before that at the asset, or at what a change of it affects. */
function suggestFor({ id, type }: Thing, change?: ChangeType): SuggestedAction[] {
  const [what, where] = type === "metric" ? (["metric", "/metrics"] as const) : (["asset", "/catalog/assets"] as const);
  const look: SuggestedAction = { type: `view_${what}`, endpoint: `${where}/${id}`, params: {} };
  const users: SuggestedAction = { type: "view_lineage", endpoint: "/lineage/downstream", params: { asset_id: id } };
  if (change === undefined) return [look, users];
  // REST has no change that takes an asset away: the nearest is one of its columns, if it has any.
  const params = { asset_id: id, change_type: changeOf(type, change === "asset_drop" ? "column_drop" : change) };
  return [{ type: "run_impact", endpoint: "/lineage/impact", params, changeType: changeOf(type, change) }, users];
}
