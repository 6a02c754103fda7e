/** Classes are only names to the compiler, so these tests compare the pages with their style sheets. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { describe, expect, it } from "vitest";

const UI = join(import.meta.dirname, "../../../src/ui");
const read = (path: string): string => readFileSync(join(UI, path), "utf8");

/** The classes that a sheet defines. */
function classesOf(sheet: string): Set<string> {
  const selectors = read(sheet)
    .replaceAll(/\/\*.*?\*\/|:global\([^)]*\)/gs, "")
    .replaceAll(/\{[^{}]*\}/g, "{}");
  return new Set([...selectors.matchAll(/\.([a-z][\w-]*)/gi)].map((match) => match[1] ?? ""));
}

const words = (text: string): string[] =>
  text
    .replaceAll(/\$\{[^}]*\}/g, " ")
    .split(/\s+/)
    .filter(Boolean);

const sources = globSync("**/*.tsx", { cwd: UI }).map((path) => ({ path, text: read(path) }));

/** The classes of its modules that a source names, and whether it also chooses some by a variable. */
const uses = sources.flatMap(({ path, text }) =>
  [...text.matchAll(/import (\w+) from "(.*\.module\.css)"/g)].map(([, name = "", sheet = ""]) => ({
    path,
    sheet: join(dirname(path), sheet),
    names: [...text.matchAll(new RegExp(`${name}\\["([\\w-]+)"\\]`, "g"))].map((match) => match[1] ?? ""),
    isChosen: new RegExp(`${name}\\[[^"]`).test(text),
  })),
);

describe("Classes of the workspace UI", () => {
  it("Every class that a source takes from a module exists", () => {
    const missing = uses.flatMap(({ path, sheet, names }) => {
      const defined = classesOf(sheet);
      return names.filter((name) => !defined.has(name)).map((name) => `${path}: ${name}`);
    });
    expect(missing).toEqual([]);
  });

  it("Every class that a module defines is used", () => {
    const unused = globSync("**/*.module.css", { cwd: UI }).flatMap((sheet) => {
      const users = uses.filter((use) => use.sheet === sheet);
      if (users.some(({ isChosen }) => isChosen)) return [];
      const named = new Set(users.flatMap(({ names }) => names));
      return [...classesOf(sheet)].filter((name) => !named.has(name)).map((name) => `${sheet}: ${name}`);
    });
    expect(unused).toEqual([]);
  });

  it("Every shared class that a source names exists, and every shared class is used", () => {
    const shared = classesOf("theme/shared.css");
    const named = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/className=(?:"([^"]*)"|\{`([^`]*)`\})/g)].flatMap(([, plain, template]) =>
        words(plain ?? template ?? "").map((name) => ({ path, name })),
      ),
    );
    expect(named.filter(({ name }) => !shared.has(name))).toEqual([]);
    const literals = new Set(
      sources.flatMap(({ text }) =>
        [...text.matchAll(/["`]([^"`\n]*)["`]/g)].flatMap((match) => words(match[1] ?? "")),
      ),
    );
    expect([...shared].filter((name) => !literals.has(name))).toEqual([]);
  });
});
