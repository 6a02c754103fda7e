/** Ctrl-C, and what stands for it where there is no terminal. */

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

/**
 * From now on these signals no longer end the process; several, as a terminal and npm send them at once, count as one.
 * @returns resolves when one came, to the exit code that shells give a process that it ended
 */
export async function stopSignal(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  for (const [name, number] of Object.entries(SIGNALS)) process.on(name, () => resolve(128 + number));
  return promise;
}
