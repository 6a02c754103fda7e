import { availableParallelism } from "node:os";
import { join } from "node:path";

import { defineConfig } from "vitest/config";

// Every process that a test starts compiles the sources once between them. What has changed since is compiled again.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/compiled");

const TESTS = "test/**/*.test.ts";

export default defineConfig({
  test: {
    globalSetup: ["test/support/run-folder.ts"],
    setupFiles: ["test/support/setup.ts"],
    // These limits only end what hangs. On a busy machine everything may take thirty times as long as on an idle one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Shorter, so that the error says what did not come. Tests wait by `expect.poll`, because the limit of `vi.waitFor` is
    // always one second unless the call names another one.
    expect: { poll: { timeout: 120_000 } },
    // What a file changes outside of itself it changes back, so the files that a process runs share what it has loaded.
    isolate: false,
    // Tests wait for a browser, a process or a thread a third of their time, so there are more of them than cores.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    // Node loads the sources itself, as it does in production.
    experimental: { viteModuleRunner: false },
    projects: [
      { extends: true, test: { name: "fast", include: [TESTS], exclude: ["test/**/*.full.test.ts"] } },
      // Everything, and in the files of the fast project more cases: test/support/depth.ts.
      { extends: true, test: { name: "full", include: [TESTS], env: { TEST_DEPTH: "full" } } },
    ],
  },
});
