/** Queries of the full-text index. Every term is quoted, so that none is taken as an operator. */
import { TIER } from "../../catalog/search.ts";
import type { WorkspaceId } from "../../ids.ts";
import type { NodeFilter } from "../catalog-graph.ts";

/** The tiers that the full-text index answers, and the columns that must have the terms. */
export const TERM_TIERS = [
  { tier: TIER.name, columns: "name" },
  { tier: TIER.tagsOrColumns, columns: "name tags" },
  { tier: TIER.description, columns: "name tags description" },
] as const;

/** A token for a workspace or a type. It is hexadecimal, so that the tokenizer does not split it. */
export function scopeToken(kind: "workspace" | "type", value: string): string {
  return `${kind}${Buffer.from(value).toString("hex")}`;
}

function scoped(workspace: WorkspaceId, filter: NodeFilter): string {
  const types = filter.types === "asset" ? [] : filter.types.map((type) => `"${scopeToken("type", type)}"`);
  const within = types.length === 0 ? "" : ` AND {scope} : (${types.join(" OR ")})`;
  return `{scope} : "${scopeToken("workspace", workspace)}"${within}`;
}

function quoted(terms: readonly string[]): string[] {
  return terms.map((term, i) => (i === terms.length - 1 ? `"${term}" *` : `"${term}"`));
}

/** Rows of the workspace that have the term, or a term that begins with it. */
export function matchTerm(workspace: WorkspaceId, term: string, how: "whole" | "prefix"): string {
  const token = how === "prefix" ? `"${term}" *` : `"${term}"`;
  return `${scoped(workspace, { types: "asset" })} AND {name tags description} : ${token}`;
}

/** Rows that have all terms in the tier's columns, without the rows of the tier before. */
export function matchAll(
  workspace: WorkspaceId,
  filter: NodeFilter,
  terms: readonly string[],
  tier: (typeof TERM_TIERS)[number],
): string {
  const all = quoted(terms).join(" AND ");
  const before = TERM_TIERS[TERM_TIERS.indexOf(tier) - 1];
  const better = before === undefined ? "" : ` NOT ({${before.columns}} : (${all}))`;
  return `(${scoped(workspace, filter)} AND {${tier.columns}} : (${all}))${better}`;
}

/** One query for each term and column, and the tier of a row that has the term there. */
export function matchAny(
  workspace: WorkspaceId,
  filter: NodeFilter,
  terms: readonly string[],
): { match: string; tier: number; term: number }[] {
  const scope = scoped(workspace, filter);
  const columns = [
    ["name", TIER.name],
    ["tags", TIER.tagsOrColumns],
    ["description", TIER.description],
  ] as const;
  return quoted(terms).flatMap((term, i) =>
    columns.map(([column, tier]) => ({ match: `${scope} AND {${column}} : ${term}`, tier, term: i })),
  );
}
