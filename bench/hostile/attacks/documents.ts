/** Attacks by the text of a GraphQL document, against parsing, validating, counting and compiling. */
import { graphql } from "../client.ts";
import { aliases, type Attack, MEGABYTE, nonce } from "./attack.ts";

const behindComment = (name: string, characters: number): Attack => ({
  name: `a small query behind a comment of ${name}`,
  aim: (_targets, random) => graphql(`# ${nonce(random)} ${"x".repeat(characters)}\n{ viewer { id } }`),
});

/** Each fragment spreads the next one twice. */
function doublingFragments(amount: number, end: string): string {
  const fragments = Array.from({ length: amount }, (_, at) => {
    const next = at === amount - 1 ? end : `...f${at + 1} a: __typename ...f${at + 1}`;
    return `fragment f${at} on Query { ${next} }`;
  });
  return `{ ...f0 ...f0 } ${fragments.join(" ")}`;
}

/** A selection nested in itself this many times. */
function within(levels: number, wrap: (inner: string) => string, innermost: string): string {
  let text = innermost;
  for (let level = 0; level < levels; level++) text = wrap(text);
  return text;
}

export const DOCUMENT_ATTACKS: readonly Attack[] = [
  behindComment("60 KB", 60_000),
  behindComment("1 MB", MEGABYTE - 10_000),
  {
    name: "a small query behind a megabyte of commas",
    aim: (_targets, random) => graphql(`${",".repeat(MEGABYTE - 100)}{ a${nonce(random)}: viewer { id } }`),
  },
  {
    name: "a string of 900 KB in a query",
    aim: (_targets, random) => graphql(`{ asset(id: "${nonce(random)}${"x".repeat(900_000)}") { id } }`),
  },
  {
    name: "a block string of many lines in a query",
    aim: (_targets, random) => graphql(`{ asset(id: """${nonce(random)}${"\n x".repeat(250_000)}""") { id } }`),
  },
  {
    name: "a name of 900 KB in a query",
    aim: (_targets, random) => graphql(`{ asset(id: "a") { n${nonce(random)}${"x".repeat(900_000)} } }`),
  },
  {
    name: "fragments that double 20 times",
    aim: (_targets, random) => graphql(`${doublingFragments(20, "viewer { id }")} # ${nonce(random)}`),
  },
  {
    name: "fragments that double 90 times",
    aim: (_targets, random) => graphql(`${doublingFragments(90, "viewer { id }")} # ${nonce(random)}`),
  },
  {
    name: "fragments that double 20 times around a list",
    aim: (_targets, random) =>
      graphql(`${doublingFragments(20, "assets(first: 200) { nodes { id name } }")} # ${nonce(random)}`),
  },
  {
    name: "fragments in a circle",
    aim: () => graphql("{ ...a } fragment a on Query { ...b } fragment b on Query { viewer { id } ...a }"),
  },
  {
    name: "a document of 30 levels",
    aim: ({ hub }) =>
      graphql(
        `{ asset(id: "${hub}") { ${within(13, (inner) => `upstream(first: 1) { nodes { ${inner} } }`, "id")} } }`,
      ),
  },
  {
    name: "a document of 600 levels",
    aim: ({ hub }) => graphql(`{ asset(id: "${hub}") ${within(600, (inner) => `{ parent ${inner} }`, "{ id }")} }`),
  },
  {
    name: "inline fragments of 600 levels",
    aim: () => graphql(`{ ${within(600, (inner) => `... { ${inner} }`, "viewer { id }")} }`),
  },
  {
    name: "a list of 950 levels in a query",
    aim: () => graphql(`{ changeSetImpact(changes: ${"[".repeat(950)}${"]".repeat(950)}) { truncated } }`),
  },
  {
    name: "one field 1,800 times",
    aim: (_targets, random) => graphql(`{ viewer { ${"id ".repeat(1_800)} } } # ${nonce(random)}`),
  },
  {
    name: "overlapping fields, 150 side by side, with fields below",
    aim: ({ hub }, random) => {
      const overlap = "upstream { nodes { id name } } ";
      return graphql(`{ asset(id: "${hub}") { ${overlap.repeat(150)} } } # ${nonce(random)}`);
    },
  },
  {
    name: "overlapping fields behind inline fragments, 3 levels",
    aim: ({ hub }, random) => {
      const inner = within(3, (text) => `... on Asset { upstream { nodes { ${text} } } } `.repeat(5), "id ");
      return graphql(`{ asset(id: "${hub}") { ${inner} } } # ${nonce(random)}`);
    },
  },
  {
    name: "overlapping fragments, each with each",
    aim: ({ hub }, random) => {
      const names = Array.from({ length: 80 }, (_, at) => `g${at}`);
      const all = names.map((name) => `...${name}`).join(" ");
      const fragments = names.map((name) => `fragment ${name} on Asset { upstream { nodes { id name } } }`).join(" ");
      return graphql(
        `{ asset(id: "${hub}") { ${all} upstream { nodes { ... on Asset { ${all} } } } } } ${fragments} # ${nonce(random)}`,
      );
    },
  },
  ...[2, 3, 4].map((levels): Attack => ({
    name: `introspection, ${levels} levels of fields' types`,
    aim: (_targets, random) => {
      const inner = within(levels, (text) => `fields { name description type { ofType { ${text} } ${text} } }`, "name");
      return graphql(`{ __schema { types { ${inner} } } } # ${nonce(random)}`);
    },
  })),
  {
    name: "introspection under 28 aliases",
    aim: (_targets, random) => {
      const schema = "__schema { types { name description fields { name description args { name } } } }";
      return graphql(`{ ${aliases(28, () => schema)} } # ${nonce(random)}`);
    },
  },
  {
    name: "300 variables that are not used",
    aim: (_targets, random) => {
      const declared = Array.from({ length: 300 }, (_, at) => `$v${at}: [ChangeInput!]`).join(" ");
      return graphql(`query(${declared}) { viewer { id } } # ${nonce(random)}`);
    },
  },
  {
    name: "450 unknown fields",
    aim: (_targets, random) => {
      const fields = Array.from({ length: 450 }, (_, at) => `sourceConector${nonce(random)}_${at}`).join(" ");
      return graphql(`{ asset(id: "a") { ${fields} } }`);
    },
  },
  {
    name: "450 unknown directives",
    aim: (_targets, random) => {
      const directives = Array.from({ length: 450 }, () => `@skp${nonce(random)}`).join(" ");
      return graphql(`{ viewer ${directives} { id } }`);
    },
  },
  {
    name: "200 operations in one document",
    aim: (_targets, random) => {
      const operations = Array.from({ length: 200 }, (_, at) => `query q${at} { viewer { id } }`).join(" ");
      const query = `${operations} # ${nonce(random)}`;
      const body = JSON.stringify({ query, operationName: "q199" });
      return { method: "POST", path: "/graphql", body: Buffer.from(body) };
    },
  },
];
