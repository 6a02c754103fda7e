/** Attacks by variables and bodies that are large, deep or of the wrong form. */
import { graphql, graphqlText, post } from "../client.ts";
import { type Attack, MEGABYTE, nonce } from "./attack.ts";

const CHANGES = "query($changes: [ChangeInput!]!) { changeSetImpact(changes: $changes) { summary { totalAffected } } }";

/** Unknown members of an object, up to this number of characters. */
function unknownMembers(characters: number, seed: number): string {
  const members: string[] = [];
  for (let length = 0, at = 0; length < characters; at++) {
    const member = `"k${seed}_${at}":${at}`;
    members.push(member);
    length += member.length + 1;
  }
  return members.join(",");
}

const nested = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth);

const unknownKeys = (characters: number): Attack => ({
  name: `unknown keys in an input variable, ${characters / 1_000} KB`,
  aim: ({ hub }, random) =>
    graphqlText(
      CHANGES,
      `{"changes":[{"id":"${hub}","changeType":"deprecate",${unknownMembers(characters, nonce(random))}}]}`,
    ),
});

const IMPACT = "/api/v1/lineage/impact";
const QUESTION = "/api/v1/agents/query";

export const INPUT_ATTACKS: readonly Attack[] = [
  unknownKeys(15_000),
  unknownKeys(120_000),
  unknownKeys(900_000),
  {
    name: "a megabyte of {} as [ChangeInput!]!",
    aim: () => graphqlText(CHANGES, `{"changes":[${"{},".repeat(MEGABYTE / 3 - 100)}{}]}`),
  },
  {
    name: "a megabyte of null as [ChangeInput!]!",
    aim: () => graphqlText(CHANGES, `{"changes":[${"null,".repeat(MEGABYTE / 5 - 100)}null]}`),
  },
  {
    name: "a megabyte of deeply nested arrays as a variable",
    aim: () => graphqlText(CHANGES, `{"changes":${nested(MEGABYTE / 2 - 100, "[", "]")}}`),
  },
  {
    name: "nested arrays of 5,000 levels as a variable",
    aim: () => graphqlText(CHANGES, `{"changes":${nested(5_000, "[", "]")}}`),
  },
  {
    name: "nested objects of 5,000 levels as a variable",
    aim: ({ hub }) =>
      graphqlText(
        CHANGES,
        `{"changes":[{"id":"${hub}","changeType":${nested(5_000, '{"a":', "}").replace(":}", ":1}")}}]}`,
      ),
  },
  {
    name: "a megabyte of empty arrays as a variable",
    aim: () => graphqlText(CHANGES, `{"changes":[${"[],".repeat(MEGABYTE / 3 - 100)}[]]}`),
  },
  {
    name: "a megabyte of variables that are not declared",
    aim: (_targets, random) =>
      graphqlText("{ viewer { id } }", `{${unknownMembers(MEGABYTE - 20_000, nonce(random))}}`),
  },
  {
    name: "one key, repeated for a megabyte",
    aim: () => graphqlText(CHANGES, `{"changes":[{${'"id":1,'.repeat(MEGABYTE / 7 - 100)}"id":1}]}`),
  },
  {
    name: "an id of 900 KB in a variable",
    aim: (_targets, random) =>
      graphql("query($id: ID!) { asset(id: $id) { id } }", { id: `${nonce(random)}`.padEnd(900_000, "x") }),
  },
  {
    name: "an enum of 900 KB in a variable",
    aim: ({ hub }) => graphql(CHANGES, { changes: [{ id: hub, changeType: "deprecate_".repeat(90_000) }] }),
  },
  {
    name: "50 changes with a newType of 20 KB each",
    aim: ({ hubColumn }) => {
      const newType = "varchar(10) ".repeat(1_666);
      return graphql(CHANGES, {
        changes: Array.from({ length: 50 }, () => ({ id: hubColumn, changeType: "type_change", newType })),
      });
    },
  },
  {
    name: "unknown keys in a REST body, 1 MB",
    aim: ({ hub }, random) =>
      post(
        IMPACT,
        `{"asset_id":"${hub}","change_type":"deprecate",${unknownMembers(MEGABYTE - 20_000, nonce(random))}}`,
      ),
  },
  {
    name: "unknown keys in the context of a REST question, 1 MB",
    aim: (_targets, random) =>
      post(QUESTION, `{"query":"who owns hub?","context":{${unknownMembers(MEGABYTE - 20_000, nonce(random))}}}`),
  },
  {
    name: "a megabyte of ids in the context of a REST question",
    aim: ({ hub }) =>
      post(QUESTION, `{"query":"who owns hub?","context":{"asset_ids":[${`"${hub}",`.repeat(29_000)}"${hub}"]}}`),
  },
  {
    name: "a megabyte of deeply nested arrays as a REST body",
    aim: () => post(IMPACT, nested(MEGABYTE / 2 - 100, "[", "]")),
  },
  {
    name: "a megabyte that is not UTF-8",
    aim: () => post("/graphql", Buffer.alloc(MEGABYTE, 0xc3)),
  },
  {
    name: "broken UTF-8 in a query",
    aim: () =>
      post(
        "/graphql",
        Buffer.concat([
          Buffer.from('{"query":"{ asset(id: \\"'),
          Buffer.from([0xf0, 0x9f, 0x92]),
          Buffer.from('\\") { id } }"}'),
        ]),
      ),
  },
  {
    name: "lone surrogates in a query",
    aim: () => post("/graphql", String.raw`{"query":"{ asset(id: \"\ud800\") { id } }"}`),
  },
  {
    name: "a megabyte that is not JSON",
    aim: () => post("/graphql", `{"query":"${"\\u0041".repeat(170_000)}`),
  },
  {
    name: "two megabytes",
    aim: () => post("/graphql", Buffer.alloc(2 * MEGABYTE, 0x20)),
  },
];
