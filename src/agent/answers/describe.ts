/** What is X, who owns it, who certified it, how is it computed. */
import type { CatalogNode, Certification } from "../../catalog/asset.ts";
import type { ChangeType } from "../../catalog/impact.ts";
import type { Fact } from "../answer.ts";
import { runImpact, viewLineage, viewNode } from "./actions.ts";
import type { Answerer } from "./ask.ts";
import { sayTrail } from "./trail.ts";
import {
  article,
  cite,
  count,
  day,
  joinWords,
  listNames,
  MAX_NAMES,
  named,
  ownerOf,
  plain,
  profile,
  quote,
  sayOwnerOf,
  tick,
} from "./words.ts";

const MAX_FORMULA = 1_000;
/** Assets of which one answer tells what they are; the others are named. */
const MAX_SUBJECTS = 3;
/** Expressions that one sentence quotes; the others are counted. */
const MAX_EXPRESSIONS = 3;

/** How X stands, in a word before its type. */
export function standing(node: CatalogNode): string {
  const words = [...(node.certification === "none" ? [] : [node.certification]), node.type];
  return `${article(words[0] ?? "")} ${words.join(" ")}`;
}

export function sayWhat(node: CatalogNode): Fact {
  const shown =
    node.metric !== null && node.metric.displayName !== node.name ? ` (${quote(node.metric.displayName)})` : "";
  const text = `${named(node)}${shown} is ${standing(node)}${node.type === "column" && node.dataType !== "" ? ` of type ${tick(node.dataType)}` : ""}.`;
  const described = node.description === "" ? " It has no description." : ` ${sayDescribed(node)}`;
  return { text: text + described, about: [cite(node, profile(node))] };
}

/** What people wrote of it, which may be anything: never in the agent's own voice. */
function sayDescribed({ description }: CatalogNode): string {
  return `It is described as: ${quote(description)}.`;
}

export function sayOwner(node: CatalogNode, owning: CatalogNode = node): Fact {
  const owner = sayOwnerOf(owning);
  const from = owning.id === node.id ? "" : `, through ${named(owning)}`;
  const text =
    owner === null ? `Nobody is named as the owner of ${named(node)}.` : `${named(node)} is owned by ${owner}${from}.`;
  return { text, about: [cite(node, owner === null ? `${node.fqn}: no owner` : `${node.fqn}: owned by ${owner}`)] };
}

/** @param asked the certification that a yes or a no is about; null for none */
export function sayCertification(node: CatalogNode, asked: Certification | null = null): Fact {
  const by = node.certifiedBy === null ? "" : ` by ${plain(node.certifiedBy)}`;
  const at = node.certifiedAt === null ? "" : ` on ${day(node.certifiedAt)}`;
  const yes = asked === null ? "" : asked === node.certification ? "Yes, " : "No, ";
  const text = {
    certified: `${named(node)} is certified${by}${at}.`,
    pending: `${named(node)} is not certified: its certification is pending.`,
    deprecated: `${named(node)} is deprecated.`,
    none: `${named(node)} is not certified: nobody has said anything of its certification.`,
  }[node.certification];
  return { text: yes + text, about: [cite(node, `${node.fqn}: certification ${node.certification}${by}${at}`)] };
}

export function sayDefinition(node: CatalogNode): Fact | null {
  const { metric } = node;
  if (metric === null) return null;
  const parts = [
    metric.grain === "" ? "" : ` by ${tick(metric.grain)}`,
    metric.filters.length === 0 ? "" : `, only where ${metric.filters.map((it) => tick(it)).join(" and ")}`,
  ];
  const text = `${named(node)} is computed as ${tick(metric.expression, MAX_FORMULA)}${parts.join("")}. It is a ${metric.kind} metric.`;
  return { text, about: [cite(node, `${node.fqn} = ${metric.expression}${parts.join("")}`)] };
}

function sayDescription(node: CatalogNode): Fact | null {
  return node.description === "" ? null : { text: sayDescribed(node), about: [cite(node, profile(node))] };
}

/** How a change of it would be asked for. */
function likelyChange(node: CatalogNode): ChangeType {
  return node.type === "column" ? "column_drop" : "deprecate";
}

const isFact = (fact: Fact | null): fact is Fact => fact !== null;

