/**
 * The imports of the files of `src`. The formatter gives every import one shape, so that a pattern reads it exactly.
 */
import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";

export interface SourceFile {
  /** From the project's root, such as `src/catalog/edge.ts`. */
  path: string;
  text: string;
}

export interface Import {
  /** The importing file. */
  from: string;
  /** A file's path from the project's root, or a package's name as it is written. */
  to: string;
}

/** `import … from "x"` and `export … from "x"`, `import "x"`, `import("x")` and `new URL("./x", import.meta.url)`. */
const STATEMENT = /^(?:import|export) (?:type )?(?:[\w*]+(?: as \w+)?(?:, )?)?(?:\{[^}]*\})? ?from "([^"]+)";/gm;
const OTHER_FORMS = [/^import "([^"]+)";/gm, /\bimport\("([^"]+)"\)/g, /\bnew URL\("(\.[^"]+)", import\.meta\.url\)/g];

export function readSources(): SourceFile[] {
  return globSync("src/**/*.{ts,tsx}").map((path) => ({
    path: path.replaceAll("\\", "/"),
    text: readFileSync(path, "utf8"),
  }));
}

export function parseImports({ path, text }: SourceFile): Import[] {
  const resolve = (target: string): string =>
    target.startsWith(".") ? posix.join(posix.dirname(path), target) : target;
  return [STATEMENT, ...OTHER_FORMS].flatMap((form) =>
    Array.from(text.matchAll(form), ([, target = ""]) => ({ from: path, to: resolve(target) })),
  );
}
