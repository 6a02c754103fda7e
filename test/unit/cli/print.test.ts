import { afterEach, describe, expect, it, vi } from "vitest";

import { printError, printLine, printTable } from "../../../src/cli/print.ts";

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

  it("printTable cuts the widest cells to the width of the terminal, and none of what goes elsewhere", () => {
    const rows = [["a".repeat(30), "注".repeat(20), "short"]];
    const print = (columns: number | undefined): string[] => {
      const { isTTY, columns: before } = process.stdout;
      Object.assign(process.stdout, { isTTY: columns !== undefined, columns });
      try {
        return writtenTo(process.stdout, () => printTable(["ONE", "TWO", "THREE"], rows)).split("\n");
      } finally {
        Object.assign(process.stdout, { isTTY, columns: before });
      }
    };
    expect(print(undefined)[1]).toBe(`${"a".repeat(30)}  ${"注".repeat(20)}  short`);
    expect(print(100)[1]).toBe(`${"a".repeat(30)}  ${"注".repeat(20)}  short`);
    expect(print(60)[1]).toBe(`${"a".repeat(24)}…  ${"注".repeat(12)}…   short`);
    // The headings and the shortest columns stay whole in a terminal that is too narrow for anything.
    expect(print(10)).toEqual([
      `ONE           TWO           THREE`,
      `${"a".repeat(11)}…  ${"注".repeat(5)}…   short`,
      "",
    ]);
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
