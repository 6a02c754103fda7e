/** Claims of how many there are, around something or in the workspace, and how many hops lie between two. */
import { type CatalogNode, NODE_TYPES } from "../../../catalog/asset.ts";
import type { Direction } from "../../../catalog/edge.ts";
import { fold } from "../../../catalog/text.ts";
import { typesOf } from "../../understand/vocabulary.ts";
import { type Claim, type Clause, findMatches, type Match, objectsAfter, subjectsAt } from "./clause.ts";
import type { Ground, Kind } from "./ground.ts";
import { TYPE_WORD } from "./standing.ts";

const SOURCES = /\b(?:sources?|inputs?|parents?|dependencies|upstreams?)$/;
const CONSUMERS = /\b(?:consumers?|dependents?|users?|children|downstreams?)$/;
const NOUN = `(?:assets?|${TYPE_WORD}|sources?|inputs?|parents?|dependencies|consumers?|dependents?|users?|children)`;
const LIKE = "(?:direct|directly|indirect|certified|pending|deprecated|upstream|downstream|other|different|distinct)";
const COUNT = new RegExp(`# (?:${LIKE} )*${NOUN}`);

const HOW = "(?:(?:directly|indirectly|ultimately) )?";
const GIVES = new RegExp(
  String.raw`\b${HOW}(?:feeds?|powers?|supplies|supply|(?:used|read|consumed|shown) ${HOW}(?:by|in|on)|upstream of)\b`,
);
const TAKES = new RegExp(
  String.raw`\b${HOW}(?:(?:depends?|relies|rely) ${HOW}on|(?:comes?|derives?) ${HOW}from|reads?(?: from)?|uses?|consumes?|(?:built|made|derived|computed|fed|powered) ${HOW}(?:from|by|on)|downstream of)\b`,
);

export async function checkCounts(clause: Clause, ground: Ground, narrowed: boolean): Promise<Claim[]> {
  const counts = findMatches(COUNT, clause).map(async (match) => {
    const around = readAround(match, clause);
    const holds = await isRight(match, around, clause, ground, narrowed);
    return holds === null ? [] : [{ holds, from: match.from, to: match.to, also: around?.verb ?? [] }];
  });
  return [...(await Promise.all(counts)).flat(), ...(await checkHops(clause, ground))];
}

/** Null where nothing says what is counted. */
async function isRight(
  match: Match,
  around: Around | null,
  clause: Clause,
  ground: Ground,
  narrowed: boolean,
): Promise<boolean | null> {
  const amount = Number(clause.parts[match.from]?.text);
  const noun = match.text.split(" ").at(-1) ?? "";
  if (around === null && /^(?:columns?|fields?)$/.test(noun)) {
    const [node, ...others] = subjectsAt(clause, match.from - 1).nodes;
    if (node !== undefined) return others.length === 0 && (await ground.countColumns(node)) === amount;
  }
  if (around !== null) {
    const [root, ...others] = around.roots;
    if (root === undefined || others.length > 0) return null;
    const counted = await Promise.all(
      kindsOf(noun, match.text).map((kind) => ground.countAround(root, around.direction, kind)),
    );
    const said = `${match.text} ${around.verb.map((i) => clause.parts[i]?.word).join(" ")}`;
    const near = /\b(?:direct|directly|immediate)\b/.test(said);
    return counted.some((found) => found !== null && (found.direct === amount || (!near && found.all === amount)));
  }
  if (!/\b(?:there (?:is|are)|(?:catalog|workspace|you|we) (?:has|have|holds|contains))\b/.test(clause.template))
    return null;
  return !narrowed && (await isTotal(amount, noun, match, clause, ground));
}

/** Whose neighbours are counted, and on which side. */
interface Around {
  roots: readonly CatalogNode[];
  direction: Direction;
  /** The parts that say so. */
  verb: readonly number[];
}

