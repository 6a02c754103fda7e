/** Asks a running service what breaks when a column of the sample is dropped, and collects what the picture shows of it. */
import { z } from "zod";

/** A service that has loaded the sample. */
export interface Service {
  /** Its origin, such as `http://127.0.0.1:8080`. */
  url: string;
  /** A token with the scope `read`. */
  token: string;
}

const risk = z.enum(["high", "medium", "low"]);
const evidence = z.object({ kind: z.string(), transformation: z.string(), expression: z.string() });
const impactAnswer = z.object({
  affected: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      type: z.string(),
      risk,
      reason: z.string(),
      owner: z.string(),
      path: z.array(z.string()),
      evidence: z.array(evidence),
    }),
  ),
});
const assetPage = z.object({ data: z.array(z.object({ id: z.string(), fqn: z.string() })) });
/** Metrics have a route of their own, which tells no type, columns or full name. */
const assetAnswer = z.object({
  name: z.string(),
  owner: z.string(),
  certification: z.string(),
  type: z.string().default("metric"),
  fqn: z.string().default(""),
  columns: z.array(z.object({ name: z.string() })).default([]),
});

export type Affected = z.infer<typeof impactAnswer>["affected"][number];
export type Asset = z.infer<typeof assetAnswer>;

export interface ImpactOfDrop {
  /** Full name of the column that is dropped. */
  changed: string;
  changedId: string;
  affected: readonly Affected[];
  /** Every affected asset, and the table of the dropped column, by its id. */
  assets: ReadonlyMap<string, Asset>;
}

/** What breaks when the column of this full name is dropped. Throws if the service does not know the column. */
export async function askImpactOfDrop(service: Service, column: string): Promise<ImpactOfDrop> {
  const changedId = await findId(service, column);
  const tableId = await findId(service, column.slice(0, column.lastIndexOf(".")));
  const body = JSON.stringify({ asset_id: changedId, change_type: "column_drop" });
  const { affected } = impactAnswer.parse(await ask(service, "/lineage/impact", body));
  const assets = new Map([[tableId, await readAsset(service, `/catalog/assets/${tableId}`)]]);
  for (const { id, type } of affected) {
    assets.set(id, await readAsset(service, type === "metric" ? `/metrics/${id}` : `/catalog/assets/${id}`));
  }
  return { changed: column, changedId, affected, assets };
}

async function findId(service: Service, fqn: string): Promise<string> {
  const { data } = assetPage.parse(await ask(service, `/catalog/assets?search=${encodeURIComponent(fqn)}`));
  const found = data.find((asset) => asset.fqn === fqn);
  if (found === undefined) throw new Error(`The service has no ${fqn}: has it loaded the sample?`);
  return found.id;
}

async function readAsset(service: Service, path: string): Promise<Asset> {
  return assetAnswer.parse(await ask(service, path));
}

/** Posts where a body is given, and gets otherwise. */
async function ask({ url, token }: Service, path: string, body?: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(
    `${url}/api/v1${path}`,
    body === undefined ? { headers } : { method: "POST", headers, body },
  );
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}
