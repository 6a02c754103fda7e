/** The near side of a worker thread on the graph's file: calls it by name, starts it at the first call. */
import { Worker } from "node:worker_threads";

import { unavailable } from "../../errors.ts";
import { type Calls, fromFailure, type Reply, type Request } from "./thread-messages.ts";

export interface Thread<T extends Calls<T>> {
  /** Calls are answered in the order in which they were made. */
  call: <K extends keyof T & string>(method: K, ...args: Parameters<T[K]>) => Promise<ReturnType<T[K]>>;
  /** Finishes what is under way and ends the thread. */
  close: () => Promise<void>;
}

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/**
 * @param script the module that the thread runs; it calls `serveCalls`
 * @param path the graph's file
 */
export function createThread<T extends Calls<T>>(script: URL, path: string): Thread<T> {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let lastId = 0;
  let closed = false;

  const start = (): Worker => {
    const started = new Worker(script, { workerData: path });
    started.on("message", (reply: Reply) => {
      const call = waiting.get(reply.id);
      waiting.delete(reply.id);
      if ("failure" in reply) call?.reject(fromFailure(reply.failure));
      else call?.resolve(reply.value);
    });
    let fault: unknown;
    started.on("error", (error) => {
      fault = error;
    });
    started.on("exit", () => {
      // The next call starts a new thread.
      worker = undefined;
      for (const { reject } of waiting.values()) reject(unavailable(`The work on ${path} broke off.`, fault));
      waiting.clear();
    });
    return started;
  };

  return {
    call: (method, ...args) =>
      new Promise((resolve, reject) => {
        if (closed) throw unavailable(`${path} is closed.`);
        worker ??= start();
        const request: Request = { id: ++lastId, method, args };
        // The reply to a request carries what its method answers.
        waiting.set(request.id, { resolve: resolve as (value: unknown) => void, reject });
        worker.postMessage(request, []);
      }),
    async close() {
      closed = true;
      if (worker === undefined) return;
      // Not by `once` of node:events, which rejects where the thread ends by an error; its calls have been told of that.
      const { promise: ended, resolve } = Promise.withResolvers<unknown>();
      worker.once("exit", resolve);
      worker.postMessage({ id: 0, method: null, args: [] } satisfies Request, []);
      await ended;
    },
  };
}