export const answerWhat: Answerer = async ({ subjects, catalog }) => {
  const facts = await Promise.all(
    subjects.slice(0, MAX_SUBJECTS).map(async (node) => {
      const [up, down] = await Promise.all([
        catalog.neighbours(node.id, "upstream", 0),
        catalog.neighbours(node.id, "downstream", 0),
      ]);
      const around = {
        text: `It has ${count(up.total, "direct source")} and ${count(down.total, "direct consumer")}.`,
        about: [cite(node, profile(node))],
      };
      const certified = node.certification === "certified" && node.certifiedBy !== null ? sayCertification(node) : null;
      const [parent] = node.parentId === null ? [] : await catalog.load([node.parentId]);
      const owning = ownerOf(node) === null ? (parent ?? node) : node;
      return [sayWhat(node), sayDefinition(node), sayOwner(node, owning), certified, around].filter(isFact);
    }),
  );
  const [first] = subjects;
  if (first === undefined) return null;
  const left = subjects.slice(MAX_SUBJECTS);
  const others = { text: `Not told here: ${listNames(left)}.`, about: left.map((node) => cite(node, profile(node))) };
  return {
    facts: [...facts.flat(), ...(left.length > 0 ? [others] : [])],
    actions: [viewNode(first), viewLineage(first, "upstream"), runImpact(first, likelyChange(first))],
  };
};

export const answerOwner: Answerer = async ({ subjects, catalog }) => {
  const [first] = subjects;
  if (first === undefined) return null;
  const parents = await catalog.load(subjects.map(({ id, parentId }) => parentId ?? id));
  const facts = subjects.map((node, i) => sayOwner(node, ownerOf(node) === null ? (parents[i] ?? node) : node));
  return { facts, actions: [viewNode(first)] };
};

/** What a yes or no is about: "is it certified", "can we trust it", "is it deprecated"; null for "by whom". */
function askedCertification(template: string): Certification | null {
  if (/\b(?:who|whom|when|why|what|which|by)\b/.test(template)) return null;
  if (/\bdeprecated\b/.test(template)) return "deprecated";
  return /\bpending\b/.test(template) ? "pending" : "certified";
}

export const answerCertification: Answerer = async ({ subjects, question, catalog }) => {
  const [first] = subjects;
  if (first === undefined) return null;
  const facts = await Promise.all(
    subjects.map(async (node) => {
      const told = sayTrail(node, await catalog.trailOf(node));
      const why = told === null && node.certification !== "certified" ? sayDescription(node) : told;
      return [sayCertification(node, askedCertification(question.template)), why].filter(isFact);
    }),
  );
  return { facts: facts.flat(), actions: [viewNode(first)] };
};

function quoteExpressions(all: readonly string[]): string {
  const told = all.slice(0, MAX_EXPRESSIONS).map((it) => tick(it, 120));
  return joinWords(all.length > told.length ? [...told, count(all.length - told.length, "other")] : told);
}

export const answerDefinition: Answerer = async ({ subjects, catalog }) => {
  const [first] = subjects;
  if (first === undefined) return null;
  const facts = await Promise.all(
    subjects.map(async (node) => {
      const sources = await catalog.neighbours(node.id, "upstream", MAX_NAMES);
      const nodes = sources.items.map((item) => item.node);
      const how = [...new Set(sources.items.flatMap(({ uses }) => uses.map(({ expression }) => expression)))].filter(
        Boolean,
      );
      const from: Fact | null =
        nodes.length === 0
          ? null
          : {
              text: `It is made from ${listNames(nodes, sources.total)}${node.type === "column" && how.length > 0 ? `, by ${quoteExpressions(how)}` : ""}.`,
              about: [cite(node, profile(node)), ...nodes.map((it) => cite(it, `${it.fqn} feeds ${node.fqn}`))],
            };
      const dimensions = node.metric?.dimensions ?? [];
      const split: Fact | null =
        dimensions.length === 0
          ? null
          : {
              text: `It can be split by ${joinWords(dimensions.map((it) => tick(it)))}.`,
              about: [cite(node, profile(node))],
            };
      return [sayDefinition(node), sayDescription(node) ?? sayWhat(node), from, split].filter(isFact);
    }),
  );
  return { facts: facts.flat(), actions: [viewNode(first), viewLineage(first, "upstream")] };
};
