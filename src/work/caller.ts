/** On whose behalf work is done. */
export interface Caller {
  /** Who takes turns with others: a key, an account, or a part of the service such as a crawl. */
  readonly holder: string;
  /** Aborted when nobody waits for the answer any more: the client is gone, or the time for it is over. */
  readonly signal: AbortSignal;
}

/** The service itself, whose work nobody calls off. */
export const THE_SERVICE: Caller = { holder: "service", signal: new AbortController().signal };
