/**
 * Answers questions from the catalog alone, without a language model: reads the question, finds what it names, asks the
 * graph, and tells what was found, each sentence with the assets that it stands on. Where there is a model, it may put
 * that into other words, and look further.
 */
import type { RandomBytes } from "../clock.ts";
import type { CatalogGraph } from "../graph/catalog-graph.ts";
import { type Caller, THE_SERVICE } from "../work/caller.ts";
import {
  type AgentAnswer,
  type AgentRequest,
  type Citation,
  type Fact,
  MAX_CITATIONS,
  type SuggestedAction,
} from "./answer.ts";
import { viewNode } from "./answers/actions.ts";
import { ANSWERERS } from "./answers/answers.ts";
import { sayColumnTaken } from "./answers/columns.ts";
import { sayAlso } from "./answers/lineage.ts";
import { cite, joinWords, listNames, profile, tick } from "./answers/words.ts";
import { type AgentCatalog, type AgentStores, createAgentCatalog } from "./catalog.ts";
import { DECLINED, judge, judgeDeclined } from "./confidence.ts";
import type { RunTool } from "./model/tools.ts";
import type { Writer, Written } from "./model/writer.ts";
import { type Understanding, understand } from "./understand.ts";

/** Words that a refusal repeats. */
const MAX_UNKNOWN = 3;
/** Characters of each. */
const MAX_WORD = 100;
const MAX_ACTIONS = 5;
/** Less of a question than this understood, and it is declined. */
const MIN_SHARE = 0.5;
/** Where nothing says what is asked of a thing but that it is named, the words that are not understood may say it. */
const MIN_SHARE_OF_WHAT = 0.7;

interface Asker {
  workspace: string;
  /** In whose name the graph is asked. */
  caller?: Caller;
  /** Resolves when the caller may go on: nobody's question keeps others waiting for longer than a step of it takes. */
  nextTurn?: () => Promise<void>;
  /** Whether a sync may be suggested. */
  mayWrite: boolean;
  /** Looks something up as whoever asks, for a model; where it cannot, no model is asked. */
  runTool?: RunTool;
}

export interface Agent {
  /** @throws AppError `bad_request` where the context names what is not there */
  ask(request: AgentRequest, asker: Asker): Promise<AgentAnswer>;
}

/** @param writer null: the agent answers without a language model */
export function createAgent({
  random,
  writer = null,
  graph,
  ...stores
}: AgentStores & { graph: CatalogGraph; random: RandomBytes; writer?: Writer | null }): Agent {
  return {
    async ask(request, { workspace, caller = THE_SERVICE, nextTurn, mayWrite, runTool }) {
      const share = { ...(nextTurn && { nextTurn }), ...(caller.charge && { charge: caller.charge }) };
      const catalog = createAgentCatalog({ ...stores, graph: graph.readerFor(caller) }, workspace, share);
      const understood = await understand(request, catalog);
      const draft = (await reply(understood, catalog)) ?? decline(understood);
      // What no catalog can answer, no model is asked.
      const written: Written =
        writer === null || runTool === undefined || understood.refusal !== null
          ? { note: null }
          : await writer.write({ request, understood, draft, catalog, runTool });
      const answer = "answer" in written ? written.answer : draft;
      const allowed = answer.actions.filter(({ type }) => mayWrite || type !== "trigger_sync");
      const citations = citationsOf(answer.facts);
      const uncited = citations.length > MAX_CITATIONS ? [sayCited(citations.length)] : [];
      return {
        queryId: `qry_${random(16).toString("hex")}`,
        answer: [...answer.facts.map(({ text }) => text), ...uncited].join(" "),
        confidence: answer.confidence,
        citations: citations.slice(0, MAX_CITATIONS),
        suggestedActions: unique(allowed).slice(0, MAX_ACTIONS),
        engine: "answer" in written ? "model" : "catalog",
        note: "note" in written ? written.note : null,
      };
    },
  };
}

interface Told {
  facts: Fact[];
  actions: SuggestedAction[];
  confidence: number;
}

/** Null where nothing can be told that the question asks for. */
async function reply(understood: Understanding, catalog: AgentCatalog): Promise<Told | null> {
  const { asked, scope, refusal, contentCount, usedCount, isClear } = understood;
  const confidence = judge(understood.sureness, usedCount, contentCount);
  const onlyNames = !isClear && asked.every(({ intent }) => intent === "what");
  const minShare = onlyNames ? MIN_SHARE_OF_WHAT : MIN_SHARE;
  if (refusal !== null || confidence < DECLINED || usedCount < contentCount * minShare) return null;
  const found = await Promise.all(
    asked.map(({ intent, clause, subjects }) =>
      ANSWERERS[intent]({ question: clause, subjects, related: understood.related, catalog, scope }),
    ),
  );
  const replies = found.flatMap((each, i) => {
    const intent = asked[i]?.intent;
    if (each === null || intent === undefined) return [];
    return [{ ...each, facts: each.facts.map((fact) => ({ ...fact, answers: intent })) }];
  });
  if (replies.length === 0) return null;
  const also = understood.rivals.length === 0 ? [] : [sayAlso(understood.rivals)];
  const taken = await Promise.all(
    asked.map(({ intent, clause, subjects }) =>
      intent === "where" ? null : sayColumnTaken(clause, subjects, understood.scope, catalog),
    ),
  );
  return {
    facts: [
      ...replies.flatMap(({ facts }) => facts),
      ...taken.filter((fact) => fact !== null),
      ...also,
      ...understood.cuts.map((text) => ({ text, about: [] })),
    ],
    actions: replies.flatMap(({ actions }) => actions),
    confidence,
  };
}

/** Says why there is no answer, and offers what is truly near. */
function decline({ refusal, unknown, nearest, cuts }: Understanding): Told {
  const words = unknown.slice(0, MAX_UNKNOWN).map((word) => tick(word, MAX_WORD));
  const why =
    refusal ??
    (words.length > 0
      ? `I found nothing in this catalog about ${joinWords(words, "or")}, so I cannot answer that.`
      : "I cannot tell from this catalog what is asked for.");
  const near = nearest.map(({ node }) => cite(node, profile(node)));
  const offer: Fact[] =
    near.length === 0
      ? []
      : [{ text: `The nearest that there is: ${listNames(nearest.map(({ node }) => node))}.`, about: near }];
  return {
    facts: [{ text: why, about: [] }, ...offer, ...cuts.map((text) => ({ text, about: [] }))],
    actions: nearest.map(({ node }) => viewNode(node)),
    confidence: judgeDeclined(nearest[0]?.sureness ?? 0),
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
  return `Cited are ${MAX_CITATIONS} of the at least ${amount.toLocaleString("en-US")} assets that this is about.`;
}

function unique(actions: readonly SuggestedAction[]): SuggestedAction[] {
  return [...new Map(actions.map((action) => [JSON.stringify(action), action])).values()];
}
