/** Shows a JSON Schema as a table with one row for each field. Nested fields have dotted names. */
import type { JsonSchema } from "../openapi/types.ts";
import { html, type Html, type Piece, prose } from "./html.ts";

interface Field {
  name: string;
  schema: JsonSchema;
  required: boolean;
}

/** The last part of a reference: the component's name. */
export function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

export function fieldTable(schema: JsonSchema): Html {
  return rows(
    "Field",
    fieldsOf(schema, "").map(({ name, schema: field, required }) =>
      row(name, field, required ? "" : "optional", field.description ?? ""),
    ),
  );
}

export function rows(heading: string, body: readonly Html[]): Html {
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          <th>${heading}</th>
          <th>Type</th>
          <th>Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>
  </div>`;
}

export function row(name: string, schema: JsonSchema, note: string, description: string): Html {
  const marked = note && html` <small>${note}</small>`;
  return html`<tr>
    <td><code>${name}</code>${marked}</td>
    <td>${typeOf(schema)}</td>
    <td>${prose(description)}${choices(schema)}</td>
  </tr>`;
}

function fieldsOf(schema: JsonSchema, prefix: string): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const name = `${prefix}${key}`;
    const own = [{ name, schema: field, required: schema.required?.includes(key) ?? false }];
    return own.concat(fieldsOf(field, `${name}.`), fieldsOf(field.items ?? {}, `${name}[].`));
  });
}

function typeOf(schema: JsonSchema): Piece {
  if (schema.$ref !== undefined) return html`<a href="#schema-${nameOf(schema.$ref)}">${nameOf(schema.$ref)}</a>`;
  if (schema.anyOf !== undefined) return joined(schema.anyOf.map(typeOf), " or ");
  if (schema.items !== undefined) return html`array of ${typeOf(schema.items)}`;
  const base = [schema.type ?? "any"].flat().join(" or ");
  return [schema.format === undefined ? base : `${base}, ${schema.format}`, bounds(schema)];
}

function bounds({ minimum, maximum, maxLength, default: preset }: JsonSchema): Piece {
  const range = minimum !== undefined && maximum !== undefined && `${minimum} to ${maximum}`;
  const length = maxLength !== undefined && `at most ${maxLength} characters`;
  const fallback = preset !== undefined && `default ${String(preset)}`;
  return [range, length, fallback].map((bound) => bound && html`<small>${bound}</small>`);
}

function choices({ enum: values }: JsonSchema): Piece {
  return values && html`<div class="choices">${values.map((value) => html`<code>${String(value)}</code>`)}</div>`;
}

function joined(pieces: readonly Piece[], between: string): Piece {
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [between, piece]));
}
