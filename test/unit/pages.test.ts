/** The Markdown pages: their links lead to existing targets, and they are short enough to read. */
import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";

import { describe, expect, it } from "vitest";

import { listTools } from "../../src/mcp/tool-list.ts";
import { SETTINGS } from "../../src/settings/schema.ts";
import { TOOLS } from "../../src/tools/tools.ts";
import { findAnchors, findCodeBlocks, findTargets, type Page, readPages, ROOT } from "../support/pages.ts";
import { present } from "../support/present.ts";

const pages = readPages();
const forUsers = pages.filter(({ path }) => path === "README.md" || path.startsWith("docs/"));

/** Links to missing targets within the repository. Links to other hosts are not followed. */
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

/** Names in backticks that match `pattern`. */
function namesIn({ text }: Page, pattern: RegExp): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = ""]) => pattern.exec(code)?.[0] ?? []);
}

/** Variables of other programs that the pages name. */
const OF_OTHERS = new Set(["GITLAB_TOKEN"]);

const lengthOf = (path: string): number => present(pages.find((page) => page.path === path)).text.split("\n").length;

describe("Pages", () => {
  it.each(pages)("The page links to files and headings that exist: $path", (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it("brokenLinks finds links to missing files and headings", () => {
    const text =
      "[a](README.md) [b](docs/nowhere.md) [c](docs/dbt.md#downloads) [d](docs/dbt.md#uploads) [e](#x) [f](https://x.test)";
    expect(brokenLinks({ path: "page.md", text })).toEqual(["docs/nowhere.md", "docs/dbt.md#uploads", "#x"]);
  });

  it.each(forUsers)("Blocks that tests run install nothing on the machine of the tests: $path", (page) => {
    const scripts = findCodeBlocks(page).flatMap(({ lang, text }) => (lang === "sh" ? [text] : []));
    expect(scripts.filter((text) => /\b(?:pip3?|npm|apt|apt-get|brew) (?:install|ci)\b/.test(text))).toEqual([]);
  });

  it.each(forUsers)("The page names fields and settings that exist: $path", (page) => {
    const fields = namesIn(page, /^[a-z]+([A-Z][a-z]+)+$/);
    const schema = `${readFileSync(`${ROOT}schema/schema.graphql`, "utf8")}${JSON.stringify(listTools(TOOLS))}`;
    expect(fields.filter((field) => !new RegExp(`\\b${field}\\b`).test(schema))).toEqual([]);
    const settings = namesIn(page, /^[A-Z]+(_[A-Z]+)+(?==|$)/);
    const known = new Set(SETTINGS.flatMap(({ name, words }) => (words.isSecret ? [name, `${name}_FILE`] : [name])));
    const missing = settings.filter((setting) => !known.has(setting) && !OF_OTHERS.has(setting));
    expect(missing).toEqual([]);
  });

  it("The README links to every page", () => {
    const linked = findTargets(present(pages[0]));
    expect(pages.filter(({ path }) => path.startsWith("docs/") && !linked.includes(path))).toEqual([]);
  });

  it("The pages are short enough to read", () => {
    const docs = pages.filter(({ path }) => path.startsWith("docs/")).map(({ path }) => path);
    expect(docs.filter((path) => lengthOf(path) > 200)).toEqual([]);
    expect(lengthOf("README.md")).toBeLessThanOrEqual(150);
  });
});
