/** Which and how many: by type, tag, owner, connector, certification, what has no owner or description, and lineage. */
import type { CatalogNode, NodeType } from "../../catalog/asset.ts";
import { NODE_TYPES } from "../../catalog/asset.ts";
import type { NodeFilter } from "../../graph/catalog-graph.ts";
import type { Fact } from "../answer.ts";
import { viewLineage, viewNode } from "./actions.ts";
import type { Values } from "../catalog.ts";
import { type Answerer, type Ask, isOwnedBy, valueOf } from "./ask.ts";
import {
  cite,
  count,
  inTypeOrder,
  joinWords,
  listByType,
  listNames,
  plain,
  plural,
  profile,
  typesInWords,
} from "./words.ts";

/** Nodes that are read where the stores have no count or no filter for what is asked. */
const MAX_READ = 5_000;
const PAGE = 500;
/** What "which assets" means: columns are many, and asked for by name. */
const WITHOUT_COLUMNS: readonly NodeType[] = ["metric", "dashboard", "pipeline", "model", "table"];

const UNOWNED =
  /\b(?:unowned|ownerless|not owned|nobody owns|no one owns|(?:no|without(?: an| any)?|lacks?|lacking|missing(?: an)?) owners?|(?:not|nt|never) (?:have|has|had) (?:an |any )?owners?)\b/;
const UNDESCRIBED =
  /\b(?:undocumented|undescribed|not (?:documented|described)|(?:nobody|no one|noone) (?:has |ever )*(?:described|documented)|(?:no|without|lacks?|lacking|missing|empty)(?: a| an| any)? (?:description|descriptions|documentation|docs))\b/;
const UNCERTIFIED = /\b(?:uncertified|(?:not|nobody|never)(?: yet| been| has| have)* certified)\b/;

interface Wanted {
  filter: NodeFilter;
  /** What no filter of the stores can say. */
  passes: (node: CatalogNode) => boolean;
  /** Whether the stores' own count is the answer. */
  countable: boolean;
  words: string;
}

function readWanted({ question, scope }: Ask): Wanted {
  const { template, certification } = question;
  const tag = valueOf(question, "tag");
  const owner = valueOf(question, "owner");
  const connector = valueOf(question, "connector");
  const unowned = UNOWNED.test(template);
  const undescribed = UNDESCRIBED.test(template);
  const uncertified = UNCERTIFIED.test(template);
  const types =
    question.types ??
    (certification === "pending" || certification === "certified" || !tag ? WITHOUT_COLUMNS : NODE_TYPES);
  const certifier = owner !== undefined && /\bcertif\w*\b.*\bP\b|\bP\b.*\bcertif/.test(template) ? owner : undefined;
  const named = owner !== undefined && !owner.includes("@");
  const words = [
    uncertified ? "uncertified" : certification,
    question.types === null ? "assets" : typesInWords(question.types, "and"),
    tag === undefined ? null : `tagged ${plain(tag)}`,
    owner === undefined ? null : certifier === undefined ? `owned by ${owner}` : `certified by ${owner}`,
    connector === undefined ? null : `from the connector ${plain(connector)}`,
    unowned ? "without an owner" : null,
    undescribed ? "without a description" : null,
  ];
  return {
    filter: {
      types,
      tag,
      connector,
      certification: uncertified ? undefined : certifier === undefined ? (certification ?? undefined) : "certified",
      owner: unowned || named ? "" : certifier === undefined ? owner : undefined,
    },
    passes: (node) =>
      scope.allows(node) &&
      (!unowned || node.ownerName === "") &&
      (!named || isOwnedBy(node, owner)) &&
      (!undescribed || node.description === "") &&
      (!uncertified || node.certification === "none" || node.certification === "pending") &&
      (certifier === undefined || node.certifiedBy?.toLowerCase() === certifier),
    countable: !(scope.narrows || named || unowned || undescribed || uncertified || certifier !== undefined),
    words: words.filter((word) => word !== null).join(" "),
  };
}

interface Found {
  nodes: CatalogNode[];
  /** All that pass, told or not. */
  total: number;
  /** Whether the total is at least that, since not all could be read. */
  atLeast: boolean;
}

async function find({ catalog }: Ask, { filter, passes, countable }: Wanted): Promise<Found> {
  const nodes: CatalogNode[] = [];
  let after: string | null = null;
  let hasMore = true;
  for (let read = 0; hasMore && read < MAX_READ; read += PAGE) {
    const page = await catalog.list(filter, PAGE, after);
    nodes.push(...page.items.filter(passes));
    after = page.items.at(-1)?.key ?? null;
    hasMore = page.hasMore && !(countable && nodes.length >= PAGE);
    if (page.items.length === 0) break;
  }
  if (!countable) return { nodes, total: nodes.length, atLeast: hasMore };
  const counts = await catalog.count(filter);
  return { nodes, total: Object.values(counts).reduce((sum, amount) => sum + amount, 0), atLeast: false };
}

