/**
 * Limits the memory of request bodies. Only bytes that have arrived count, so a body that arrives slowly takes nothing
 * from the others.
 */
import { type AppError, overloaded } from "../../errors.ts";
import { keyIsBusy } from "../../work/refusals.ts";

export interface BodyMemoryLimits {
  /** Bytes of all bodies together. */
  all: number;
  /** Bytes of the bodies of one account. */
  ofOne: number;
}

/** The sender of a body. All keys of an account count together. */
interface BodyOwner {
  account: string;
  workspace: string;
  /** Stops the request. */
  giveUp: (reason: AppError) => void;
}

/** The memory of one body. */
export interface BodyRoom {
  /** Counts bytes that have arrived. If there are too many, a request is stopped, possibly this one. */
  grow(bytes: number): void;
  /** Call it when the body is no longer in memory. */
  release(): void;
}

interface Body extends BodyOwner {
  bytes: number;
}

export function createBodyMemory({ all, ofOne }: BodyMemoryLimits) {
  /** In the order in which they began. */
  const bodies = new Set<Body>();

  function stop(body: Body, reason: AppError): void {
    bodies.delete(body);
    body.giveUp(reason);
  }

  return {
    open(owner: BodyOwner): BodyRoom {
      const body = { ...owner, bytes: 0 };
      bodies.add(body);
      return {
        grow(bytes) {
          if (!bodies.has(body)) return;
          body.bytes += bytes;
          if (sumOf([...bodies].filter(({ account }) => account === body.account)) > ofOne) {
            stop(body, keyIsBusy());
          }
          while (sumOf(bodies) > all) {
            const [youngest] = largest(largest([...bodies], "workspace"), "account").slice(-1);
            if (youngest === undefined) return;
            stop(youngest, overloaded("There is no memory for so many large bodies at the same time."));
          }
        },
        release() {
          bodies.delete(body);
        },
      };
    },
  };
}

/** The bodies of the workspace or account whose bodies are the largest in total. */
function largest(bodies: readonly Body[], by: "workspace" | "account"): Body[] {
  const groups = [...Map.groupBy(bodies, (body) => body[by]).values()];
  return groups.toSorted((a, b) => sumOf(b) - sumOf(a))[0] ?? [];
}

function sumOf(bodies: Iterable<Body>): number {
  let sum = 0;
  for (const { bytes } of bodies) sum += bytes;
  return sum;
}
