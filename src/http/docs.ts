/** `/docs`: Redoc shows the OpenAPI document. The page loads nothing from other hosts. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { RandomBytes } from "../clock.ts";
import { printInlineStyles } from "../graphql/graphiql/page.ts";
import { answerNoncePage, answerPage, type PageWithFiles, printBrand, SCRIPT_TYPE, STYLE_TYPE } from "./answer/page.ts";
import { OPENAPI_PATH } from "./paths.ts";

const FILES = { brand: "/docs/brand.css", styles: "/docs/inline-styles.js", redoc: "/docs/redoc.js" } as const;

/** Redoc reports its use to its makers unless it is told not to. The page's policy would refuse that too. */
const OPTIONS = { disableTelemetry: true };

const svg = (text: string): string => `data:image/svg+xml,${encodeURIComponent(text).replaceAll("'", "%27")}`;

const ICON = svg(
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32' fill='none' stroke='#0e8a8a' stroke-width='4' stroke-linecap='round'>" +
    "<path d='M5 4c0 11 11 9 11 24M27 4c0 11-11 9-11 24M16 4v24'/></svg>",
);

/** The logo beside "API docs by" is on a server of Redoc's makers. Its name replaces it. */
const LOGO = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(-full)?\.svg/g;
const NAME = svg(
  "<svg xmlns='http://www.w3.org/2000/svg' width='34' height='12'>" +
    "<text y='10' font-family='sans-serif' font-size='10' fill='#2467f2'>Redoc</text></svg>",
);

/** Redoc takes its colours and fonts from these properties. It sets them for `:root` and for `.dark`. */
const STYLE = `
body { margin: 0; }
:root:root, :root.dark:root {
  --font-family-base: var(--font);
  --code-font-family: var(--mono);
  --bg-color: var(--bg);
  --layer-color: var(--sunken);
  --text-color-primary: var(--ink);
  --text-color-secondary: var(--ink-soft);
  --text-color-description: var(--ink-soft);
  --border-color-primary: var(--line-strong);
  --border-color-secondary: var(--line);
  --link-color-primary-palette: var(--accent);
  --link-color-primary-hover: var(--accent-strong);
  --color-primary: var(--accent);
  --color-primary-hover: var(--accent-strong);
  --color-primary-active: var(--accent-strong);
}
`;

/** The package has the whole of Redoc as one module. The last line starts it. */
function printScript(): string {
  const redoc = readFileSync(fileURLToPath(import.meta.resolve("redoc/bundles/redoc.standalone.js")), "utf8");
  return [
    redoc.replaceAll(LOGO, () => NAME),
    `init(${JSON.stringify(OPENAPI_PATH)}, ${JSON.stringify(OPTIONS)}, document.getElementById("docs"));\n`,
  ].join("\n");
}

export function answerDocs(random: RandomBytes): PageWithFiles {
  return {
    html: answerNoncePage({ toHtml, sources: ["img-src 'self' data:", "font-src data:"], random }),
    files: [
      { path: FILES.brand, answer: answerPage(() => `${printBrand()}\n${STYLE}`, STYLE_TYPE) },
      { path: FILES.styles, answer: answerPage(printInlineStyles, SCRIPT_TYPE) },
      { path: FILES.redoc, answer: answerPage(printScript, SCRIPT_TYPE) },
    ],
  };
}

function toHtml(nonce: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta property="csp-nonce" nonce="${nonce}" />
    <title>Tributary REST API</title>
    <link rel="icon" href="${ICON}" />
    <link rel="stylesheet" nonce="${nonce}" href="${FILES.brand}" />
  </head>
  <body>
    <div id="docs">
      <noscript>
        <p>This page needs JavaScript. <a href="${OPENAPI_PATH}">The OpenAPI document</a> has the same content.</p>
      </noscript>
    </div>
    <script nonce="${nonce}" src="${FILES.styles}"></script>
    <script type="module" nonce="${nonce}" src="${FILES.redoc}"></script>
  </body>
</html>
`;
}
