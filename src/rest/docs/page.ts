/** `/docs`: the OpenAPI document as one page, without other files. */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";

import type { OpenapiDocument } from "../openapi/types.ts";
import { type Endpoint, listEndpoints } from "./endpoint.ts";
import { fieldTable } from "./fields.ts";
import { toExample, html, Html, json, prose } from "./html.ts";
import { renderEndpoint } from "./operation.ts";

const STYLE = readFileSync(new URL("docs.css", import.meta.url), "utf8");
const SCRIPT = readFileSync(new URL("docs.js", import.meta.url), "utf8");
// Kept separate from the page's template, because the policy contains a hash of the exact text.
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);
const SCRIPT_ELEMENT = new Html(`<script>${SCRIPT}</script>`);

/** The page may use only its own style, script and picture. */
export const DOCS_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash("sha256", STYLE, "base64")}'`,
  `script-src 'sha256-${hash("sha256", SCRIPT, "base64")}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const MARK =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32' fill='none' stroke='#0e8a8a' stroke-width='4' stroke-linecap='round'>" +
  "<path d='M5 4c0 11 11 9 11 24M27 4c0 11-11 9-11 24M16 4v24'/></svg>";

export function renderDocs(document: OpenapiDocument): string {
  const { info, tags } = document;
  const endpoints = listEndpoints(document);
  const sections = tags.map(({ name, description }) => ({
    name,
    description,
    endpoints: endpoints.filter((it) => it.operation.tags.includes(name)),
  }));
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${info.title} REST API</title>
        <link rel="icon" href="data:image/svg+xml,${encodeURIComponent(MARK)}" />
        ${STYLE_ELEMENT}
      </head>
      <body>
        <nav aria-label="Contents">
          <a class="brand" href="#top">${new Html(MARK)} ${info.title} <small>${info.version}</small></a>
          <ul>
            <li><a href="#start">Getting started</a></li>
            <li><a href="#errors">Errors</a></li>
          </ul>
          ${sections.map(
            (section) =>
              html`<h2>${section.name}</h2>
                <ul>
                  ${section.endpoints.map(toLink)}
                </ul>`,
          )}
          <h2>Schemas</h2>
          <ul>
            ${Object.keys(document.components.schemas).map((name) => html`<li><a href="#schema-${name}">${name}</a></li>`)}
          </ul>
        </nav>
        <main id="top">
          ${renderIntroduction(document)}
          ${sections.map(
            (section) =>
              html`<section>
                <h2 id="${section.name}">${section.name}</h2>
                <p class="lead">${prose(section.description)}</p>
                ${section.endpoints.map((endpoint) => renderEndpoint(endpoint, document))}
              </section>`,
          )}
          ${renderErrors(document)} ${renderSchemas(document)}
        </main>
        ${SCRIPT_ELEMENT}
      </body>
    </html> `.text;
}

function toLink({ method, operation }: Endpoint): Html {
  return html`<li>
    <a href="#${operation.operationId}"><span class="method ${method}">${method}</span> ${operation.summary}</a>
  </li>`;
}

function renderIntroduction({ info, servers }: OpenapiDocument): Html {
  const origin = servers[0]?.url ?? "";
  return html`<header>
      <h1>${info.title} <span>REST API</span></h1>
      <p class="lead">${prose(info.description)}</p>
      <p>
        The same as <a href="/openapi.json">OpenAPI 3.1</a>; a query editor for <a href="/graphql">GraphQL</a>; the
        <a href="/">workspace</a>, where <a href="/settings/api">keys</a> are made.
      </p>
    </header>
    <section id="start">
      <h2>Getting started</h2>
      <p>
        Put an API key, or a service account's <a href="#requestToken">access token</a>, where the examples on this page
        look for it. Then copy any of them. Their ids are those of the sample, except for the id of a connector, which
        the list of connectors has.
      </p>
      ${toExample(`export TOKEN=svc_live_…
curl -H "Authorization: Bearer $TOKEN" \\
  "${origin}/api/v1/catalog/assets?limit=5"`)}
      <p>
        Lists come in pages. While <code>pagination.has_more</code> is true, hand
        <code>pagination.next_cursor</code> back as <code>cursor</code>, with the same filters.
      </p>
    </section>`;
}

function renderErrors({ components }: OpenapiDocument): Html {
  return html`<section id="errors">
    <h2>Errors</h2>
    <p class="lead">
      Every error has the same body: see <a href="#schema-Error">Error</a>. Quote the answer's
      <code>X-Request-Id</code> when you report one.
    </p>
    ${Object.entries(components.responses).map(
      ([name, { description, content }]) =>
        html`<article id="error-${name}">
          <h3>${name}</h3>
          <p>${prose(description)}</p>
          ${Object.values(content["application/json"]?.examples ?? {}).map(({ value }) => json(value))}
        </article>`,
    )}
  </section>`;
}

function renderSchemas({ components }: OpenapiDocument): Html {
  return html`<section>
    <h2>Schemas</h2>
    ${Object.entries(components.schemas).map(
      ([name, schema]) =>
        html`<article id="schema-${name}">
          <h3><a href="#schema-${name}">${name}</a></h3>
          <p>${prose(schema.description ?? "")}</p>
          ${fieldTable(schema)}
        </article>`,
    )}
  </section>`;
}
