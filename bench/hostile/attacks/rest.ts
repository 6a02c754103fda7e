/** Attacks over REST: questions, walks, impacts, and strange addresses. */
import { get, post } from "../client.ts";
import { type Attack, nonce, pick } from "./attack.ts";

const ODD = [..."\"*%_()^~'\\:;-+./§ßéÅ漢字🦊\u0301\u200d\u202e\u0007\t ", "NEAR", "OR", "AND NOT", "m0_1", "orders"];

function oddText(characters: number, random: () => number): string {
  let text = "";
  while (text.length < characters) text += pick(ODD, random);
  return text.slice(0, characters).toWellFormed();
}

const ask = (query: string) => post("/api/v1/agents/query", JSON.stringify({ query }));

function words(random: () => number, characters: number, word: () => string): string {
  let text = pick(["what breaks if I drop", "who owns", "what feeds", "how many models use"], random);
  while (text.length < characters - 30) text += ` ${word()}`;
  return `${text.slice(0, characters - 1)}?`;
}

export const REST_ATTACKS: readonly Attack[] = [
  {
    name: "a question of 2,000 characters, of names that there are",
    aim: (_targets, random) => ask(words(random, 2_000, () => `m${nonce(random) % 3}_${nonce(random) % 3_300}`)),
  },
  {
    name: "a question that names 40 assets",
    aim: (_targets, random) =>
      ask(
        `who owns ${Array.from({ length: 40 }, () => `postgres.shop.marts.m0_${nonce(random) % 3_300}`).join(", ")}?`,
      ),
  },
  {
    name: "a question of 2,000 characters, of misspelt words",
    aim: (_targets, random) =>
      ask(
        words(
          random,
          2_000,
          () => `${pick(["ordrs", "custmers", "paymnts", "sesions", "invioces"], random)}${nonce(random) % 99}`,
        ),
      ),
  },
  {
    name: "a question of 2,000 characters, of one letter each",
    aim: (_targets, random) => ask(words(random, 2_000, () => pick([..."abcdefghijklm"], random))),
  },
  {
    name: "a question of 4,000 characters, with no space",
    aim: (_targets, random) => ask(`${nonce(random)}`.repeat(300).slice(0, 4_000)),
  },
  {
    name: "a question of 2,000 odd characters",
    aim: (_targets, random) => ask(oddText(2_000, random)),
  },
  { name: "the question of what breaks without the hub", aim: () => ask("what breaks if I drop hub?") },
  {
    name: "the question of the way from one end of the chain to the other",
    aim: () => ask("how does link_0 get to link_299?"),
  },
  {
    name: "a REST walk of the hub, depth 10",
    aim: ({ hub }) => get(`/api/v1/lineage/downstream?asset_id=${hub}&depth=10`),
  },
  {
    name: "a REST walk of the hub's column, depth 10",
    aim: ({ hubColumn }) => get(`/api/v1/lineage/downstream?asset_id=${hubColumn}&depth=10`),
  },
  {
    name: "a REST walk from a dashboard up, depth 10",
    aim: ({ dashboards }, random) => get(`/api/v1/lineage/upstream?asset_id=${pick(dashboards, random)}&depth=10`),
  },
  {
    name: "a REST impact of the hub",
    aim: ({ hub }) => post("/api/v1/lineage/impact", JSON.stringify({ asset_id: hub, change_type: "column_drop" })),
  },
  {
    name: "a REST impact of a wide table",
    aim: ({ wide }) =>
      post("/api/v1/lineage/impact", JSON.stringify({ asset_id: wide[0], change_type: "type_change" })),
  },
  { name: "a large asset by REST", aim: ({ large }, random) => get(`/api/v1/catalog/assets/${pick(large, random)}`) },
  { name: "a wide table by REST", aim: ({ wide }, random) => get(`/api/v1/catalog/assets/${pick(wide, random)}`) },
  { name: "a page of 200 by REST", aim: () => get("/api/v1/catalog/assets?limit=200&search=shop+marts") },
  {
    name: "a search of 200 odd characters",
    aim: (_targets, random) => get(`/api/v1/catalog/assets?search=${encodeURIComponent(oddText(200, random))}`),
  },
  {
    name: "a search of 60 common words",
    aim: () => get(`/api/v1/catalog/assets?limit=200&search=${"shop+marts+m0+m1+hub+id+".repeat(10)}`),
  },
  {
    name: "a search of one letter",
    aim: (_targets, random) => get(`/api/v1/catalog/assets?limit=200&search=${pick([..."abcdefmost"], random)}`),
  },
  {
    name: "an id of 8,000 characters",
    aim: (_targets, random) => get(`/api/v1/catalog/assets/${nonce(random)}${"x".repeat(8_000)}`),
  },
  {
    name: "500 parameters",
    aim: (_targets, random) =>
      get(
        `/api/v1/catalog/assets?${Array.from({ length: 500 }, (_, at) => `p${at}=${nonce(random) % 1_000}`).join("&")}`,
      ),
  },
  {
    name: "one parameter 500 times",
    aim: () => get(`/api/v1/catalog/assets?${Array.from({ length: 500 }, (_, at) => `search=${at}`).join("&")}`),
  },
  { name: "a path of 14,000 characters", aim: () => get(`/api/v1${"/a".repeat(7_000)}`) },
  { name: "a path of 60,000 characters", aim: () => get(`/api/v1${"/a".repeat(30_000)}`) },
  { name: "a path of broken escapes", aim: () => get(`/api/v1/catalog/assets/${"%c3%28".repeat(500)}`) },
  { name: "a cursor of 8,000 characters", aim: () => get(`/api/v1/catalog/assets?cursor=${"eyJ".repeat(2_600)}`) },
  { name: "the OpenAPI document", aim: () => get("/openapi.json") },
  { name: "the page of the documentation", aim: () => get("/docs") },
  { name: "the health of the service", aim: () => get("/health") },
];
