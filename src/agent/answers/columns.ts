/** Which columns does X have, where is it, and of columns of one name which one was meant. */
import type { CatalogNode } from "../../catalog/asset.ts";
import type { Page } from "../../graph/catalog-graph.ts";
import type { Fact } from "../answer.ts";
import type { AgentCatalog } from "../catalog.ts";
import type { Scope } from "../find/scope.ts";
import type { Question } from "../understand/question.ts";
import { viewNode } from "./actions.ts";
import type { Answerer } from "./ask.ts";
import { standing } from "./describe.ts";
import { cite, count, joinWords, listNames, MAX_NAMES, named, profile, tick } from "./words.ts";

export function sayColumns(node: CatalogNode, columns: readonly CatalogNode[]): Fact {
  if (columns.length === 0) {
    return { text: `The catalog knows of no columns of ${named(node)}.`, about: [cite(node, profile(node))] };
  }
  const names = columns.map((column) => (column.dataType === "" ? column.name : `${column.name} (${column.dataType})`));
  const shown = columns.map(({ id, name }) => ({ id, name, type: "column" as const }));
  return {
    text: `${named(node)} has ${count(columns.length, "column")}: ${listNames(shown, columns.length, columns.length > 60 ? MAX_NAMES : 60)}.`,
    about: [cite(node, `${node.fqn}: ${names.slice(0, 60).join(", ")}`)],
  };
}

export const answerColumns: Answerer = async ({ subjects, catalog, question }) => {
  const node = subjects.find(({ type }) => type === "table" || type === "model") ?? subjects[0];
  if (node === undefined) return null;
  const columns = await catalog.columnsOf(node.parentId ?? node.id);
  const tag = question.values.find(({ kind }) => kind === "tag")?.value;
  const tagged = columns.filter(({ tags }) => tag !== undefined && tags.includes(tag));
  // A tag of the table alone is part of what it is called.
  if (tag === undefined || (tagged.length === 0 && node.tags.includes(tag))) {
    return { facts: [sayColumns(node, columns)], actions: [viewNode(node)] };
  }
  const text = `${tagged.length} of the ${count(columns.length, "column")} of ${named(node)} ${tagged.length === 1 ? "is" : "are"} tagged ${tick(tag)}${tagged.length === 0 ? "" : `: ${listNames(tagged)}`}.`;
  const about = [cite(node, profile(node)), ...tagged.map((it) => cite(it, `${it.fqn}: tagged ${tag}`))];
  return { facts: [{ text, about }], actions: [viewNode(node)] };
};

/** The columns that may be meant by one that is named: all of its name, unless its table is told. */
async function sameColumns(
  { mentions }: Question,
  column: CatalogNode,
  catalog: AgentCatalog,
): Promise<Page<CatalogNode>> {
  const isAlone = mentions.some(({ node, placed }) => node.id === column.id && !placed);
  const { items, hasMore } = isAlone ? await catalog.columnsNamed(column.name) : { items: [], hasMore: false };
  return { items: [column, ...items.filter(({ id }) => id !== column.id)], hasMore };
}

async function parentsOf(columns: readonly CatalogNode[], catalog: AgentCatalog): Promise<CatalogNode[]> {
  const parents = await catalog.load(columns.slice(0, MAX_NAMES).map(({ parentId }) => parentId ?? ""));
  return parents.filter((node) => node !== null);
}

function countPlaces(amount: number, hasMore: boolean): string {
  const places = amount === 1 ? "table or model" : "tables and models";
  return `${hasMore ? "at least " : ""}${amount.toLocaleString("en-US")} ${places}`;
}

async function sayPlaces(
  first: CatalogNode,
  columns: readonly CatalogNode[],
  hasMore: boolean,
  catalog: AgentCatalog,
): Promise<Fact> {
  const parents = await parentsOf(columns, catalog);
  return {
    text: `The column ${tick(first.name)} is in ${countPlaces(columns.length, hasMore)}: ${listNames(parents, columns.length)}.`,
    about: [
      ...parents.map((it) => cite(it, `${it.fqn} has the column ${first.name}`)),
      ...columns.slice(0, MAX_NAMES).map((it) => cite(it, profile(it))),
    ],
  };
}

/** Which column was taken, where one that is named without its table is in several; null where it is in one. */
export async function sayColumnTaken(
  question: Question,
  subjects: readonly CatalogNode[],
  scope: Scope,
  catalog: AgentCatalog,
): Promise<Fact | null> {
  const taken = subjects.find(({ type }) => type === "column");
  if (taken === undefined) return null;
  const { items, hasMore } = await sameColumns(question, taken, catalog);
  const others = items.filter((column) => column.id !== taken.id && scope.allows(column));
  if (others.length === 0) return null;
  const parents = await parentsOf(others, catalog);
  return {
    text: `${countPlaces(others.length + 1, hasMore)} have a column ${tick(taken.name)}: I took ${named(taken)}; the others are in ${listNames(parents, others.length)}.`,
    about: [cite(taken, profile(taken)), ...parents.map((it) => cite(it, `${it.fqn} has the column ${taken.name}`))],
  };
}

export const answerWhere: Answerer = async ({ subjects, question, catalog, scope }) => {
  const [first] = subjects;
  if (first === undefined) return null;
  if (first.type === "column") {
    const { items, hasMore } = await sameColumns(question, first, catalog);
    const columns = items.filter((column) => scope.allows(column));
    return { facts: [await sayPlaces(first, columns, hasMore, catalog)], actions: [viewNode(first)] };
  }
  const text = `${named(first)} is ${standing(first)} at ${tick(first.fqn)} on ${tick(first.platform)}, known from the ${first.connectors.length === 1 ? "connector" : "connectors"} ${joinWords(first.connectors.map((it) => tick(it)))}.`;
  return { facts: [{ text, about: [cite(first, profile(first))] }], actions: [viewNode(first)] };
};
