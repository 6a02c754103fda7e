/** Loaded into a server by a test: a signal makes something go wrong that nobody expects. Its query says what. */
const isRejection = new URL(import.meta.url).search === "?rejection";

process.on("SIGUSR2", () => {
  if (!isRejection) throw new Error("the test's exception");
  void Promise.reject(new Error("the test's rejection"));
});
