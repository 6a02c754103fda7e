/** The Metabase connector: dashboards, questions, models and metrics, with the tables and columns that they read. */
import { type Clock, systemClock } from "../../clock.ts";
import { type ConnectorType, CrawlFailure, type SourceFinding } from "../connector.ts";
import { type ApiContext, type ApiNetwork, DEFAULT_API_NETWORK, SHORT_WAIT } from "../http/api-client.ts";
import type { CrawlError } from "../../catalog/crawl.ts";
import { crawlMetabase } from "./crawl.ts";
import { type MetabaseOptions, metabaseOptions } from "./options.ts";
import { type MetabaseApi, openAnonymous, openApi } from "./api.ts";
import { chooseCollections } from "./collections.ts";
import { mapDatabase } from "./databases.ts";
import { propertiesShape } from "./shapes.ts";

/** How many cards there are is known only after Metabase was asked. */
const USUAL_SECONDS = 60;

/** @param limits which addresses Metabase may have, and how long it is waited for */
export function createMetabaseConnector(limits: Partial<ApiNetwork> = {}, { now }: Clock = systemClock) {
  const network = { ...DEFAULT_API_NETWORK, ...limits };
  return {
    type: "metabase",
    description: "Metabase: dashboards, questions, models and metrics, with the tables and columns that they read.",
    precedence: 20,
    lineagePrecedence: 300,
    options: metabaseOptions,
    secretOptions: ["token", "password"],
    pull: {
      estimateSeconds: async () => USUAL_SECONDS,
      test: (options, signal) => testSource(options, { network, signal, now }),
      crawl: (options, context) => crawlMetabase(options, context, network),
    },
  } satisfies ConnectorType<MetabaseOptions>;
}

/** The oldest version whose answers are known. */
const OLDEST = 48;

/** Asks Metabase who it is, who asks, and what that user may see. */
async function testSource(options: MetabaseOptions, context: ApiContext): Promise<SourceFinding[]> {
  const short: ApiContext = { ...context, network: { ...context.network, ...SHORT_WAIT } };
  try {
    const findings = await testVersion(options, short);
    using api = await openApi(options, short);
    await api.currentUser();
    return [...findings, ...(await testCollections(options, api)), ...(await testDatabases(options, api))];
  } catch (error) {
    if (error instanceof CrawlFailure) return [toFinding(error.error, options)];
    throw error;
  }
}

/** The version is `v0.56.3` or `v1.56.3`, by the edition. Development builds have none. */
async function testVersion({ url }: MetabaseOptions, context: ApiContext): Promise<SourceFinding[]> {
  using client = openAnonymous({ url }, context);
  const request = { what: "the properties of the service", shape: propertiesShape };
  const { version } = await client.get("api/session/properties", request);
  const [, number] = /^v?[01]\.(\d+)/.exec(version.tag) ?? [];
  if (number === undefined || Number(number) >= OLDEST) return [];
  const message = `is Metabase ${version.tag.slice(0, 40)}; version ${OLDEST} and later are supported`;
  return [{ option: "url", message, severity: "warning" }];
}

async function testCollections(options: MetabaseOptions, api: MetabaseApi): Promise<SourceFinding[]> {
  const { collections, unmatched } = chooseCollections(await api.collections(), options);
  const findings = unmatched.map((name): SourceFinding => {
    const option = options.collections.includes(name) ? "collections" : "exclude";
    const message = `names ${JSON.stringify(name)}, and Metabase has no such collection for these credentials`;
    return { option, message, severity: "error" };
  });
  if (collections.length > 0 || findings.length > 0) return findings;
  const message = "may read no collection: give its group access to collections in Metabase's permissions";
  return [{ option: secretOf(options), message, severity: "error" }];
}

/** A database that is not in the catalog is no error: its questions are still listed. */
async function testDatabases(options: MetabaseOptions, api: MetabaseApi): Promise<SourceFinding[]> {
  const databases = await api.databases();
  const unknown = options.databases
    .filter(({ key }) => !databases.some(({ id, name }) => key === String(id) || key === name))
    .map(({ key }) => `names ${JSON.stringify(key)}, and Metabase has no such database for these credentials`);
  const unmapped = databases.flatMap((database) => {
    const mapped = mapDatabase(database, options.databases);
    return "unknown" in mapped ? [`leaves out ${JSON.stringify(database.name)}: ${mapped.unknown}`] : [];
  });
  return [...unknown, ...unmapped].map((message) => ({ option: "databases", message, severity: "warning" }));
}

function secretOf({ token }: MetabaseOptions): string {
  return token === undefined ? "password" : "token";
}

const ABOUT_CREDENTIALS = new Set(["unauthorized", "forbidden"]);

function toFinding({ code, message, object, location }: CrawlError, options: MetabaseOptions): SourceFinding {
  const isRefused = ABOUT_CREDENTIALS.has(code) || object === "the session";
  const where = location === undefined || isRefused ? "" : ` (${location})`;
  return { option: isRefused ? secretOf(options) : "url", message: `${message}${where}`, severity: "error" };
}
