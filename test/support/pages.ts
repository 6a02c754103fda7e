/** Every Markdown file of the repository, and ways for tests to read one. */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { marked, type Token, type Tokens } from "marked";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export interface Page {
  /** From the root of the repository, such as `docs/api.md`. */
  path: string;
  text: string;
}

/** All pages, README first. */
export function readPages(): Page[] {
  const paths = globSync("{*.md,{docs,samples,bench,src,test}/**/*.md}", { cwd: ROOT }).toSorted();
  const ordered = ["README.md", ...paths.filter((path) => path !== "README.md")];
  return ordered.map((path) => ({ path, text: readFileSync(`${ROOT}${path}`, "utf8") }));
}

/** Blocks of code with their language, in the order of the page. */
export function findCodeBlocks({ text }: Page): Tokens.Code[] {
  return findTokens(text, "code").map((token) => token as Tokens.Code);
}

/** The targets of a page's links and images. */
export function findTargets({ text }: Page): string[] {
  return [...findTokens(text, "link"), ...findTokens(text, "image")].map((token) => (token as Tokens.Link).href);
}

/** The anchors that GitHub gives to the headings of a page. */
export function findAnchors({ text }: Page): string[] {
  return findTokens(text, "heading").map((token) =>
    (token as Tokens.Heading).text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function findTokens(text: string, type: Token["type"]): Token[] {
  const found: Token[] = [];
  marked.walkTokens(marked.lexer(text), (token) => {
    if (token.type === type) found.push(token);
  });
  return found;
}
