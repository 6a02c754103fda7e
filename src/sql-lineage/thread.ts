/** Reads SQL in threads of its own, so that no request waits for it, and whatever a text does to the parser. */
import { Worker } from "node:worker_threads";

import { unavailable } from "../errors.ts";
import type { LineageAnswer, LineageRequest } from "./request.ts";
import type { ThreadReply } from "./thread-reply.ts";

export interface SqlLineage {
  /**
   * Resolves a statement's columns; many may be asked for at once and are taken in their order.
   * A text that takes too long or ends its thread is answered as unresolved.
   * @throws AppError `unavailable` when it is closed
   */
  resolve: (request: LineageRequest) => Promise<LineageAnswer>;
  /** Ends the threads at once; what has not been answered by then is refused. */
  close: () => Promise<void>;
}

export interface SqlLineageOptions {
  /** How many texts are read at the same time. */
  threads?: number;
  /** How long one text may take; the start of a thread, about half a second, is part of it. */
  timeoutMs?: number;
  /** A thread that has had nothing to read for so long ends, which gives back its hundreds of megabytes. */
  idleMs?: number;
  /** The module that a thread runs. */
  script?: URL;
}

interface Job {
  request: LineageRequest;
  resolve: (answer: LineageAnswer) => void;
  reject: (error: Error) => void;
}

interface Seat {
  worker: Worker | undefined;
  job: Job | undefined;
  /** Runs out when the job has taken too long, or when there has been none for long. */
  timer: NodeJS.Timeout | undefined;
}

const DEFAULT_TIMEOUT_MS = 20_000;
const DEFAULT_IDLE_MS = 30_000;
/** Deep trees are read by recursion; a statement that needs more memory than this is given up. */
const RESOURCE_LIMITS = { stackSizeMb: 16, maxOldGenerationSizeMb: 1024 };

/** Ends a seat's thread; the next text gets a new one, and nothing that this one still says is heard. */
function dismiss(seat: Seat): Promise<unknown> | undefined {
  const { worker } = seat;
  seat.worker = undefined;
  worker?.removeAllListeners().on("error", () => undefined);
  return worker?.terminate();
}

/** Starts its threads when there is something to read. */
export function createSqlLineage({
  threads = 1,
  timeoutMs = DEFAULT_TIMEOUT_MS,
  idleMs = DEFAULT_IDLE_MS,
  script = new URL("./parser-thread.ts", import.meta.url),
}: SqlLineageOptions = {}): SqlLineage {
  const waiting: Job[] = [];
  const seats = Array.from({ length: threads }, (): Seat => ({ worker: undefined, job: undefined, timer: undefined }));
  let closed = false;

  const finish = (seat: Seat, answer: LineageAnswer): void => {
    seat.job?.resolve(answer);
    seat.job = undefined;
    takeNext(seat);
  };

  const start = (seat: Seat): Worker => {
    const worker = new Worker(script, { resourceLimits: RESOURCE_LIMITS });
    worker.on("message", ({ answer, broken }: ThreadReply) => {
      if (broken) void dismiss(seat);
      finish(seat, answer);
    });
    const die = (reason: string): void => {
      void dismiss(seat);
      finish(seat, { unresolved: `the parser's thread ended: ${reason}`, gaveUp: true });
    };
    worker.on("error", (error) => die(error instanceof Error ? error.message : String(error)));
    worker.on("exit", (code) => die(`exit code ${code}`));
    return worker;
  };

  const takeNext = (seat: Seat): void => {
    clearTimeout(seat.timer);
    seat.job = waiting.shift();
    if (seat.job === undefined) {
      seat.timer = setTimeout(() => void dismiss(seat), idleMs).unref();
      return;
    }
    seat.worker ??= start(seat);
    seat.timer = setTimeout(() => {
      void dismiss(seat);
      finish(seat, { unresolved: `reading the text took longer than ${timeoutMs / 1000} seconds`, gaveUp: true });
    }, timeoutMs);
    seat.worker.postMessage(seat.job.request, []);
  };

  return {
    resolve: (request) =>
      new Promise((resolve, reject) => {
        if (closed) throw unavailable("The reader of SQL is closed.");
        waiting.push({ request, resolve, reject });
        const idle = seats.find((seat) => seat.job === undefined);
        if (idle !== undefined) takeNext(idle);
      }),
    async close() {
      closed = true;
      const unanswered = [...seats.flatMap(({ job }) => (job === undefined ? [] : [job])), ...waiting.splice(0)];
      await Promise.all(
        seats.map((seat) => {
          clearTimeout(seat.timer);
          seat.job = undefined;
          return dismiss(seat);
        }),
      );
      for (const { reject } of unanswered) reject(unavailable("The reader of SQL was closed."));
    },
  };
}
