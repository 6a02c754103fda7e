/** Whether what is left of a model's text answers what was asked, and not something else that is true. */
import type { CatalogNode } from "../../catalog/asset.ts";
import type { Fact } from "../answer.ts";
import type { Understanding } from "../understand.ts";
import type { Intent } from "../understand/intent.ts";
import type { Checked, Confirmed } from "./check/check.ts";

type Told = Extract<NonNullable<Confirmed["shows"]>, string>;
type Asked = Understanding["asked"][number];
type Kept = Checked["kept"][number];

/** What must be told for an answer; null where anything about the subject will do. What the agent told for it always does. */
const ANSWERING: Readonly<Record<Intent, readonly Told[] | null>> = {
  path: ["edge"],
  compare: null,
  uses: ["edge"],
  impact: ["edge", "count"],
  count: ["count"],
  freshness: [],
  certification: ["certification"],
  owner: ["owner"],
  owned: ["owner"],
  columns: ["column", "count"],
  definition: ["formula", "edge", "description", "text"],
  upstream: ["edge", "count"],
  downstream: ["edge", "count"],
  list: null,
  where: ["column", "description", "text"],
  find: null,
  what: null,
};
/** Each subject must be told of, not one of them. */
const OF_EACH: ReadonlySet<Intent> = new Set(["compare", "path", "uses", "owner", "certification", "definition"]);
/** Asks for all there are: some of them, and no word that there are more, would be taken for all. */
const OF_ALL: ReadonlySet<Intent> = new Set(["list", "owned"]);

export function answersAll(asked: readonly Asked[], kept: readonly Kept[], facts: readonly Fact[]): boolean {
  return asked.every((each) => answers(each, kept, facts));
}

function answers({ intent, subjects }: Asked, kept: readonly Kept[], facts: readonly Fact[]): boolean {
  const fit = kept.filter(({ claims }) => claims.some((claim) => doesAnswer(claim, intent, subjects)));
  if (fit.length === 0) return false;
  const told = new Set(fit.flatMap(idsOf));
  if (OF_ALL.has(intent) && !fit.some(({ claims }) => claims.some(({ shows }) => shows === "count"))) {
    return facts.every((fact) => fact.answers !== intent || fact.about.every(({ assetId }) => told.has(assetId)));
  }
  const isTold = ({ id }: CatalogNode): boolean => told.has(id);
  return subjects.length === 0 || (OF_EACH.has(intent) ? subjects.every(isTold) : subjects.some(isTold));
}

function doesAnswer({ shows, edge }: Confirmed, intent: Intent, subjects: readonly CatalogNode[]): boolean {
  if (shows === null) return false;
  if (typeof shows === "object") return shows.answers === intent;
  const wanted = ANSWERING[intent];
  if (wanted === null) return true;
  if (!wanted.includes(shows)) return false;
  // What something is made from is no answer to what is made from it.
  const isOne = (id: string): boolean => subjects.length === 0 || subjects.some((subject) => subject.id === id);
  if (edge === undefined) return true;
  if (intent === "upstream" || intent === "definition") return isOne(edge.target);
  return intent === "downstream" || intent === "impact" ? isOne(edge.source) : true;
}

/** Whom a sentence is about: those it names, and whom "it" means in what it says of what feeds what. */
function idsOf({ nodes, claims }: Kept): string[] {
  const ends = claims.flatMap(({ edge }) => (edge === undefined ? [] : [edge.source, edge.target]));
  return [...nodes.map(({ id }) => id), ...ends];
}
