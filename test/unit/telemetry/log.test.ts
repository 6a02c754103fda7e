import { Writable } from "node:stream";
import { once } from "node:events";

import { expect, it } from "vitest";

import { createLog } from "../../../src/telemetry/log.ts";

const parse = (taken: readonly string[]) =>
  taken
    .join("")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

it("The log drops lines while its reader stands still, and then says how many were lost", async () => {
  const taken: string[] = [];
  let letGo: (() => void) | undefined;
  const sink = new Writable({
    write(chunk, _encoding, done) {
      taken.push(String(chunk));
      if (letGo !== undefined) done();
      else letGo = done;
    },
  });
  const log = createLog("info", sink);
  const long = "x".repeat(10_000);
  for (let line = 0; line < 1_000; line++) log.info({ line, long }, "one of many");
  expect(sink.writableLength).toBeLessThan(1_200_000);

  const drained = once(sink, "drain");
  letGo?.();
  await drained;
  log.info("the reader is back");

  const lines = parse(taken);
  const written = lines.filter(({ msg }) => msg === "one of many").length;
  expect(written).toBeGreaterThan(90);
  expect(lines.slice(written)).toMatchObject([
    { level: 50, lost: 1_000 - written, msg: `${1_000 - written} lines of the log were lost: it could not be written` },
    { msg: "the reader is back" },
  ]);
});
