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
