import { join } from "node:path";

import { defineConfig } from "vitest/config";

// Every process that a test starts compiles the sources once between them. What has changed since is compiled again.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/compiled");

const shared = {
  testTimeout: 30_000,
  hookTimeout: 30_000,
  // Node loads the sources itself, as it does in production.
  experimental: { viteModuleRunner: false },
};

export default defineConfig({
  test: {
    // One core is left idle otherwise, which on a machine with two is half of them.
    maxWorkers: "100%",
    projects: [
      {
        test: {
          ...shared,
          name: "units",
          include: ["test/unit/**/*.test.ts", "test/contract/**/*.test.ts", "test/architecture.test.ts"],
          // These change nothing outside of themselves, so the files that a process runs share what it has loaded.
          isolate: false,
        },
      },
      {
        test: {
          ...shared,
          name: "service",
          include: ["test/integration/**/*.test.ts", "test/browser/**/*.test.ts"],
        },
      },
    ],
  },
});
