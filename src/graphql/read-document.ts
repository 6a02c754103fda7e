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
 * The length matters because an alias is written into the answer once for each item of a list. The number of aliases needs
 * no bound of its own: each is a token and a field of the cost, and those of root fields count against the rate limit.
 */
const MAX_NAME_CHARACTERS = 200;
/** How many pairs of fields may have the same response name. Validation compares each pair; 280 such fields are this many. */
const MAX_PAIRS = 40_000;
/** To answer the whole schema takes about ten milliseconds. */
const MAX_SCHEMAS = 1;
const MAX_TYPES = 10;
/** How many faults of one document are reported. */
const MAX_FAULTS = 20;

/** @throws GraphQLError if the text is too long to be parsed */
export function requireSize(text: string): void {
  if (!hasMoreCharacters(text, MAX_CHARACTERS)) return;
  throw refuse(`A document may have at most ${MAX_CHARACTERS.toLocaleString("en-US")} characters.`);
}

/** @throws GraphQLError if it is malformed, or has too many tokens or too long names; its message is bounded */
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

/** All tokens that a parsed document keeps in memory, comments included. */
export function* listTokens({ loc }: DocumentNode): Generator<Token> {
  for (let token = loc?.startToken ?? null; token !== null; token = token.next) yield token;
}

/** Returns the faults of a document: at most one more than `MAX_FAULTS`, each of a bounded length. */
export function validateDocument(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  if (countPairs(document) > MAX_PAIRS) return [refuse("The document repeats the same fields too often.")];
  if (countFields(document, "__schema") > MAX_SCHEMAS || countFields(document, "__type") > MAX_TYPES) {
    return [refuse(`A document may ask for __schema once, and for __type ${MAX_TYPES} times.`)];
  }
  // The other rules would follow a cycle of fragments until the stack overflows.
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

/** More than any comparison of fields can need. */
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
