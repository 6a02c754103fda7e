/** Reports what the service does to its observers, such as metrics. Never a name that users gave. */

/** A piece of work. There are few names of each kind. */
export interface Observed<T> {
  kind: "graphql" | "graph" | "crawl";
  name: string;
  /** How work that did not fail has ended. Default: `ok`. */
  outcomeOf?: (result: T) => string;
}

/** Runs work, and notes how long it took and how it ended. */
export type Observe = <T>(what: Observed<T>, work: () => Promise<T>) => Promise<T>;

export const observeNothing: Observe = (_what, work) => work();

/** Lets several observers observe the same work. */
export function observeByAll(observers: readonly Observe[]): Observe {
  return observers.reduceRight<Observe>(
    (inner, outer) => (what, work) => outer(what, () => inner(what, work)),
    observeNothing,
  );
}
