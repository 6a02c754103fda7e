/** How Vite builds the workspace UI, and serves it while it is worked on. */
import type { InlineConfig } from "vite";

import { HASHED_FOLDER, UI_SOURCES } from "./places.ts";

export const SHARED_OPTIONS = {
  root: UI_SOURCES,
  // Everything is said here, so that no file of the surroundings changes a build.
  configFile: false,
  envDir: false,
  oxc: { jsx: { runtime: "automatic" } },
} as const satisfies InlineConfig;

export function toBuildOptions(outDir: string): InlineConfig {
  return {
    ...SHARED_OPTIONS,
    logLevel: "error",
    build: {
      outDir,
      emptyOutDir: true,
      assetsDir: HASHED_FOLDER,
      // The policy of the pages permits data: for pictures only, so that fonts must be files.
      assetsInlineLimit: 0,
      // Every browser that knows light-dark() preloads modules by itself.
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  };
}
