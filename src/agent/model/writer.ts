/**
 * Lets a language model put an answer into words, from what the agent found and what it looks up itself, and keeps of it
 * what the graph confirms. Where that is little, there is none, and the agent's own answer stands.
 */
import type { Logger } from "pino";

import type { CatalogNode } from "../../catalog/asset.ts";
import type { RandomBytes } from "../../clock.ts";
import { AppError } from "../../errors.ts";
import type { AgentRequest, Fact, SuggestedAction } from "../answer.ts";
import { viewNode } from "../answers/actions.ts";
import { cite, profile, quote } from "../answers/words.ts";
import type { AgentCatalog } from "../catalog.ts";
import { DECLINED, judge } from "../confidence.ts";
import type { Understanding } from "../understand.ts";
import { type Checked, checkText } from "./check/check.ts";
import { wordsOf } from "./check/prose.ts";
import { cutParts } from "./check/parts.ts";
import { type LanguageModel, ModelFailure } from "./language-model.ts";
import { writeSystem, writeUser } from "./prompt.ts";
import { answersAll } from "./relevance.ts";
import { idsIn, type RunTool, type Tool, TOOLS, trimResult } from "./tools.ts";

/** Less of what a text claims than this confirmed, and none of it is used. */
const MIN_CONFIRMED = 0.6;
/** How surely a subject is meant that the model found, and the agent did not. */
const FOUND_BY_MODEL = 0.6;
/** Questions that may wait for the model at one time; it costs more than the whole of the rest. */
const MAX_AT_ONCE = 8;
const BESIDE = "What the language model wrote does not answer the question.";
const MAX_KNOWN = 500;
const MAX_ACTIONS = 3;
/** Look-ups for one question: one step of a model may ask for any number of them. */
const MAX_CALLS = 32;

/** What the agent answers without the model. */
interface Draft {
  facts: readonly Fact[];
  actions: SuggestedAction[];
  confidence: number;
}

interface Asked {
  request: AgentRequest;
  understood: Understanding;
  draft: Draft;
  catalog: AgentCatalog;
  runTool: RunTool;
}

/** What the model's text came to; or why there is none, as a sentence, null where it was not asked. */
export type Written = { answer: Draft & { facts: Fact[] } } | { note: string | null };

export interface Writer {
  /** Never takes longer than the timeout, and never fails. */
  write(asked: Asked): Promise<Written>;
}

export interface WriterParts {
  model: LanguageModel;
  /** Gives a signal that comes after so many milliseconds. */
  deadline: (ms: number) => AbortSignal;
  timeoutMs: number;
  random: RandomBytes;
  log: Logger;
}

export function createWriter({ model, deadline, timeoutMs, random, log }: WriterParts): Writer {
  let waiting = 0;
  const write = async (asked: Asked, signal: AbortSignal): Promise<Written> => {
    const mark = `<<${random(8).toString("hex")}>>`;
    const known = new Set([
      ...asked.understood.asked.flatMap(({ subjects }) => subjects.map(({ id }) => id)),
      ...asked.draft.facts.flatMap(({ about }) => about.map(({ assetId }) => assetId)),
    ]);
    const nodes = await loadKnown(known, asked.catalog);
    let calls = 0;
    const text = await model.write({
      system: writeSystem(mark),
      user: writeUser({ query: asked.request.query, facts: asked.draft.facts, nodes }, mark),
      tools: TOOLS,
      callTool: async (tool, input) => {
        calls += 1;
        const answer =
          calls > MAX_CALLS
            ? { error: "No more may be looked up for this question." }
            : await callTool(asked.runTool, tool, input, log);
        for (const id of idsIn(answer)) known.add(id);
        return JSON.stringify({ data: trimResult(answer) });
      },
      signal,
    });
    const { scope } = asked.understood;
    const found = await loadKnown(known, asked.catalog);
    const against = { catalog: asked.catalog, scope, known: found, facts: asked.draft.facts, signal };
    return toAnswer(await checkText(text, against), asked);
  };
  return {
    async write(asked) {
      if (waiting >= MAX_AT_ONCE) return { note: "Too many questions wait for the language model." };
      waiting += 1;
      const signal = deadline(timeoutMs);
      try {
        return await Promise.race([write(asked, signal), rejectAt(signal)]);
      } catch (error) {
        if (error instanceof ModelFailure) {
          log.warn({ reason: error.message }, "a question was answered without the language model");
          return { note: error.message };
        }
        log.error({ err: error }, "unexpected error beside the language model");
        return { note: "The language model could not be used." };
      } finally {
        waiting -= 1;
      }
    },
  };
}

