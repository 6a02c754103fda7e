/** Reads the text of a document, within bounds of size and time. */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoFragmentCyclesRule,
  parse,
  specifiedRules,
  type Token,
  TokenKind,
  validate,
  type ValidationRule,
  visit,
} from "graphql";

import { hasMoreCharacters, shortenMessage } from "../characters.ts";
import { refuse } from "./refusal.ts";

const MAX_CHARACTERS = 64 * 1024;
const MAX_TOKENS = 2_000;
/**
 * An alias is a key of the answer, and is written once for each item of a list. The number of aliases needs no bound of its
 * own: each is a token, those of root fields count against the rate limit, and each is a field that the cost counts.
 */
const MAX_NAME_CHARACTERS = 200;
/** Pairs of fields with one response name. Validation compares them; some 280 fields of one name come to so many. */
const MAX_PAIRS = 40_000;
/** The whole schema takes some ten milliseconds to tell. */
const MAX_SCHEMAS = 1;
const MAX_TYPES = 10;
/** Faults that are told of one document. */
const MAX_FAULTS = 20;

/** @throws GraphQLError for a text that is longer than anyone writes; nothing of it is parsed */
export function requireSize(text: string): void {
  if (!hasMoreCharacters(text, MAX_CHARACTERS)) return;
  throw refuse(`A document may have at most ${MAX_CHARACTERS.toLocaleString("en-US")} characters.`);
}

/** @throws GraphQLError if it is malformed, or has too many or too long words; its message is bounded */
export function parseDocument(text: string): DocumentNode {
  const document = parseTokens(text);
  for (const { kind, value } of listTokens(document)) {
    if (kind === TokenKind.NAME && value.length > MAX_NAME_CHARACTERS) {
      throw refuse(`A name may have at most ${MAX_NAME_CHARACTERS} characters.`);
    }
  }
  return document;
}

function parseTokens(text: string): DocumentNode {
  try {
    return parse(text, { maxTokens: MAX_TOKENS });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const { message, source, positions, extensions } = error;
    throw new GraphQLError(shortenMessage(message), { source, positions, extensions });
  }
}

/** All tokens that a document is held together with, comments among them. */
export function* listTokens({ loc }: DocumentNode): Generator<Token> {
  for (let token = loc?.startToken ?? null; token !== null; token = token.next) yield token;
}

/** What is wrong with a document: none, or at most one more than `MAX_FAULTS`, each of a bounded length. */
export function validateDocument(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  if (countPairs(document) > MAX_PAIRS) return [refuse("The document repeats the same fields too often.")];
  if (countFields(document, "__schema") > MAX_SCHEMAS || countFields(document, "__type") > MAX_TYPES) {
    return [refuse(`A document may ask for __schema once, and for __type ${MAX_TYPES} times.`)];
  }
  // The other rules take circles for long chains, and overflow the stack.
  const circles = applyRules(schema, document, [NoFragmentCyclesRule]);
  const faults = circles.length > 0 ? circles : applyRules(schema, document, specifiedRules);
  return faults.map(({ message, nodes, extensions }) => {
    return new GraphQLError(shortenMessage(message), { nodes: nodes?.slice(0, 2) ?? null, extensions });
  });
}

function applyRules(
  schema: GraphQLSchema,
  document: DocumentNode,
  rules: readonly ValidationRule[],
): readonly GraphQLError[] {
  return validate(schema, document, rules, { maxErrors: MAX_FAULTS });
}

function countFields(document: DocumentNode, name: string): number {
  let count = 0;
  visit(document, {
    Field(field) {
      if (field.name.value === name) count++;
    },
  });
  return count;
}

/** More than any comparison of fields that may merge can come to. */
function countPairs(document: DocumentNode): number {
  const counts = new Map<string, number>();
  visit(document, {
    Field({ alias, name }) {
      const key = (alias ?? name).value;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
  });
  return counts.values().reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
}
