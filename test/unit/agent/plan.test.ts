import { describe, expect, it } from "vitest";
import { z } from "zod";

import { PLAN_FORM } from "../../../src/agent/model/plan-form.ts";
import { allOf, anyOf, type Condition, not, only, planSchema } from "../../../src/agent/plan.ts";

const certified: Condition = { is: "certification", any: ["certified"] };
const daily: Condition = { is: "tag", any: ["daily"] };
const owned: Condition = { is: "has", feature: "owner" };
const sorted = (words: Iterable<string>): string[] => [...new Set(words)].toSorted();
const list = (where: unknown) => ({ tell: "list", find: { types: ["model"], where } });

describe("the schema of plans", () => {
  it.each<[what: string, plan: unknown]>([
    ["a list of everything", { tell: "list", find: {} }],
    ["a list in an order", { tell: "list", find: {}, order: { by: "all downstream", least: true }, limit: 5 }],
    [
      "a count of a condition within conditions",
      { tell: "count", find: { where: { is: "all", of: [certified, not(daily)] } } },
    ],
    [
      "whether all of a set meet something",
      { tell: "whether", find: { types: ["metric"] }, where: certified, all: true },
    ],
    [
      "what lies along lineage of another set",
      list({ is: "along", along: { way: "upstream", of: { where: daily }, depth: 2 } }),
    ],
    ["what a change of another set affects", list({ is: "affected", by: { ids: ["a"] }, change: "column_drop" })],
    [
      "a measure of some neighbours",
      list({ is: "measure", of: "downstream", among: { types: ["model"] }, least: 1, most: 1 }),
    ],
    ["a date", list({ is: "date", of: "certified", from: "2026-01-01" })],
    ["an aspect", { tell: "aspect", find: { ids: ["a"] }, aspect: "trail" }],
    ["groups", { tell: "groups", find: {}, by: "owner", limit: 1 }],
    ["a path", { tell: "path", from: { ids: ["a"] }, to: { ids: ["b"] } }],
    ["an impact", { tell: "impact", find: { ids: ["a"] }, change: "deprecate", owners: true }],
    ["connectors", { tell: "connectors", names: ["shop"], count: true }],
  ])("takes %s", (_what, plan) => {
    expect(planSchema.parse(plan)).toEqual(plan);
  });

  it.each<[what: string, plan: unknown]>([
    ["nothing", {}],
    ["what it does not know to tell", { tell: "drop", find: {} }],
    ["a set that is missing", { tell: "list" }],
    ["a field that it does not know", { tell: "list", find: {}, say: "hello" }],
    ["a field of a set that it does not know", { tell: "list", find: { sql: "select 1" } }],
    ["a type that it does not know", { tell: "list", find: { types: ["secret"] } }],
    ["no types", { tell: "list", find: { types: [] } }],
    ["a condition that it does not know", list({ is: "sql", text: "select 1" })],
    ["a condition with another's field", list({ is: "has", any: ["owner"] })],
    ["an empty text", list({ is: "tag", any: [""] })],
    ["a text that is too long", list({ is: "text", words: "a".repeat(201) })],
    ["too many values", list({ is: "tag", any: Array.from({ length: 51 }, () => "a") })],
    ["too many conditions", list({ is: "any", of: Array.from({ length: 13 }, () => daily) })],
    ["hops that are none", list({ is: "along", along: { way: "upstream", of: {}, depth: 0 } })],
    ["too many hops", list({ is: "along", along: { way: "upstream", of: {}, depth: 11 } })],
    ["a way that there is not", list({ is: "along", along: { way: "sideways", of: {} } })],
    ["a date that is none", list({ is: "date", of: "certified", from: "tomorrow" })],
    ["half a number", list({ is: "measure", of: "columns", least: 1.5 })],
    ["a limit of nothing", { tell: "list", find: {}, limit: 0 }],
  ])("refuses %s", (_what, plan) => {
    expect(planSchema.safeParse(plan).success).toBe(false);
  });
});

describe("the form of plans that a language model is told", () => {
  const form = PLAN_FORM.replaceAll(/ \/\/.*/g, "");
  const schema = JSON.stringify(z.toJSONSchema(planSchema));

  it("has each word that the schema takes, and no other", () => {
    const taken = schema
      .matchAll(/"(?:enum":\[([^\]]*)\]|const":("[^"]*"))/g)
      .flatMap(([, some = "", one = ""]) => JSON.parse(`[${some || one}]`) as string[]);
    const told = form.matchAll(/"([^"]*)"/g).map(([, word = ""]) => word);
    expect(sorted(told).filter((word) => word !== "YYYY-MM-DD")).toEqual(sorted(taken));
  });

  it("has each field that the schema takes, and no other", () => {
    const taken = schema.matchAll(/"properties":(\{.*?\}),"(?:required|additionalProperties)/g);
    const fields = [...taken].flatMap(([, some = ""]) =>
      [...some.matchAll(/"(\w+)":\{/g)].map(([, name = ""]) => name),
    );
    const told = form.matchAll(/(\w+)\??:/g).map(([, name = ""]) => name);
    const ofSchema = new Set(["properties", "items", "additionalProperties"]);
    expect(sorted(told).filter((name) => name !== "plans")).toEqual(
      sorted(fields.filter((name) => !ofSchema.has(name))),
    );
  });
});

describe("conditions", () => {
  it("are joined without nesting what need not be", () => {
    expect(allOf(undefined, undefined)).toBeUndefined();
    expect(allOf(undefined, certified)).toBe(certified);
    expect(allOf(allOf(certified, daily), owned)).toEqual({ is: "all", of: [certified, daily, owned] });
    expect(anyOf(anyOf(certified, daily), owned)).toEqual({ is: "any", of: [certified, daily, owned] });
  });

  it("keep what is joined by or together within what is joined by and", () => {
    expect(allOf(anyOf(certified, daily), owned)).toEqual({ is: "all", of: [anyOf(certified, daily), owned] });
  });

  it("are turned round twice to what they were", () => {
    expect(not(certified)).toEqual({ is: "not", of: certified });
    expect(not(not(certified))).toBe(certified);
  });

  it("narrow a set without changing it", () => {
    const set = { where: certified };
    expect(only(set, daily)).toEqual({ where: { is: "all", of: [certified, daily] } });
    expect(set).toEqual({ where: certified });
  });
});
