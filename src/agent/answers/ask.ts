/** What an answer is worked out from, and what it comes to. */
import type { CatalogNode } from "../../catalog/asset.ts";
import { fold } from "../../catalog/text.ts";
import type { Fact, SuggestedAction } from "../answer.ts";
import type { AgentCatalog } from "../catalog.ts";
import type { Scope } from "../find/scope.ts";
import type { Question } from "../understand/question.ts";

export interface Ask {
  /** One clause of what was asked. */
  question: Question;
  /** What the question names, in its order. */
  subjects: readonly CatalogNode[];
  /** What has most of the question's words, the best first. */
  related: readonly CatalogNode[];
  catalog: AgentCatalog;
  scope: Scope;
}

interface Reply {
  /** In the order in which they are told. */
  facts: Fact[];
  /** What to do next, the likeliest first. */
  actions: SuggestedAction[];
}

/** Null where the catalog holds nothing to answer with. */
export type Answerer = (ask: Ask) => Promise<Reply | null>;

export function valueOf(question: Question, kind: "owner" | "tag" | "connector"): string | undefined {
  return question.values.find((value) => value.kind === kind)?.value;
}

/** Whether a node is owned by what a question calls an owner: an e-mail address, folded, or a name. */
export function isOwnedBy(node: CatalogNode, owner: string): boolean {
  return fold(node.owner) === owner || (node.owner === "" && node.ownerName === owner);
}
