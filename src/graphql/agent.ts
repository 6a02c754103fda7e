/** Questions in plain language, answered from the catalog with citations. */
import { type AgentAnswer, type Citation, type Engine, MAX_CITATIONS, type SuggestedAction } from "../agent/answer.ts";
import { MAX_CONTEXT_ITEMS, MAX_CONVERSATION, MAX_QUERY_CHARACTERS, parseAgentRequest } from "../agent/answer.ts";
import { builder, listOf, objectType, queryField, typed, typedOrNull, wordsType } from "./builder.ts";
import { getPrincipal } from "./context.ts";
import { ChangeType } from "./enums.ts";

/** The cost of one question in a query: it searches and walks many times. */
const QUESTION_COST = 20_000;
/** The assumed length of a list in a query's cost. */
const ASSUMED_LENGTH = 20;

const AgentContext = builder.inputType("AgentContext", {
  description: "Limits what a question can be about. If several are given, all must hold.",
  fields: (t) => ({
    assetIds: t.stringList({
      description: `Ids of assets: only these assets, and those that lineage connects with them. At most ${MAX_CONTEXT_ITEMS}.`,
    }),
    tags: t.stringList({ description: `Only what has one of these tags. At most ${MAX_CONTEXT_ITEMS}.` }),
    workspaceArea: t.string({
      description: "A connector's name, or the first parts of a fully qualified name, such as `shop.marts`.",
    }),
  }),
});

const CitationType = objectType<Citation>("Citation", "An asset that the answer is based on.").with({
  assetId: typed("ID", "The asset's or metric's id."),
  assetName: typed("String", "Its name; a column's with its table's."),
  snippet: typed("String", "What the catalog says of it, as text."),
});

const ActionType = wordsType<SuggestedAction["type"]>("SuggestedActionType", "What can be done next.", {
  run_impact: "Assess what a change would affect.",
  view_asset: "Look at an asset.",
  view_lineage: "Walk the lineage.",
  view_metric: "Look at a metric.",
  trigger_sync: "Run a connector.",
});

const SuggestedActionType = objectType<SuggestedAction>(
  "SuggestedAction",
  "A REST call that continues from the answer. It can be sent unchanged.",
).with({
  type: typed(ActionType, "What it does."),
  endpoint: typed("String", "A path after `/api/v1`."),
  params: typed("JSONObject", "The parameters of the call: for GET in the query, for POST in the body."),
  changeType: typedOrNull(
    ChangeType,
    "Of `run_impact`: the change that was asked about. The call may name another, because REST has no `asset_drop`.",
  ),
});

const EngineType = wordsType<Engine>("AgentEngine", "Who read the question.", {
  catalog: "The agent itself.",
  model: "A language model, which chose a plan. It writes no part of the answer.",
});

const AgentAnswerType = objectType<AgentAnswer>("AgentAnswer", "What the agent found.").with({
  queryId: typed("ID", "The id of this answer, new each time."),
  answer: typed("String", "Plain text, with names in backticks."),
  readAs: typedOrNull(
    "String",
    "How the question was read, such as `dashboards without an owner`; null if it was declined.",
  ),
  confidence: typed(
    "Float",
    "How certain it is that the question means what `readAs` says, from 0 to 1. A question below 0.2 is declined.",
  ),
  citations: listOf(
    CitationType,
    `The assets that the claims are based on, each once, the most relevant first; at most ${MAX_CITATIONS}.`,
    ASSUMED_LENGTH,
  ),
  suggestedActions: typed(
    [SuggestedActionType],
    "What to do next, the likeliest first. Syncs are suggested only to those who may trigger them.",
  ),
  engine: typed(EngineType, "Who read the question."),
  note: typedOrNull("String", "Why the language model chose no plan; null if it chose one or was not asked."),
});

queryField("ask", "read", {
  type: AgentAnswerType,
  description:
    "Answers a question in plain language from the catalog. Declines a question that the catalog cannot answer.",
  args: builder.args((t) => ({
    query: t.string({ required: true, description: `The question, 1 to ${MAX_QUERY_CHARACTERS} characters.` }),
    context: t.field({ type: AgentContext, description: "What to narrow it to." }),
    conversation: t.stringList({
      description: `Earlier questions of the same conversation, the oldest first: what "it" and "those" refer to. At most ${MAX_CONVERSATION}.`,
    }),
  })),
  complexity: { field: QUESTION_COST, multiplier: 1 },
  resolve: (_root, args, context) =>
    context.services.agent.ask(parseAgentRequest(args), {
      signal: context.signal,
      nextTurn: context.nextTurn,
      mayWrite: getPrincipal(context).scopes.has("write"),
      runTool: (operation, variables) => context.runOperation(operation, variables, context),
    }),
});
