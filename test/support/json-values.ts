/** Values that need every feature of JSON. */
import fc from "fast-check";

const text = fc.string({
  unit: fc.constantFrom("a", " ", '"', "\\", "\n", "\u0001", "\u007f", "é", "🦀", "\ud800", "/"),
});
const scalar = fc.oneof(
  fc.jsonValue({ maxDepth: 0 }),
  text,
  fc.double(),
  fc.date({ noInvalidDate: false }),
  fc.constantFrom(undefined, () => "nothing", Symbol("nothing")),
);

/** Plain data with dates, with values that JSON leaves out, and with every kind of text as value and key. */
export const anyValue = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    scalar,
    fc.array(tie("any"), { maxLength: 8 }),
    fc.dictionary(fc.oneof(text, fc.constant("__proto__"), fc.nat().map(String)), tie("any"), { maxKeys: 8 }),
  ),
})).any;
