/** Wraps parts of the service, so that what they do is observed. */
import type { GraphReader } from "../graph/catalog-graph.ts";
import type { Limits, Lockout, LockoutName } from "../limits/limits.ts";
import type { RunCrawl } from "../ingest/queue/crawler-queue.ts";
import type { Observe } from "../work/observe.ts";
import type { Metrics } from "./metrics.ts";

/** Observes every call, also those of its readers. */
export function observeGraph<Graph extends GraphReader>(graph: Graph, observe: Observe): Graph {
  const wrapped = new Map<string | symbol, unknown>();
  return new Proxy(graph, {
    get(_target, name) {
      if (!wrapped.has(name)) wrapped.set(name, wrapMember(graph, name, observe));
      return wrapped.get(name);
    },
  });
}

function wrapMember(target: object, name: string | symbol, observe: Observe): unknown {
  const member: unknown = Reflect.get(target, name, target);
  if (typeof member !== "function" || typeof name === "symbol") return member;
  if (name === "readerFor") return (...args: unknown[]) => observeGraph(Reflect.apply(member, target, args), observe);
  return (...args: unknown[]) => observe({ kind: "graph", name }, () => Reflect.apply(member, target, args));
}

export function observeCrawls(run: RunCrawl, observe: Observe): RunCrawl {
  return (sync, ...rest) =>
    observe({ kind: "crawl", name: "crawl", outcomeOf: ({ status }) => status }, () => run(sync, ...rest));
}

/** Counts decisions and lockouts. */
export function countLimits(limits: Limits, metrics: Pick<Metrics, "noteAdmission" | "noteLockout">): Limits {
  const { rateLimiter, lockouts } = limits;
  const count = (of: LockoutName): Lockout => ({
    ...lockouts[of],
    async noteFailure(source) {
      const hasBlocked = await lockouts[of].noteFailure(source);
      if (hasBlocked) metrics.noteLockout(of);
      return hasBlocked;
    },
  });
  return {
    ...limits,
    rateLimiter: {
      ...rateLimiter,
      async admit(id, limit, units) {
        const decision = await rateLimiter.admit(id, limit, units);
        metrics.noteAdmission(decision.admitted);
        return decision;
      },
    },
    lockouts: {
      authentication: count("authentication"),
      "login-email": count("login-email"),
      "login-client": count("login-client"),
    },
  };
}
