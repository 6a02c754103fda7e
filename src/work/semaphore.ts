/** Limits concurrency to `most`. The others wait in the order of their calls. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>;

export function createSemaphore(most: number): Semaphore {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
