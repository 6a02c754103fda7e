/** The page of GraphiQL. It loads nothing from other hosts, and has a field for the API key. */
import { readFileSync } from "node:fs";

import { renderGraphiQL } from "@graphql-yoga/render-graphiql";
import { type GraphQLSchema, introspectionFromSchema } from "graphql";

const EXAMPLE_QUERY = `# A model about orders: what it is made from, three hops up, and who uses it.
query Orders {
  assets(search: "fct_orders", type: model, first: 1) {
    nodes {
      name
      description
      owner
      upstream {
        nodes {
          name
          owner
          upstream { nodes { name owner upstream { nodes { type name owner } } } }
        }
      }
      downstream { totalCount nodes { type name owner } }
    }
  }
}
`;

const keyBar = readFileSync(new URL("key-bar.html", import.meta.url), "utf8");

/** Replaces a mark, which the page must have exactly once, by a text. */
function fill(page: string, mark: string, text: string): string {
  const parts = page.split(mark);
  const [before, after] = parts;
  if (parts.length !== 2 || before === undefined || after === undefined) {
    throw new Error(`GraphiQL's page has ${parts.length - 1} places for ${mark}`);
  }
  return before + text + after;
}

export function renderGraphiqlPage(schema: GraphQLSchema): string {
  const page = renderGraphiQL({ title: "Tributary GraphiQL", defaultQuery: EXAMPLE_QUERY });
  const introspection = JSON.stringify(introspectionFromSchema(schema)).replaceAll("<", "\\u003c");
  const bar = fill(keyBar, "/* introspection */ null", introspection);
  return fill(page, '<div id="root"></div>', `${bar}<div id="root"></div>`);
}
