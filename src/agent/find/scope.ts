/** What the caller's context leaves of the catalog to ask about. */
import type { CatalogNode } from "../../catalog/asset.ts";
import { splitIdentifier } from "../../catalog/search.ts";
import { fold } from "../../catalog/text.ts";
import { notFound } from "../../errors.ts";
import type { AgentContext } from "../answer.ts";
import type { AgentCatalog } from "../catalog.ts";
import type { Token } from "../understand/tokens.ts";

export interface Scope {
  /** Whether the context lets a question be about this one. */
  allows(node: CatalogNode): boolean;
  /** The assets that the context names: what "this" and "it" mean. */
  named: readonly CatalogNode[];
  /** As the caller wrote it; null for everywhere. */
  area: string | null;
  /** Whether there is more lineage around the assets than was walked. */
  isCut: boolean;
  /** Whether it leaves anything out. */
  narrows: boolean;
}

/** @throws AppError `not_found` for an id that is no asset's or metric's of this workspace, naming it */
export async function openScope(
  { assetIds, tags, workspaceArea }: AgentContext,
  catalog: AgentCatalog,
): Promise<Scope> {
  const ids = [...new Set(assetIds)];
  const loaded = await catalog.load(ids);
  const unknown = ids.find((_, i) => loaded[i] == null);
  if (unknown !== undefined) throw notFound("asset", unknown);
  const named = loaded.filter((node) => node !== null);
  const { around, isCut } = await findAround(named, catalog);
  const area = workspaceArea === null ? null : fold(workspaceArea.trim());
  return {
    named,
    area: workspaceArea,
    isCut,
    narrows: ids.length > 0 || tags.length > 0 || area !== null,
    allows: (node) =>
      (ids.length === 0 || around.has(node.id) || (node.parentId !== null && around.has(node.parentId))) &&
      (tags.length === 0 || tags.some((tag) => node.tags.includes(tag))) &&
      (area === null || liesIn(area, node)),
  };
}

function liesIn(area: string, node: CatalogNode): boolean {
  const fqn = fold(node.fqn);
  return fqn === area || fqn.startsWith(`${area}.`) || node.connectors.some((name) => fold(name) === area);
}

/** The assets, the tables of those that are columns, and all that lineage connects with them. */
async function findAround(
  named: readonly CatalogNode[],
  catalog: AgentCatalog,
): Promise<{ around: ReadonlySet<string>; isCut: boolean }> {
  const walks = await Promise.all(
    named.flatMap(({ id }) => [catalog.walk(id, "upstream"), catalog.walk(id, "downstream")]),
  );
  const connected = walks.flatMap((walk) => walk?.nodes.map(({ id }) => id) ?? []);
  const own = named.flatMap(({ id, parentId }) => (parentId === null ? [id] : [id, parentId]));
  return { around: new Set([...own, ...connected]), isCut: walks.some((walk) => walk?.truncated === true) };
}

/** The words of the context's area say where to look, not what for. */
export function withoutScope(tokens: readonly Token[], { area }: Scope): Token[] {
  const words = new Set(splitIdentifier(area ?? ""));
  return tokens.map((token) =>
    !token.isName && words.has(token.word) ? { ...token, word: "here", words: ["here"] } : token,
  );
}
