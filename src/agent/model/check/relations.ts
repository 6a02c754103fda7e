/** Claims that one thing feeds another, in whichever words, and that a column is in a table. */
import type { CatalogNode } from "../../../catalog/asset.ts";
import { type Claim, type Clause, findMatches, type Match, objectsAfter, subjectsAt } from "./clause.ts";
import type { Ground } from "./ground.ts";

const HOW = "(?:(?:not|directly|indirectly|also|ultimately|eventually|mainly|then|both) )*";
const KIND = "(?:direct |immediate |indirect |upstream |downstream )*";
const IS = `(?:(?:is|are) )?${HOW}`;
const MADE =
  "built|made|derived|computed|calculated|fed|powered|sourced|loaded|materiali[sz]ed|populated|created|produced|measured|drawn|defined|based";

/** What is said of a subject that its objects are made from. */
const DOWNSTREAM = [
  `${HOW}(?:feeds?|powers?|materiali[sz]es?|defines?|supplies|supply|populates?|flows? (?:in)?to|goes into)`,
  `${IS}(?:used|read|consumed|referenced|queried|exported|shown) ${HOW}(?:by|in|on)`,
  `(?:is|are) ${HOW}(?:(?:a|an|the|one of the) )?${KIND}(?:sources?|inputs?|parents?|dependency|dependencies) (?:of|for|to)`,
  `(?:is|are) ${HOW}upstream (?:of|from)`,
].join("|");

/** What is said of a subject that is made from its objects. */
const UPSTREAM = [
  `${HOW}(?:depends?|relies|rely|draws?|builds?) ${HOW}(?:up)?(?:on|from)`,
  `${HOW}(?:comes?|derives?) ${HOW}from`,
  `${HOW}(?:reads?|uses?|consumes?|queries|shows?|displays?|exports?|measures?)(?: from| data from)?`,
  `${IS}(?:${MADE}) ${HOW}(?:from|by|on|out of)`,
  `(?:is|are) ${HOW}downstream (?:of|from)`,
].join("|");

const ARE = "(?: (?:is|are|include|includes))?";
const SOURCES = `${KIND}(?:sources?|inputs?|parents?|dependencies|upstream)`;
const CONSUMERS = `${KIND}(?:consumers?|dependents?|users?|children|downstream)`;

interface Relation {
  match: Match;
  feeds: "subject" | "object";
}

/** Claims that the graph can tell; [] where nothing is said of how things feed each other. */
export async function checkRelations(clause: Clause, ground: Ground): Promise<Claim[]> {
  const verbs: Relation[] = [
    ...findMatches(new RegExp(DOWNSTREAM), clause).map((match) => ({ match, feeds: "subject" as const })),
    ...findMatches(new RegExp(UPSTREAM), clause).map((match) => ({ match, feeds: "object" as const })),
  ];
  const nouns: Relation[] = [
    ...findMatches(new RegExp(`${SOURCES}(?: assets?)?(?<of> (?:of|for|from) N)?${ARE}`), clause).map((match) => ({
      match,
      feeds: "object" as const,
    })),
    ...findMatches(new RegExp(`${CONSUMERS}(?: assets?)?(?<of> (?:of|for|from) N)?${ARE}`), clause).map((match) => ({
      match,
      feeds: "subject" as const,
    })),
  ];
  const taken = (match: Match): boolean => verbs.some(({ match: { from, to } }) => match.from < to && match.to > from);
  const told = [...verbs, ...nouns.filter(({ match }) => !taken(match))];
  const claims = await Promise.all(told.map((relation) => checkRelation(relation, clause, ground)));
  return [...claims.flat(), ...(await checkWay(clause, ground))];
}

