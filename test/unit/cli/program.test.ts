import { afterEach, expect, it, vi } from "vitest";

import { runCommandLine } from "../../../src/cli/program.ts";

afterEach(() => vi.restoreAllMocks());

it.each([["sync cancel syn_1"], ["audit retention"]])(
  "Options after a subcommand's name belong to the subcommand: %s",
  async (command) => {
    const printed = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const code = await runCommandLine([...command.split(" "), "--server", "http://example.com", "--token", "x"]);
    // Only a command that got --server refuses its address.
    expect(printed.mock.calls.join("")).toContain("would get the token without encryption");
    expect(code).toBe(2);
  },
);
