/** Health over GraphQL, for the health route too. */
import type { HealthReport } from "../telemetry/health.ts";
import { objectType, queryField, typed, wordsType } from "./builder.ts";

const HealthStatus = wordsType<"ok" | "degraded" | "error">("HealthStatus", "The state of the service as a whole.", {
  ok: "Everything works.",
  degraded: "It works, but some of its parts do not.",
  error: "The graph store or the metadata store is down.",
});

const DependencyStatus = wordsType<"ok" | "degraded" | "down">("DependencyStatus", "The state of one dependency.", {
  ok: "It answers.",
  degraded: "It answers, but slowly, it cannot be written to, or no worker serves it.",
  down: "It does not answer.",
});

const REST_NAMES: Readonly<Record<keyof HealthReport["dependencies"], string>> = {
  graphDb: "graph_db",
  metadataStore: "metadata_store",
  crawlerQueue: "crawler_queue",
  limitsStore: "limits_store",
};

const Dependencies = objectType<HealthReport["dependencies"]>("Dependencies", "What the service depends on.").with({
  graphDb: typed(DependencyStatus, "The graph store."),
  metadataStore: typed(DependencyStatus, "The metadata store."),
  crawlerQueue: typed(DependencyStatus, "The queue of syncs."),
  limitsStore: typed(
    DependencyStatus,
    "The store where requests are counted. While it is down, each server counts by itself.",
  ),
});

const HealthProblem = objectType<HealthReport["problems"][number]>(
  "HealthProblem",
  "What is wrong with a dependency.",
).with({
  dependency: {
    type: "String",
    description: "The dependency, as REST calls it: `graph_db`, `metadata_store`, `crawler_queue` or `limits_store`.",
    resolve: ({ dependency }) => REST_NAMES[dependency],
  },
  message: typed("String", "What it is, in words."),
});

const Health = objectType<HealthReport>("Health", "The state of the service.").with({
  status: typed(HealthStatus, "The service as a whole."),
  version: typed("String", "The service's version."),
  uptimeSeconds: typed("NonNegativeInt", "Seconds since it started."),
  dependencies: typed(Dependencies, "Each dependency."),
  problems: typed([HealthProblem], "What is wrong, in words: one for each dependency that is not `ok`."),
});

queryField("health", "nothing", {
  ...typed(Health, "The state of the service and its dependencies."),
  resolve: (_root, _args, context) => context.services.health(),
});
