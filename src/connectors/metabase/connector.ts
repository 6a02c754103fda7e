/** The Metabase connector: dashboards, questions, models and metrics, with the tables and columns that they read. */
import { type Clock, systemClock } from "../../clock.ts";
import type { ConnectorType } from "../connector.ts";
import { type ApiNetwork, DEFAULT_API_NETWORK } from "../http/api-client.ts";
import { crawlMetabase } from "./crawl.ts";
import { type MetabaseOptions, metabaseOptions } from "./options.ts";
import { testSource } from "./test-source.ts";

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
