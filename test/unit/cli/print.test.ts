import { afterEach, describe, expect, it, vi } from "vitest";

import { answerJson, printError, printItems, printLine, printTable } from "../../../src/cli/print.ts";

afterEach(() => vi.restoreAllMocks());

/** The text that is written to a stream while the work runs. */
function writtenTo(stream: NodeJS.WriteStream, work: () => void): string {
  let written = "";
  vi.spyOn(stream, "write").mockImplementation((text) => {
    written += String(text);
    return true;
  });
  work();
  vi.restoreAllMocks();
  return written;
}

/** The lines of a table and its hints on a terminal with so many columns, or elsewhere. */
function printedAt(columns: number | undefined, ...table: Parameters<typeof printTable>): string[] {
  const { isTTY, columns: before } = process.stdout;
  Object.assign(process.stdout, { isTTY: columns !== undefined, columns });
  try {
    let written = "";
    const note = (text: string | Uint8Array): boolean => {
      written += String(text);
      return true;
    };
    vi.spyOn(process.stdout, "write").mockImplementation(note);
    vi.spyOn(process.stderr, "write").mockImplementation(note);
    printTable(...table);
    vi.restoreAllMocks();
    return written.split("\n");
  } finally {
    Object.assign(process.stdout, { isTTY, columns: before });
  }
}

function printNone(): void {
  printItems([], { NAME: "name" }, "No metrics. Sync a connector.");
}

const HOSTILE = "\u001b]0;owned\u0007\u009b2J\u202eb\u2028\u200f\u007f";
const ESCAPED = "\\u001b]0;owned\\u0007\\u009b2J\\u202eb\\u2028\\u200f\\u007f";

describe("Printed output", () => {
  it("printLine and printError escape control characters, and printLine keeps line breaks", () => {
    expect(writtenTo(process.stdout, () => printLine(`a\n${HOSTILE}`))).toBe(`a\n${ESCAPED}\n`);
    expect(writtenTo(process.stderr, () => printError(HOSTILE))).toBe(`${ESCAPED}\n`);
  });

  it("printTable keeps each row on one line", () => {
    const table = writtenTo(process.stdout, () => printTable(["A", "B"], [[`${HOSTILE}\n`, "x\ry"]]));
    expect(table.split("\n")).toEqual([`A${" ".repeat(ESCAPED.length + 5)}  B`, `${ESCAPED}\\u000a  x\\u000dy`, ""]);
  });

  it("printTable cuts sentences at their end and names in their middle, and nothing of what goes elsewhere", () => {
    const row = [`shop.marts.${"a".repeat(30)}.end`, "The 注文 are new ".repeat(4).trim()];
    const print = (columns?: number) => printedAt(columns, ["NAME", "WHY"], [row]);
    expect(print()[1]).toBe(row.join("  "));
    expect(print(120)[1]).toBe(row.join("  "));
    expect(print(80)[1]).toBe(`shop.marts.aaaaaaaa…aaaaaaaaaaaaaaaa.end  The 注文 are new The 注文 are new The…`);
    expect(print(60)[1]).toBe(`shop.marts.aaa…aaaaaaaaaaa.end  The 注文 are new The 注文 a…`);
  });

  it("printTable leaves out ids and the last columns of a terminal that is too narrow, and says which ones", () => {
    const headings = ["METRIC", "ID", "CERTIFICATION", "BY", "AT"];
    const row = [
      "shop.finance.net_revenue",
      "i".repeat(36),
      "certified",
      "ada@example.com",
      "2026-05-01T08:00:00.000Z",
    ];
    const print = (columns: number) => printedAt(columns, headings, [row]);
    expect(print(80)).toEqual([
      "METRIC                    CERTIFICATION  BY               AT",
      "shop.finance.net_revenue  certified      ada@example.com  2026-05-01…:00:00.000Z",
      "Not shown: ID. A wider terminal and --json show it.",
      "",
    ]);
    expect(print(30)).toEqual([
      "METRIC           CERTIFICATION",
      "shop.fi…revenue  certified",
      "Not shown: ID, BY, AT. A wider terminal and --json show them.",
      "",
    ]);
    expect(print(12)[1]).toBe("shop.…evenue");
    for (let columns = 12; columns <= 130; columns++) {
      for (const line of print(columns).slice(0, 2)) expect(line.length).toBeLessThanOrEqual(columns);
    }
  });

  it("printTable keeps the status longest, because a list of keys without it would not tell which ones are revoked", () => {
    const headings = ["ID", "NAME", "SCOPES", "CREATED", "STATUS"];
    const row = ["k".repeat(36), "loader", "read,write", "2026-05-01T08:00:00.000Z", "revoked"];
    const [heads, line, hint] = printedAt(60, headings, [row]);
    expect(heads).toMatch(/^ID +NAME +SCOPES +STATUS$/);
    expect(line).toMatch(/^k+…k+ +loader +read,write +revoked$/);
    expect(hint).toBe("Not shown: CREATED. A wider terminal and --json show it.");
  });

  it("printTable does not cut its only column, which a terminal can break", () => {
    expect(printedAt(20, ["DO FIRST"], [["a long sentence ".repeat(4)]])[1]).toHaveLength(63);
  });

  it("printItems says in a sentence that a list is empty, and as JSON prints the empty list", () => {
    expect(writtenTo(process.stdout, printNone)).toBe("");
    expect(writtenTo(process.stderr, printNone)).toBe("No metrics. Sync a connector.\n");
    answerJson(true);
    try {
      expect(writtenTo(process.stdout, printNone)).toBe("[]\n");
      expect(writtenTo(process.stderr, printNone)).toBe("");
    } finally {
      answerJson(false);
    }
  });

  it("printTable aligns columns by the width that a terminal draws", () => {
    const table = writtenTo(process.stdout, () =>
      printTable(
        ["NAME", "KIND"],
        [
          ["注文", "table"],
          ["👩‍💻e\u0301", "model"],
        ],
      ),
    );
    expect(table).toBe("NAME  KIND\n注文  table\n👩‍💻e\u0301   model\n");
  });
});
