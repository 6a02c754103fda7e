/** One operation on the page: an example of the request, and of the answer. */
import type { OpenapiDocument, Operation, Parameter, Reference, Response } from "../openapi/types.ts";
import { toCurl } from "./curl.ts";
import type { Endpoint } from "./endpoint.ts";
import { fieldTable, nameOf, row, rows } from "./fields.ts";
import { toExample, html, type Html, json, type Piece, prose } from "./html.ts";

export function renderEndpoint(endpoint: Endpoint, document: OpenapiDocument): Html {
  const { method, path, operation } = endpoint;
  return html`<article id="${operation.operationId}">
    <h3><a href="#${operation.operationId}">${operation.summary}</a></h3>
    <p class="endpoint">
      <span class="method ${method}">${method}</span> <code>${path}</code>
      <span class="scope">${renderSecurity(operation)}</span>
    </p>
    <p>${prose(operation.description)}</p>
    ${renderParameters(operation)} ${renderBody(operation)} ${renderCurl(endpoint, document)}
    ${Object.entries(operation.responses).map(([status, response]) => renderAnswer(status, response))}
    ${renderErrors(operation)}
  </article>`;
}

/** Logging in is for the service's own pages, so nobody needs a line to paste. */
function renderCurl(endpoint: Endpoint, { servers }: OpenapiDocument): Piece {
  const { operation } = endpoint;
  if (operation.tags.includes("Login")) return null;
  return html`<h4>Example</h4>
    ${renderSubject(operation)} ${toExample(toCurl(endpoint, servers[0]?.url ?? ""))}`;
}

/** Describes the assets whose ids are in the example. */
function renderSubject({ "x-example-subject": subject }: Operation): Piece {
  return subject !== undefined && html`<p>${prose(subject)}</p>`;
}

function renderSecurity({ security }: Operation): Piece {
  const scope = security.flatMap((requirement) => requirement["bearer"] ?? []).join(", ");
  if (scope !== "") return html`scope <b>${scope}</b>`;
  return security.length > 0 ? "a client's id and secret" : "no token";
}

function renderParameters(operation: Operation): Piece {
  const parameters = operation.parameters.filter((it): it is Parameter => !isReference(it));
  if (parameters.length === 0) return null;
  return html`<h4>Parameters</h4>
    ${rows(
      "Name",
      parameters.map((it) => row(it.name, it.schema, `${it.in}${it.required ? ", required" : ""}`, it.description)),
    )}`;
}

function renderBody({ requestBody }: Operation): Piece {
  if (requestBody === undefined) return null;
  return Object.entries(requestBody.content).map(
    ([mediaType, { schema }]) =>
      html`<h4>Body <small>${mediaType}, ${requestBody.required ? "required" : "may be left out"}</small></h4>
        ${fieldTable(schema)}`,
  );
}

function renderAnswer(status: string, response: Response | Reference): Piece {
  if (isReference(response)) return null;
  const { schema, example } = response.content["application/json"] ?? {};
  if (schema === undefined) {
    return html`<h4><span class="status">${status}</span> ${prose(response.description)}</h4>`;
  }
  const name = schema.$ref && nameOf(schema.$ref);
  return html`<h4>
      <span class="status">${status}</span> ${prose(response.description)}
      ${name && html`<a href="#schema-${name}">${name}</a>`}
    </h4>
    ${Number(status) < 300 && example !== undefined && json(example)} ${!name && fieldTable(schema)}`;
}

function renderErrors({ responses }: Operation): Html {
  const errors = Object.entries(responses).flatMap(([status, response]) =>
    isReference(response) ? [html` <a href="#error-${nameOf(response.$ref)}">${status}</a>`] : [],
  );
  return html`<p class="errors">Errors:${errors}</p>`;
}

function isReference(value: object): value is Reference {
  return "$ref" in value;
}
