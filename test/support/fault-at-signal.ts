/**
 * Loaded into a server by a test: a signal causes an unexpected error. The query of this module's URL selects which.
 */
const isRejection = new URL(import.meta.url).search === "?rejection";

process.on("SIGUSR2", () => {
  if (!isRejection) throw new Error("the test's exception");
  void Promise.reject(new Error("the test's rejection"));
});
