/** Lets so many works run at one time. The others wait in their order. */
export type Places = <T>(work: () => Promise<T>) => Promise<T>;

export function createPlaces(most: number): Places {
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
