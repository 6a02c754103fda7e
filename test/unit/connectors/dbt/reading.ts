/** Crawls and tests projects that real servers on this machine provide. */
import { CrawlFailure, type CrawlContext, type SourceFinding } from "../../../../src/connectors/connector.ts";
import type { CrawlError } from "../../../../src/catalog/crawl.ts";
import { createDbtConnector } from "../../../../src/connectors/dbt/connector.ts";
import type { Network } from "../../../../src/connectors/dbt/download.ts";
import type { Resolve } from "../../../../src/connectors/http/source-addresses.ts";

const NETWORK: Network = {
  idleTimeoutMs: 20_000,
  leastBytesPerIdle: 1,
  totalTimeoutMs: 20_000,
  retryDelaysMs: [0, 0],
  maxBytes: 1024 ** 2,
  privateSources: ["127.0.0.0/8"],
  insecureHosts: [],
};

/** Resolves every name to this machine. */
export const toThisMachine: Resolve = (_name, _options, answer) => answer(null, [{ address: "127.0.0.1", family: 4 }]);

type Options = Record<string, string>;

export interface Read {
  assets: string[];
  checks: (string | null)[];
  /** The errors of the crawl, including the one by which it failed. */
  errors: CrawlError[];
  failed: boolean;
  state: Record<string, string> | null;
}

export async function read(
  options: Options,
  { network = {}, ...context }: Partial<CrawlContext> & { network?: Partial<Network> } = {},
): Promise<Read> {
  const connector = createDbtConnector({ ...NETWORK, ...network });
  const { signal } = new AbortController();
  const full = { mode: "full", previousState: null, signal, now: () => new Date(0), ...context } as const;
  const found: Read = { assets: [], checks: [], errors: [], failed: false, state: null };
  try {
    for await (const event of connector.pull.crawl(connector.options.parse(options), full)) {
      if (event.kind === "asset") found.assets.push(event.asset.name);
      if (event.kind === "check") found.checks.push(event.check.result?.status ?? null);
      if (event.kind === "error") found.errors.push(event.error);
      if (event.kind === "state") found.state = event.state;
    }
  } catch (error) {
    if (!(error instanceof CrawlFailure)) throw error;
    found.errors.push(error.error);
    found.failed = true;
  }
  return found;
}

export async function findFaults(options: Options, network: Partial<Network> = {}): Promise<SourceFinding[]> {
  const connector = createDbtConnector({ ...NETWORK, ...network });
  return connector.pull.test(connector.options.parse(options), new AbortController().signal);
}

export const faultsOfOptions = (options: Options): string[] =>
  createDbtConnector()
    .options.safeParse(options)
    .error?.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`) ?? [];