function sayList({ nodes, total, atLeast }: Found, words: string): Fact {
  if (nodes.length === 0 && atLeast) {
    const text = `There are no ${words} among the first ${MAX_READ.toLocaleString("en-US")} that were read; the others were not looked at.`;
    return { text, about: [] };
  }
  if (nodes.length === 0) return { text: `There are no ${words} in this workspace.`, about: [] };
  const amount = `${atLeast ? "at least " : ""}${total.toLocaleString("en-US")}`;
  const one = total === 1;
  const shown = inTypeOrder(nodes);
  const more = total - nodes.length;
  const told =
    new Set(nodes.map(({ type }) => type)).size === 1
      ? listNames(shown, total)
      : `${listByType(shown)}${more > 0 ? `, and ${more.toLocaleString("en-US")} more` : ""}`;
  return {
    text: `There ${one ? "is" : "are"} ${amount} ${one ? singular(words) : words}: ${told}.`,
    about: shown.map((node) => cite(node, profile(node))),
  };
}

function singular(words: string): string {
  return words.replaceAll(/\b(asset|metric|dashboard|pipeline|model|table|column)s\b/g, "$1");
}

export const answerFind: Answerer = async ({ subjects, related, question, scope }) => {
  const fit = [...related, ...subjects].filter((node) => question.types?.includes(node.type) ?? node.type !== "column");
  const nodes = [...new Map(fit.map((node) => [node.id, node])).values()].filter((node) => scope.allows(node));
  const [first] = nodes;
  if (first === undefined) return null;
  const text = `Closest to that ${nodes.length === 1 ? "is" : "are"} ${listByType(nodes)}.`;
  return {
    facts: [{ text, about: nodes.map((node) => cite(node, profile(node))) }],
    actions: nodes.slice(0, 3).map(viewNode),
  };
};

export const answerList: Answerer = async (ask) => {
  const values = ask.question.types === null && ask.question.values.length === 0 ? await listValues(ask) : null;
  if (values !== null) return values;
  const wanted = readWanted(ask);
  const found = await find(ask, wanted);
  const [first] = inTypeOrder(found.nodes);
  return {
    facts: [sayList(found, wanted.words)],
    actions: first === undefined ? [] : [viewNode(first), viewLineage(first, "downstream")],
  };
};

export const answerCount: Answerer = async (ask) => {
  const { question, catalog } = ask;
  const values = question.types === null ? await listValues(ask) : null;
  if (values !== null) return values;
  const wanted = readWanted(ask);
  const found = await find(ask, wanted);
  const byType = NODE_TYPES.map((type) => [type, found.nodes.filter((node) => node.type === type).length] as const);
  const told = byType.filter(([, amount]) => amount > 0).map(([type, amount]) => count(amount, type));
  if (question.types?.length === 1 || !wanted.countable || found.total <= 20) {
    return { facts: [sayList(found, wanted.words)], actions: found.nodes.slice(0, 1).map(viewNode) };
  }
  const counts = await catalog.count({ ...wanted.filter, types: question.types ?? NODE_TYPES });
  const all = Object.entries(counts).filter(([, amount]) => amount > 0);
  const sum = all.reduce((total, [, amount]) => total + amount, 0);
  const text = `There are ${sum.toLocaleString("en-US")} ${wanted.words}: ${joinWords(all.map(([type, amount]) => count(amount, type)))}.`;
  return {
    facts: [
      {
        text: told.length === 0 ? `There are no ${wanted.words}.` : text,
        about: inTypeOrder(found.nodes).map((node) => cite(node, profile(node))),
      },
    ],
    actions: found.nodes.slice(0, 1).map(viewNode),
  };
};

/** Owners, tags or connectors, where the question asks for these themselves. */
async function listValues({ question: { template }, catalog }: Ask): Promise<{ facts: Fact[]; actions: [] } | null> {
  if (/\b(?:people|owners|teams)\b/.test(template)) return sayValues(await catalog.owners(), "owner");
  if (/\btags\b/.test(template)) return sayValues(await catalog.tags(), "tag");
  if (!/\bconnectors\b/.test(template)) return null;
  const { items, hasMore } = await catalog.connectors();
  return sayValues({ items: items.map(({ connector }) => connector.name), hasMore }, "connector");
}

function sayValues({ items: values, hasMore }: Values, noun: string): { facts: Fact[]; actions: [] } {
  const text = `There ${values.length === 1 ? "is" : "are"} ${hasMore ? "at least " : ""}${count(values.length, noun)}${values.length === 0 ? "" : `: ${joinWords(values.slice(0, 20).map(plain))}`}${values.length > 20 ? ` and ${values.length - 20} more ${plural(noun)}` : ""}.`;
  return { facts: [{ text, about: [] }], actions: [] };
}
