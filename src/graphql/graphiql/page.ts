/** The page of GraphiQL. It loads nothing from other hosts, and has a field for the API key. */
import { readFileSync } from "node:fs";

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

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

/** Loaded only here, because the package keeps 34 MB in memory, and few people open the page. */
async function render(): Promise<string> {
  const { renderGraphiQL } = await import("@graphql-yoga/render-graphiql");
  return renderGraphiQL({ title: "Tributary GraphiQL", defaultQuery: EXAMPLE_QUERY });
}

/**
 * The parts of GraphiQL's page. The script and the style are the same for everybody.
 * @param files the paths at which the script and the style are served
 */
export function renderGraphiql(schema: GraphQLSchema, files: { script: string; style: string }) {
  const keyBar = read("key-bar.html");
  return {
    /** @param nonce permits the script and the style */
    toHtml: (nonce: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Tributary GraphiQL</title>
    <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
    <link rel="stylesheet" nonce="${nonce}" href="${files.style}" />
  </head>
  <body>
    ${keyBar}
    <div id="root"></div>
    <script nonce="${nonce}" src="${files.script}"></script>
  </body>
</html>
`,
    async script(): Promise<string> {
      const page = await render();
      const introspection = JSON.stringify(introspectionFromSchema(schema));
      return [
        printInlineStyles(),
        // A function, because the text may contain `$&`.
        apart(read("key-bar.js").replace("/* introspection */ null", () => introspection)),
        between(page, "<script>", "</script>", page.lastIndexOf("</script>")),
      ].join("\n");
    },
    style: async () => `${between(await render(), "<style>", "</style>")}\n${read("page.css")}`,
  };
}

/** Prints a script for pages with a nonce: styles that later scripts make get the nonce too. */
export const printInlineStyles = (): string => apart(read("inline-styles.js"));

/** Its names are not those of the other scripts. */
const apart = (script: string): string => `(() => {\n${script}})();`;

/** @throws Error if the page does not have both marks */
function between(page: string, start: string, end: string, endAt = page.indexOf(end)): string {
  const startAt = page.indexOf(start);
  if (startAt === -1 || endAt < startAt) throw new Error(`GraphiQL's page has no ${start}`);
  return page.slice(startAt + start.length, endAt);
}
