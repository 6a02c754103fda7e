/** Values for arguments, by their types: mostly valid, some at the edge, and some invalid. */
import {
  getNullableType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from "graphql";

import { pick } from "../attacks/attack.ts";

/** A part of the generator. All of its choices come from one seed. */
export interface Chooser {
  random: () => number;
  /** Ids of existing items. */
  ids: readonly string[];
}

export const chance = ({ random }: Chooser, probability: number): boolean => random() < probability;
export const upTo = ({ random }: Chooser, most: number): number => Math.floor(random() * (most + 1));

const HOSTILE_INTEGERS = [0, -1, 1, 200, 201, 2 ** 31 - 1, -(2 ** 31), 2 ** 31, 2 ** 53, -0.5, 1e308];
const WORDS = ["orders", "hub", "m0_1", "customers daily", "revenue", "shop.marts.hub", "team-1@example.com"];
const HOSTILE_TEXTS = [
  "",
  " ",
  "\u0000",
  "%",
  '"*"',
  "' or 1=1 --",
  "🦊".repeat(200),
  "a\u0301".repeat(500),
  "x".repeat(5_000),
  "__proto__",
  "constructor",
  "\u202eevil",
  "NEAR(a b, 5)",
  "1e999",
  "null",
];
const MISFITS: readonly unknown[] = [null, true, 7, -1.5, "text", [], {}, [[]], { a: { b: 1 } }, "__proto__", [null]];

/** The shares of values at the edge, and of invalid values. */
const HOSTILE = 0.15;
const MISFIT = 0.02;

export function makeValue(chooser: Chooser, type: GraphQLInputType, depth = 0): unknown {
  if (chance(chooser, MISFIT)) return pick(MISFITS, chooser.random);
  if (!isNonNullType(type) && chance(chooser, 0.1)) return null;
  const inner = getNullableType(type);
  if (isListType(inner)) {
    const length = chance(chooser, HOSTILE) ? pick([0, 1, 50, 51, 101], chooser.random) : 1 + upTo(chooser, 2);
    return Array.from({ length }, () => makeValue(chooser, inner.ofType as GraphQLInputType, depth + 1));
  }
  if (isEnumType(inner)) {
    return chance(chooser, MISFIT) ? "no_such_value" : pick(inner.getValues(), chooser.random).name;
  }
  if (isInputObjectType(inner)) {
    const fields = Object.values(inner.getFields()).filter(({ type: of }) => isNonNullType(of) || chance(chooser, 0.6));
    const members = fields.map((field): [string, unknown] => [field.name, makeValue(chooser, field.type, depth + 1)]);
    if (chance(chooser, MISFIT)) members.push(["unknownMember", 1]);
    return Object.fromEntries(members);
  }
  return makeScalar(chooser, inner.name);
}

function makeScalar(chooser: Chooser, name: string): unknown {
  const { random, ids } = chooser;
  const hostile = chance(chooser, HOSTILE);
  switch (name) {
    case "ID":
      return hostile ? pick(HOSTILE_TEXTS, random) : pick(ids, random);
    case "Int":
      return hostile ? pick(HOSTILE_INTEGERS, random) : 1 + upTo(chooser, chance(chooser, 0.2) ? 60 : 9);
    case "Float":
      return random() * 100;
    case "Boolean":
      return chance(chooser, 0.5);
    default:
      if (hostile) return pick(HOSTILE_TEXTS, random);
      return chance(chooser, 0.3) ? pick(ids, random) : pick(WORDS, random);
  }
}

/** A value in GraphQL's syntax, in which the type tells enums from strings. */
export function printValue(value: unknown, type: GraphQLInputType): string {
  if (value === null || value === undefined) return "null";
  const inner = getNullableType(type);
  if (Array.isArray(value)) {
    const item = isListType(inner) ? (inner.ofType as GraphQLInputType) : type;
    return `[${value.map((each) => printValue(each, item)).join(" ")}]`;
  }
  if (typeof value === "object") {
    const fields = isInputObjectType(inner) ? inner.getFields() : {};
    const members = Object.entries(value).map(
      ([key, each]) => `${key}: ${printValue(each, fields[key]?.type ?? type)}`,
    );
    return `{${members.join(" ")}}`;
  }
  if (typeof value === "string" && isEnumType(inner)) return value;
  return JSON.stringify(value);
}
