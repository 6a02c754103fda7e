/** A catalog's state of the sample, without what the bench wrote. The bench compares two catalogs by it. */
import type { Answer, Client } from "./client.ts";

/** The beginning of all names that the bench writes. */
export const BENCH = "bench";
/** The names of two copies of the sample, as if they were in other warehouses. */
export const INSTANCES = ["north", "south"];
const IMPACTS = 20;

export interface Item {
  id: string;
  type: string;
  name: string;
  fqn: string;
}

/** Lines. Each states one fact. */
export type Snapshot = ReadonlySet<string>;

/** @throws Error if a request is not answered */
export async function listItems(client: Client, path = "catalog/assets"): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const { outcome, body, fault } = await client.get(`/api/v1/${path}?limit=200${cursor && `&cursor=${cursor}`}`);
    if (outcome !== "ok") throw new Error(`the catalog could not be listed: ${outcome} ${fault ?? ""}`);
    items.push(...body.data);
    cursor = body.pagination.next_cursor ?? null;
  }
  return items;
}

export const isOfBench = ({ name }: Pick<Item, "name">): boolean => name.startsWith(BENCH);

export async function takeSnapshot(client: Client): Promise<Snapshot> {
  const lines = new Set<string>();
  const items = (await listItems(client)).filter((item) => !isOfBench(item));
  for (const { id, type, fqn } of items) lines.add(`${type} ${fqn} ${id}`);
  const names = new Map(items.map(({ id, fqn }) => [id, fqn]));
  for (const { id, fqn, type } of items) {
    if (type === "column") continue;
    const { edges } = await must(client.get(`/api/v1/lineage/downstream?asset_id=${id}&depth=1`));
    for (const { to, kind } of edges) if (names.has(to)) lines.add(`${fqn} ${kind} ${names.get(to)}`);
  }
  const columns = items.filter(({ type }) => type === "column");
  const step = Math.max(1, Math.floor(columns.length / IMPACTS));
  for (const { id, fqn } of columns.filter((_, i) => i % step === 0)) {
    const { affected } = await must(
      client.post("/api/v1/lineage/impact", { asset_id: id, change_type: "column_drop" }),
    );
    for (const item of affected) {
      if (!isOfBench(item))
        lines.add(`a drop of ${fqn} is ${item.risk} for ${item.type} ${item.name} ${item.path.length}`);
    }
  }
  return lines;
}

/** @throws Error if the request is not answered */
async function must(asking: ReturnType<Client["get"]>): Promise<Answer["body"]> {
  const { outcome, body, fault } = await asking;
  if (outcome !== "ok") throw new Error(`a snapshot could not be taken: ${outcome} ${fault ?? ""}`);
  return body;
}

export function differences(found: Snapshot, expected: Snapshot): string[] {
  return [
    ...[...expected].filter((line) => !found.has(line)).map((line) => `missing: ${line}`),
    ...[...found].filter((line) => !expected.has(line)).map((line) => `unexpected: ${line}`),
  ];
}
