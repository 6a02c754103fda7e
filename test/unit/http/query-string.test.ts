import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { parseQueryString } from "../../../src/http/body/query-string.ts";

describe("Query strings", () => {
  test("A query string returns any text that a client put in", () => {
    const text = fc.string({ unit: "grapheme" });
    fc.assert(
      fc.property(fc.dictionary(text, text), (parameters) => {
        const query = new URLSearchParams(Object.entries(parameters)).toString();
        expect(parseQueryString(query)).toEqual({ values: { ...parameters }, faults: [] });
      }),
    );
  });

  test("A query string may have empty parts and names without values", () => {
    expect(parseQueryString("&a=1&&b&")).toEqual({ values: { a: "1", b: "" }, faults: [] });
  });

  test("A query string keeps an equals sign in a value", () => {
    expect(parseQueryString("cursor=abc==").values).toEqual({ cursor: "abc==" });
  });

  test("A query string reads a plus as a space, and %2B as a plus", () => {
    expect(parseQueryString("search=a+b%2B").values).toEqual({ search: "a b+" });
  });

  test.each(["%", "%2", "%zz", "%ff", "%C3", "%ED%A0%80"])(
    "A query string has a fault if it contains %s",
    (malformed) => {
      expect(parseQueryString(`a=${malformed}`).faults).toEqual([
        { field: "a", message: "is not percent-encoded UTF-8" },
      ]);
      expect(parseQueryString(`${malformed}=a`).faults).toHaveLength(1);
    },
  );

  test("A query string has a fault if a name occurs twice, in any encoding", () => {
    expect(parseQueryString("a=1&%61=1").faults).toEqual([{ field: "a", message: "is given more than once" }]);
  });
});
