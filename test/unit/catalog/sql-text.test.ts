import fc from "fast-check";
import { expect, it, test } from "vitest";

import { plainSql, sqlHash } from "../../../src/catalog/sql-text.ts";

test.each([
  ["select a,\n   b  from t -- all\n", "select a, b from t"],
  ["/* head */ select 'a  --b' , \"c  /*d*/\" from t", "select 'a  --b' , \"c  /*d*/\" from t"],
  ["select 'it''s  so' from t", "select 'it''s  so' from t"],
  ["select `a  b`/* between */from t", "select `a  b` from t"],
])("plainSql turns %j into %j", (sql, plain) => {
  expect(plainSql(sql)).toBe(plain);
});

test.each(["select 'it\\'s --a' from t", "select $$ --a $$", "select /* a /* b */ c */ 1", `select '''it's -- a'''`])(
  "plainSql keeps %j as it is, since dialects differ about it",
  (sql) => {
    expect(plainSql(sql)).toBe(sql);
  },
);

const piece = fc.constantFrom("a", " ", "\n", "'", '"', "`", "--", "/*", "*/", "''", "x  y", ",");

it("plainSql changes nothing if it is applied again", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const plain = plainSql(pieces.join(""));
      expect(plainSql(plain)).toBe(plain);
      expect(sqlHash(plain)).toBe(sqlHash(pieces.join("")));
    }),
  );
});

it("plainSql keeps every letter within quotes", () => {
  const quotable = fc.string().filter((text) => !/['"\\$]|\/\*/.test(text));
  fc.assert(
    fc.property(quotable, (text) => {
      expect(plainSql(`select  '${text}' -- end`)).toBe(`select '${text}'`);
    }),
  );
});

test("plainSql keeps an unclosed comment, and searches for its end only once", () => {
  const open = "/*x*y".repeat(200_000);
  expect(plainSql(`select  1 ${open}`)).toBe(`select 1 ${open}`);
});