function readAround(match: Match, clause: Clause): Around | null {
  const words = clause.template.split(" ");
  const before = words.slice(0, match.from).join(" ");
  const after = words.slice(match.to).join(" ");
  const adjective = /\b(?<direction>upstream|downstream)\b/.exec(match.text)?.groups?.["direction"];
  const direction = SOURCES.test(match.text)
    ? "upstream"
    : CONSUMERS.test(match.text)
      ? "downstream"
      : adjective === "upstream" || adjective === "downstream"
        ? adjective
        : null;
  if (direction !== null) {
    const of = /^(?:of|for) (?:the )?N\b/.test(after) ? objectsAfter(clause, match.to + 1).nodes : [];
    const roots = of.length > 0 ? of : subjectsAt(clause, verbBefore(words, match.from)).nodes;
    return { roots, direction, verb: [] };
  }
  const leading = verbIn(before, 0);
  if (leading !== null) return { ...leading, roots: subjectsAt(clause, leading.verb[0] ?? 0).nodes };
  // "3 dashboards use N": what is counted is the subject.
  const between = after.split(" N")[0] ?? "";
  const following = verbIn(between, match.to);
  if (following === null || between === after) return null;
  const roots = objectsAfter(clause, (following.verb.at(-1) ?? 0) + 1).nodes;
  return { ...following, roots, direction: following.direction === "upstream" ? "downstream" : "upstream" };
}

/** The verb in some words, the side on which its subject's neighbours lie, and its parts. */
function verbIn(text: string, offset: number): Pick<Around, "direction" | "verb"> | null {
  const gives = GIVES.exec(text);
  const takes = TAKES.exec(text);
  const found = gives ?? takes;
  if (found === null) return null;
  const from = offset + text.slice(0, found.index).split(" ").filter(Boolean).length;
  const verb = found[0].split(" ").map((_, i) => from + i);
  return { direction: gives === null ? "upstream" : "downstream", verb };
}

function verbBefore(words: readonly string[], at: number): number {
  const verb = words.slice(0, at).findLastIndex((word) => /^(?:has|have|with)$/.test(word));
  return verb < 0 ? at : verb;
}

/** What a word for many may mean: "assets" with metrics and columns, or without. */
function kindsOf(noun: string, text: string): Kind[] {
  const said = /\b(?:certified|pending|deprecated)\b/.exec(text)?.[0];
  const certification = said === "certified" || said === "pending" || said === "deprecated" ? said : null;
  const types = SOURCES.test(noun) || CONSUMERS.test(noun) ? null : typesOf(noun);
  if (types !== null) return [{ types, certification }];
  const named = NODE_TYPES.filter((type) => type !== "column");
  return [
    { types: null, certification },
    { types: named, certification },
    { types: named.filter((type) => type !== "metric"), certification },
  ];
}

async function isTotal(amount: number, noun: string, match: Match, clause: Clause, ground: Ground): Promise<boolean> {
  const [owner] = findMatches(/owned by P/, clause);
  const [tag] = findMatches(/tagged \S+/, clause);
  // Whatever else narrows what is counted is none of these claims.
  const filter = {
    owner: owner && fold(clause.parts[owner.to - 1]?.text ?? ""),
    tag: tag && clause.parts[tag.to - 1]?.text,
  };
  const totals = await Promise.all(
    kindsOf(noun, match.text).map(({ types, certification }) =>
      ground.countAll({ ...filter, types: types ?? NODE_TYPES, certification: certification ?? undefined }),
    ),
  );
  return totals.includes(amount);
}

async function checkHops(clause: Clause, ground: Ground): Promise<Claim[]> {
  const [hops] = findMatches(/# (?:hops?|steps?)/, clause);
  const named = clause.nodes.filter((node) => node !== null);
  const from = named[0] ?? clause.topic[0];
  const to = named.at(-1);
  if (hops === undefined || from === undefined || to === undefined || from.id === to.id) return [];
  const ways = await Promise.all([ground.distance(from, to), ground.distance(to, from)]);
  return [{ holds: ways.includes(Number(clause.parts[hops.from]?.text)), from: hops.from, to: hops.to }];
}
