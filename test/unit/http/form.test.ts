import { describe, expect, it } from "vitest";

import { readForm } from "../../../src/http/body/form.ts";

const CHUNK_BYTES = 64 * 1024;
const TYPE = "multipart/form-data; boundary=x";

const part = (name: string, content: string, file = "") =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`;
const FILE = '; filename="manifest.json"';

/** Reads a form that arrives in chunks, and counts the chunks and turns that it took. */
async function read(text: string, type = TYPE) {
  const body = Buffer.from(text, "latin1");
  const seen = { chunks: 0, turns: 0 };
  async function* arrive() {
    for (let at = 0; at < body.length; at += CHUNK_BYTES) {
      seen.chunks++;
      yield body.subarray(at, at + CHUNK_BYTES);
    }
  }
  const pace = { isDue: () => true, next: () => Promise.resolve(void seen.turns++) };
  const outcome = await readForm(arrive(), type, pace).catch((error: unknown) => error);
  return { ...seen, outcome, bytes: body.length };
}

describe("Multipart forms", () => {
  it("A form has its texts, and the sizes of its files", async () => {
    const { outcome } = await read(`${part("map", "{}")}${part("0", "x".repeat(200_000), FILE)}--x--\r\n`);
    expect(outcome).toEqual({ texts: new Map([["map", "{}"]]), fileBytes: new Map([["0", 200_000]]) });
  });

  it("A form is read in small pieces, each in its own turn", async () => {
    const { turns, bytes } = await read(`${part("0", "x".repeat(2_000_000), FILE)}--x--\r\n`);
    expect(turns).toBeGreaterThan(bytes / 5_000);
  });

  it.each<[string, string, RegExp]>([
    ["of a million empty parts", "--x\r\n\r\n\r\n".repeat(1_000_000), /too many parts/],
    ["of a million delimiters", "--x\r\n".repeat(1_000_000), /too many parts/],
    ["of many named texts", Array.from({ length: 90_000 }, (_, n) => part(`t${n}`, "")).join(""), /too many parts/],
    ["with a name of a megabyte", part("n".repeat(1_000_000), ""), /needs a name of at most 256/],
    ["with a text that is too long", part("map", "x".repeat(3_000_000)), /at most 262144 bytes/],
    ["with two texts of one name", `${part("a", "").repeat(2)}${part("0", "x".repeat(900_000), FILE)}`, /same name/],
    [
      "with a text without a name",
      `--x\r\nContent-Disposition: form-data\r\n\r\n${"x".repeat(200_000)}\r\n`,
      /needs a name/,
    ],
  ])("A form %s is refused", async (_what, text, message) => {
    const { outcome } = await read(`${text}--x--\r\n`);
    expect(outcome).toMatchObject({ code: "bad_request", message: expect.stringMatching(message) });
  });

  it.each<[string, string]>([
    ["of a million parts", "--x\r\n\r\n\r\n".repeat(1_000_000)],
    ["with two texts of one name", `${part("a", "").repeat(2)}${part("0", "x".repeat(900_000), FILE)}`],
  ])("A form %s is not read beyond its first fault", async (_what, text) => {
    const { chunks } = await read(text);
    expect(chunks).toBe(1);
  });

  it.each<[string, string]>([
    ["a million header lines in one part", `--x\r\n${"a: b\r\n".repeat(1_000_000)}`],
    ["a header that never ends", `--x\r\na: ${"b".repeat(5_000_000)}`],
    ["a file that never ends", part("0", "x".repeat(1_000_000), FILE)],
    ["no delimiter", "x".repeat(1_000_000)],
  ])("A form with %s is not well-formed", async (_what, text) => {
    const { outcome } = await read(text);
    expect(outcome).toMatchObject({ code: "bad_request", message: expect.stringMatching(/well-formed/) });
  });

  it("A form inside a part of another form is returned as a text", async () => {
    const inner = "--y\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--y--";
    const nested = `--x\r\nContent-Disposition: form-data; name="b"\r\nContent-Type: multipart/mixed; boundary=y\r\n\r\n${inner}\r\n--x--`;
    const { outcome } = await read(nested);
    expect(outcome).toMatchObject({ texts: new Map([["b", inner]]) });
  });

  it("A form may have a boundary of many dashes", async () => {
    const dashes = "-".repeat(60);
    const text = `--${dashes}\r\nContent-Disposition: form-data; name="a"\r\n\r\n${"\r\n-".repeat(50_000)}\r\n--${dashes}--`;
    const { outcome } = await read(text, `multipart/form-data; boundary=${dashes}`);
    expect(outcome).toMatchObject({ texts: new Map([["a", "\r\n-".repeat(50_000)]]) });
  });

  it("A form needs a boundary in the Content-Type", async () => {
    expect((await read("", "multipart/form-data")).outcome).toMatchObject({
      message: "The Content-Type needs a boundary.",
    });
  });
});
