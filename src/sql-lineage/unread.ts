/** Finds parts of a statement that were never read. They may use columns that the answer does not contain. */
import type { SqlFindings } from "./findings.ts";
import type { Node } from "./syntax.ts";

/** @returns why a use may be missing; null if every name and every query of the tree was read */
export function findUnread(node: unknown, findings: SqlFindings): string | null {
  if (typeof node !== "object" || node === null || findings.isHandled(node)) return null;
  if (Array.isArray(node)) return findFirst(node, findings);
  const entries = Object.entries(node);
  const [[tag, content] = ["", null]] = entries;
  if (entries.length !== 1 || typeof content !== "object" || content === null)
    return findFirst(Object.values(node), findings);
  if (tag === "data_type") return null;
  if (findings.isHandled(content)) return tag === "select" ? findUnread(content, findings) : null;
  // The tag decides the type of the content. A span also has a key `column`, but it holds a number.
  if (tag === "column") return `the meaning of ${(content as Node<"column">).name.name} in its place is not known`;
  if (tag === "select") return "a query inside the SQL was not read";
  return findUnread(content, findings);
}

function findFirst(parts: readonly unknown[], findings: SqlFindings): string | null {
  for (const part of parts) {
    const reason = findUnread(part, findings);
    if (reason !== null) return reason;
  }
  return null;
}
