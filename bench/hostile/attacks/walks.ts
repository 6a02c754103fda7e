/** Attacks by large reads and answers of GraphQL, in all ways. */
import { readFileSync } from "node:fs";

import { graphql } from "../client.ts";
import { aliases, type Attack, nonce, pick } from "./attack.ts";

const LINEAGE = "nodes { id } edges { from to }";
const MANIFEST_FILE = new URL("../../../samples/shop/manifest.json", import.meta.url);

/** The sample's manifest with other SQL in it. */
function changedManifest(): string {
  const text = JSON.stringify(JSON.parse(readFileSync(MANIFEST_FILE, "utf8")));
  return text.replaceAll("amount", "amount_");
}
let manifest: string | undefined;

export const WALK_ATTACKS: readonly Attack[] = [
  {
    name: "28 aliases of a large asset's sql",
    aim: ({ large }) => graphql(`{ ${aliases(28, () => `asset(id: "${large[0]}") { sql }`)} }`),
  },
  {
    name: "28 aliases of sql in a list of large assets",
    aim: () => graphql(`{ assets(first: 20, search: "huge") { nodes { ${aliases(28, () => "sql")} } } }`),
  },
  {
    name: "3 aliases of sql in a list of large assets",
    aim: () => graphql(`{ assets(first: 20, search: "huge") { nodes { ${aliases(3, () => "sql")} } } }`),
  },
  {
    name: "30 hub walks of depth 10",
    aim: ({ hub, models }) =>
      graphql(
        `{ ${aliases(30, (at) => `lineage(id: "${at % 2 ? hub : models[at]}", direction: downstream, depth: 10) { ${LINEAGE} }`)} }`,
      ),
  },
  {
    name: "30 walks of the same hub",
    aim: ({ hub }) =>
      graphql(
        `{ ${aliases(30, () => `lineage(id: "${hub}", direction: downstream, depth: 10) { totalNodes truncated }`)} }`,
      ),
  },
  {
    name: "hub walks of depth 1 to 10, each another",
    aim: ({ hub }) =>
      graphql(
        `{ ${aliases(30, (at) => `lineage(id: "${hub}", direction: ${at > 9 ? "up" : "down"}stream, depth: ${(at % 10) + 1}) { ${LINEAGE} }`)} }`,
      ),
  },
  {
    name: "20 searches in one document",
    aim: (_targets, random) => {
      const words = (at: number): string => `shop marts m0 hub ${nonce(random) % 100}${at}`;
      return graphql(
        `{ ${aliases(20, (at) => `assets(first: 200, search: "${words(at)}") { totalCount nodes { id } }`)} }`,
      );
    },
  },
  ...[50, 10].map((first): Attack => ({
    name: `a walk of depth 10 from each of ${first} assets`,
    aim: (_targets, random) =>
      graphql(`{ assets(first: ${first}, search: "${pick(["hub", "m0", "raw orders", "wide"], random)}") {
            nodes { lineage(direction: downstream, depth: 10) { ${LINEAGE} } } } }`),
  })),
  {
    name: "a walk of depth 10 from each of 500 columns",
    aim: ({ wide }) =>
      graphql(`{ asset(id: "${wide[0]}") { columns { lineage(direction: downstream, depth: 10) { ${LINEAGE} } } } }`),
  },
  {
    name: "30 impacts of the hub",
    aim: ({ hub, hubColumn }) =>
      graphql(
        `{ ${aliases(30, (at) => `impact(id: "${at % 2 ? hub : hubColumn}", changeType: ${at % 3 ? "deprecate" : "column_drop"}) { summary { totalAffected } affected { id reason } }`)} }`,
      ),
  },
  {
    name: "an impact of each of 10 assets",
    aim: () =>
      graphql(`
        {
          assets(first: 50, search: "m0") {
            nodes {
              impact(changeType: deprecate) {
                summary {
                  totalAffected
                }
              }
            }
          }
        }
      `),
  },
  {
    name: "an impact of the hub, with all of each node",
    aim: ({ hub }) =>
      graphql(
        `{ impact(id: "${hub}", changeType: column_drop) { affected { id name path reason evidence { from to kind expression }
        node { id description ... on Asset { sql columns { id } } downstream { totalCount } } } owners { owner affected { id name } } } }`,
      ),
  },
  {
    name: "owners of 20 impacts of the hub",
    aim: ({ hub }) =>
      graphql(
        `{ ${aliases(20, () => `impact(id: "${hub}", changeType: column_drop) { owners { owner affected { id path reason } } }`)} }`,
      ),
  },
  ...(
    [
      [200, 200, 20],
      [50, 20, 10],
      [20, 20, 20],
    ] as const
  ).map(([one, two, three]): Attack => ({
    name: `neighbours of neighbours, ${one} x ${two} x ${three}`,
    aim: ({ hub }) =>
      graphql(`{ asset(id: "${hub}") { downstream(first: ${one}) { nodes { id downstream(first: ${two}) {
          nodes { id downstream(first: ${three}) { nodes { id name } } } } } } } }`),
  })),
  {
    name: "up and down the hub by turns",
    aim: ({ models }) =>
      graphql(
        `{ asset(id: "${models[0]}") { upstream(first: 1) { nodes { downstream(first: 100) { nodes { upstream(first: 1) {
        nodes { downstream(first: 20) { nodes { id name } } } } } } } } } }`,
      ),
  },
  {
    name: "a hub walk whose nodes have columns and neighbours",
    aim: ({ hub }) =>
      graphql(`{ lineage(id: "${hub}", direction: downstream, depth: 10) { nodes { node { id name
        ... on Asset { columns { id name } } upstream(first: 200) { nodes { id name } } } } } }`),
  },
  {
    name: "a hub walk whose nodes tell all of themselves",
    aim: ({ hub }) =>
      graphql(
        `{ lineage(id: "${hub}", direction: downstream, depth: 10) { nodes { node { id name fqn description tags owner
        meta createdAt connectors ... on Asset { sql dataType } lineageSummary { upstreamCount downstreamCount } } } } }`,
      ),
  },
  {
    name: "columns of wide tables, each with its neighbours",
    aim: () =>
      graphql(`
        {
          assets(first: 20, search: "wide") {
            nodes {
              columns {
                id
                upstream {
                  nodes {
                    id
                  }
                  edges {
                    uses {
                      expression
                    }
                  }
                }
                downstream {
                  nodes {
                    id
                  }
                }
              }
            }
          }
        }
      `),
  },
  {
    name: "columns of 28 wide tables, whole",
    aim: ({ wide }) =>
      graphql(
        `{ ${aliases(28, (at) => `asset(id: "${wide[at % wide.length]}") { columns { id name fqn description dataType tags owner parent { id name } } }`)} }`,
      ),
  },
  {
    name: "50 changes of the hub and its models",
    aim: ({ hub, models }) =>
      graphql(
        `
          query ($changes: [ChangeInput!]!) {
            changeSetImpact(changes: $changes) {
              summary {
                totalAffected
              }
              owners {
                owner
              }
              affected {
                changes
                impact {
                  id
                  name
                  reason
                  path
                }
              }
            }
          }
        `,
        { changes: [hub, ...models.slice(0, 49)].map((id) => ({ id, changeType: "deprecate" })) },
      ),
  },
  {
    name: "50 times the same change of the hub",
    aim: ({ hub }) =>
      graphql("query($changes: [ChangeInput!]!) { changeSetImpact(changes: $changes) { summary { totalAffected } } }", {
        changes: Array.from({ length: 50 }, () => ({ id: hub, changeType: "column_drop" })),
      }),
  },
  {
    name: "metrics with all that they stand on",
    aim: () =>
      graphql(`
        {
          metrics(first: 50) {
            nodes {
              id
              sourceColumns {
                column {
                  id
                }
                uses {
                  expression
                }
              }
              metricLineage {
                sourceAssets {
                  id
                }
                downstream {
                  id
                }
              }
              audit {
                note
              }
              impact(changeType: deprecate) {
                summary {
                  totalAffected
                }
              }
            }
          }
        }
      `),
  },
  {
    name: "30 searches of common words, 200 of each",
    aim: (_targets, random) =>
      graphql(
        `{ ${aliases(30, (at) => `assets(first: 200, search: "m${at % 3} shop marts ${nonce(random) % 1_000}") { nodes { id name } }`)} }`,
      ),
  },
  {
    name: "30 questions in one query",
    aim: ({ models }) =>
      graphql(
        `{ ${aliases(30, (at) => `ask(query: "what breaks if I drop m0_${at} and ${models[at]} and hub?") { answer }`)} }`,
      ),
  },
  {
    name: "a new manifest of the sample",
    aim: ({ connector }) => {
      manifest ??= changedManifest();
      return graphql(
        "query($id: ID!, $manifest: String!) { manifestImpact(connectorId: $id, manifest: $manifest) { summary { totalAffected } affected { impact { id reason } } } }",
        { id: connector, manifest },
      );
    },
  },
  {
    name: "a manifest of 900 KB that is none",
    aim: ({ connector }) =>
      graphql(
        "query($id: ID!, $manifest: String!) { manifestImpact(connectorId: $id, manifest: $manifest) { truncated } }",
        {
          id: connector,
          manifest: "[".repeat(900_000),
        },
      ),
  },
];