function rejectAt(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const give = (): void => reject(new ModelFailure("The language model did not answer in time."));
    if (signal.aborted) give();
    else signal.addEventListener("abort", give, { once: true });
  });
}

async function loadKnown(ids: ReadonlySet<string>, catalog: AgentCatalog): Promise<CatalogNode[]> {
  const nodes = await catalog.load([...ids].slice(0, MAX_KNOWN));
  return nodes.filter((node) => node !== null);
}

/** What the operation answered, or why it was refused: the model may ask otherwise. */
async function callTool(
  run: RunTool,
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  log: Logger,
): Promise<unknown> {
  try {
    return await run(tool.operation, input);
  } catch (error) {
    if (error instanceof AppError) return { error: error.message };
    // Its message is none of the endpoint's business: it may hold the address of a store.
    log.error({ err: error }, "a language model's look-up failed");
    return { error: "This could not be looked up." };
  }
}

function toAnswer({ kept, claims, confirmed }: Checked, { understood, draft }: Asked): Written {
  const nodes = [...new Map(kept.flatMap((it) => it.nodes).map((node) => [node.id, node])).values()];
  const subjects = understood.asked.flatMap((it) => it.subjects);
  if (claims === 0 || confirmed / claims < MIN_CONFIRMED || nodes.length === 0) {
    return { note: "Too little of what the language model wrote could be confirmed." };
  }
  if (!answersAll(understood.asked, kept, draft.facts)) return { note: BESIDE };
  const sureness = subjects.length > 0 ? understood.sureness : [FOUND_BY_MODEL];
  const used = understood.usedCount + countExplained(understood.unknown, nodes);
  const confidence = judge(
    sureness,
    Math.min(used, understood.contentCount),
    understood.contentCount,
    confirmed / claims,
  );
  if (confidence < DECLINED) return { note: BESIDE };
  const citations = new Map(draft.facts.flatMap(({ about }) => about).map((it) => [it.assetId, it]));
  const facts = kept.map((sentence) => ({
    text: sayAsQuoted(sentence),
    about: sentence.nodes.map((node) => citations.get(node.id) ?? cite(node, profile(node))),
  }));
  const actions = draft.confidence < DECLINED ? nodes.slice(0, MAX_ACTIONS).map(viewNode) : draft.actions;
  return { answer: { facts, actions, confidence } };
}

/** Who repeats a description says so: people wrote it, and it may hold anything. */
function sayAsQuoted({ text, claims }: Checked["kept"][number]): string {
  const isTheirs = claims.some(({ shows }) => shows === "description");
  if (!isTheirs || /^[^“”"]* (?:is|are) described as:? [“"][^“”"]*[”"]\.?$/.test(text)) return text;
  return `In the catalog's words: ${quote(text, text.length)}.`;
}

/** How many of the question's words that the agent found nothing for stand in what the answer is about. */
function countExplained(unknown: readonly string[], nodes: readonly CatalogNode[]): number {
  const said = new Set(
    nodes.flatMap((node) =>
      wordsOf(
        cutParts([node.name.replaceAll("_", " "), node.metric?.displayName, node.description, ...node.tags].join(" ")),
      ),
    ),
  );
  return unknown.filter((word) => wordsOf(cutParts(word)).every((each) => said.has(each))).length;
}
