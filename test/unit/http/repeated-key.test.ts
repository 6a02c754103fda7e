import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { findRepeatedKey } from "../../../src/http/body/json-body.ts";

/** Text between quotes, with escapes, braces and quotes in it. */
const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom('"', "\\", "{", "}", '":', '{"a":1,"a":2}', "a"));
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: "small" },
    text,
    fc.integer(),
    fc.constant(null),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(text, tie("json"), { maxKeys: 4 }),
  ),
}));

describe("findRepeatedKey", () => {
  it("findRepeatedKey finds no key in JSON that was written from objects", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(findRepeatedKey(JSON.stringify(value, null, 1))).toBeUndefined();
      }),
    );
  });

  it("findRepeatedKey finds a repeated key in any position", () => {
    fc.assert(
      fc.property(text, json, json, json, (key, one, other, around) => {
        const name = JSON.stringify(key);
        const object = `{${name} : ${JSON.stringify(one)}, ${name}:${JSON.stringify(other)}}`;
        const whole = `[${JSON.stringify(around)}, {"outside": ${object}}, ${JSON.stringify(around)}]`;
        expect(findRepeatedKey(whole)).toBe(key);
      }),
    );
  });

  it("findRepeatedKey can read the longest body of any content", () => {
    for (const piece of ['\\"', "\\\\", "x", "{", '{\\"a\\":1}']) {
      const long = JSON.stringify({ key: piece.repeat(200_000) });
      expect(findRepeatedKey(long)).toBeUndefined();
    }
    expect(findRepeatedKey(`[${"{},".repeat(300_000)}{"a":1,"a":1}]`)).toBe("a");
  });
});
