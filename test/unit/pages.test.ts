/** The Markdown pages: their links lead somewhere, and they are short enough to be read. */
import { existsSync } from "node:fs";
import { posix } from "node:path";

import { describe, expect, it } from "vitest";

import { findAnchors, findTargets, type Page, readPages, ROOT } from "../support/pages.ts";
import { present } from "../support/present.ts";

const pages = readPages();

/** Links that lead nowhere within the repository; those to other hosts are not followed. */
function brokenLinks(page: Page): string[] {
  return findTargets(page).filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? page.path : posix.join(posix.dirname(page.path), path);
    if (!existsSync(`${ROOT}${file}`)) return true;
    if (anchor === undefined) return false;
    const there = pages.find((each) => each.path === file);
    return there === undefined || !findAnchors(there).includes(anchor);
  });
}

const lengthOf = (path: string): number => present(pages.find((page) => page.path === path)).text.split("\n").length;

describe("the pages", () => {
  it.each(pages)("link to files and headings that exist: $path", (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it("are told apart by whether their links lead somewhere", () => {
    const text =
      "[a](README.md) [b](docs/nowhere.md) [c](docs/dbt.md#downloads) [d](docs/dbt.md#uploads) [e](#x) [f](https://x.test)";
    expect(brokenLinks({ path: "page.md", text })).toEqual(["docs/nowhere.md", "docs/dbt.md#uploads", "#x"]);
  });

  it("are all reached from the README", () => {
    const linked = findTargets(present(pages[0]));
    expect(pages.filter(({ path }) => path.startsWith("docs/") && !linked.includes(path))).toEqual([]);
  });

  it("keep to a length that people read", () => {
    const docs = pages.filter(({ path }) => path.startsWith("docs/")).map(({ path }) => path);
    expect(docs.filter((path) => lengthOf(path) > 200)).toEqual([]);
    expect(lengthOf("README.md")).toBeLessThanOrEqual(150);
  });
});