async function checkRelation({ match, feeds }: Relation, clause: Clause, ground: Ground): Promise<Claim[]> {
  const inside = match.groups["of"] === undefined ? null : clause.nodes.slice(match.from, match.to).findIndex(Boolean);
  const subjects = inside === null ? subjectsAt(clause, match.from) : pickOne(clause, match.from + inside);
  const objects = objectsAfter(clause, match.to);
  if (subjects.nodes.length === 0 || objects.nodes.length === 0) return [];
  const denied = /\bnot\b/.test(match.text);
  const direct = /\b(?:directly|direct|immediate)\b/.test(`${match.text} ${clause.parts[match.to]?.word ?? ""}`);
  const indirect = !direct && /\bindirect(?:ly)?\b/.test(match.text);
  const from = denied ? startOfDenial(clause, match.from) : match.from;
  const pairs = subjects.nodes.flatMap((subject) => objects.nodes.map((object) => [subject, object] as const));
  return Promise.all(
    pairs.map(async ([subject, object]) => {
      const [source, target] = feeds === "subject" ? [subject, object] : [object, subject];
      const hops = await ground.distance(source, target);
      const known = denied ? hops === null && (await ground.knowsAll(source)) : isNear(hops, { direct, indirect });
      const holds = known && (!saysAll(match, clause) || (await areAll(subject, objects.nodes, feeds, ground)));
      const edge = { source: source.id, target: target.id };
      return { holds, edge, from, to: match.to, also: [...subjects.parts, ...objects.parts] };
    }),
  );
}

function isNear(hops: number | null, { direct, indirect }: { direct: boolean; indirect: boolean }): boolean {
  return hops !== null && (!direct || hops === 1) && (!indirect || hops > 1);
}

/** "The sources of `a` are": whoever reads that takes what follows for all of them. */
function saysAll({ text, from }: Match, { parts }: Clause): boolean {
  return / (?:is|are)$/.test(text) && /\b(?:of|for|from) N\b/.test(text) && parts[from - 1]?.word === "the";
}

async function areAll(
  of: CatalogNode,
  named: readonly CatalogNode[],
  feeds: Relation["feeds"],
  ground: Ground,
): Promise<boolean> {
  const direction = feeds === "subject" ? "downstream" : "upstream";
  const counted = await ground.countAround(of, direction, { types: null, certification: null });
  return counted !== null && (counted.direct === named.length || counted.all === named.length);
}

function pickOne(clause: Clause, i: number): { nodes: CatalogNode[]; parts: number[] } {
  const node = clause.nodes[i] ?? null;
  return { nodes: node === null ? [] : [node], parts: [i] };
}

function startOfDenial({ parts }: Clause, from: number): number {
  return /^(?:do|does)$/.test(parts[from - 1]?.word ?? "") ? from - 1 : from;
}

/** "`a` → `b`": each feeds the next directly. */
async function checkWay(clause: Clause, ground: Ground): Promise<Claim[]> {
  const steps = clause.parts.flatMap(({ word }, i) => (word === "→" ? [i] : []));
  return Promise.all(
    steps.map(async (i) => {
      const [from, to] = [clause.nodes[i - 1], clause.nodes[i + 1]];
      const holds = from != null && to != null && (await ground.distance(from, to)) === 1;
      return { holds, from: i - 1, to: i + 2 };
    }),
  );
}

/** "has the columns `a` and `b`", "`a` is a column of `t`". */
export function checkColumns(clause: Clause): Claim[] {
  const has = findMatches(
    /(?:has|have|contains?|includes?) (?:the |a |# )*(?:columns?|fields?)(?: named| called)?/,
    clause,
  );
  const isIn = findMatches(/(?:is|are) (?:a |the )?(?:columns?|fields?) (?:of|in|from)/, clause);
  return [
    ...has.map((match) => ({ match, ofSubject: true })),
    ...isIn.map((match) => ({ match, ofSubject: false })),
  ].flatMap(({ match, ofSubject }) => {
    const subjects = subjectsAt(clause, match.from);
    const objects = objectsAfter(clause, match.to);
    const [tables, columns] = ofSubject ? [subjects, objects] : [objects, subjects];
    if (tables.nodes.length === 0 || columns.nodes.length === 0) return [];
    const holds = columns.nodes.every(({ parentId }) => tables.nodes.every(({ id }) => id === parentId));
    // How many there are is another claim: the number stays with it.
    const to = /#/.test(match.text) ? match.from + 1 : match.to;
    return [{ holds, from: match.from, to, also: [...subjects.parts, ...objects.parts] }];
  });
}
