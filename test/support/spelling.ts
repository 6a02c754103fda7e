/** Real SQL, spelled differently with the same meaning, and SQL with one changed word. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { tokenize } from "@polyglot-sql/sdk";
import fc from "fast-check";
import { z } from "zod";

import { findDialect, GENERIC } from "../../src/sql-lineage/dialect.ts";
import { readCorpus } from "./sql-corpus.ts";

export interface Text {
  sql: string;
  dialect: string;
}

interface Piece {
  /** As it is in the text. */
  text: string;
  /** The text between it and the piece before it. */
  before: string;
  kind: "word" | "literal" | "sign";
}

const PROJECTS = join(import.meta.dirname, "../../../shared/data/dbt");
const MANIFEST = z.object({
  metadata: z.object({ adapter_type: z.string() }),
  nodes: z.record(z.string(), z.object({ compiled_code: z.string().nullish() })),
});
const WORD = /^[\p{L}_][\p{L}\p{N}_$]*$/u;
const KEYWORDS = new Set(
  "select from where and or on join left inner outer cross group by order having union all with case when then else end in between over partition distinct".split(
    " ",
  ),
);
/** Signs that can replace each other in every dialect. */
const OTHER_SIGN: Readonly<Record<string, string>> = {
  "=": "<>",
  "<>": "=",
  "!=": "=",
  "<": "<=",
  ">": ">=",
  "+": "-",
};

/** The texts of the corpus, and the models of the available projects. */
export function realTexts(): Text[] {
  const corpus = readCorpus().map(({ request: { sql, dialect } }) => ({ sql, dialect }));
  const projects = existsSync(PROJECTS) ? readdirSync(PROJECTS) : [];
  const models = projects.flatMap((project) => {
    const path = join(PROJECTS, project, "manifest.json");
    if (!existsSync(path)) return [];
    const { metadata, nodes } = MANIFEST.parse(JSON.parse(readFileSync(path, "utf8")));
    return Object.values(nodes).flatMap(({ compiled_code: sql }) =>
      sql == null ? [] : [{ sql, dialect: metadata.adapter_type }],
    );
  });
  return [...corpus, ...models];
}

function piecesOf({ sql, dialect }: Text): { pieces: Piece[]; rest: string } {
  const { tokens = [] } = tokenize(sql, (findDialect(dialect) ?? GENERIC).parser);
  const characters = [...sql];
  let at = 0;
  const pieces = tokens.map(({ text: value, span: { start, end } }): Piece => {
    const before = characters.slice(at, start).join("");
    const text = characters.slice(start, end).join("");
    at = end;
    const isWord = WORD.test(text) && text === value;
    return { text, before, kind: isWord ? "word" : /^(?:'|\d)/.test(text) ? "literal" : "sign" };
  });
  return { pieces, rest: characters.slice(at).join("") };
}

/** Whether the case of this word has no meaning at all. */
function isCaseless(pieces: readonly Piece[], i: number, { dialect }: Text): boolean {
  const { folding, relationCase } = findDialect(dialect) ?? GENERIC;
  const { text = "", kind } = pieces[i] ?? {};
  // A name behind a dot or a colon may be a key of a document, and one behind a slash may be a file.
  const isInPath = [".", ":", "/"].includes(pieces[i - 1]?.text ?? "");
  const isKeyword = KEYWORDS.has(text.toLowerCase());
  return kind === "word" && !isInPath && (isKeyword || (folding !== "keep" && relationCase === undefined));
}

/** The text with other case, space, comments and signs of the same meaning. */
export function respelled(text: Text): fc.Arbitrary<string> {
  const { pieces, rest } = piecesOf(text);
  const space = fc.constantFrom("", " ", "\n", " -- x\n", "/* y */");
  const change = fc.record({ upper: fc.maxSafeNat(), space });
  return fc.infiniteStream(change).map((changes) => {
    const written = pieces.map(({ text: piece, before }, i) => {
      const { upper, space: more } = changes.next().value;
      const letters = [...piece].map((letter, at) => {
        return (upper >> (at % 30)) % 2 === 0 ? letter.toLowerCase() : letter.toUpperCase();
      });
      const sign = piece === "<>" ? "!=" : piece === "!=" ? "<>" : piece;
      // Space is only added where there is some.
      return before + (before === "" ? "" : more) + (isCaseless(pieces, i, text) ? letters.join("") : sign);
    });
    return written.join("") + rest;
  });
}

/** The text with one literal, sign or name of a column changed, or the text itself if it has none. */
export function edited(text: Text): fc.Arbitrary<string> {
  const { pieces, rest } = piecesOf(text);
  const edits = pieces.flatMap(({ text: piece, kind }, i): [number, string][] => {
    const sign = OTHER_SIGN[piece];
    if (sign !== undefined) return [[i, sign]];
    if (kind === "literal") return [[i, piece.startsWith("'") ? `'_${piece.slice(1)}` : `${piece}1`]];
    // A name before a dot may be a relation, which the digest knows by its order and not by its name.
    const isLast = pieces[i + 1]?.text !== "(" && pieces[i + 1]?.text !== ".";
    const isColumn = pieces[i - 1]?.text === "." && kind === "word" && isLast;
    return isColumn ? [[i, `${piece}_2`]] : [];
  });
  if (edits.length === 0) return fc.constant(text.sql);
  return fc.constantFrom(...edits).map(([at, piece]) => {
    return pieces.map(({ text: old, before }, i) => before + (i === at ? piece : old)).join("") + rest;
  });
}
