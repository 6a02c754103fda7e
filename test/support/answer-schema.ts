/** Compares answers with the OpenAPI document. A key that the document does not name is a fault too. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";

import type { JsonSchema, OpenapiDocument, Reference, Response } from "../../src/rest/openapi/types.ts";

export interface AnswerChecker {
  /** The faults of a body in words; empty if there are none. */
  faultsOf(path: string, method: string, status: number, body: unknown): string[];
}

/** @param document as the service serves it */
export function createAnswerChecker(document: OpenapiDocument): AnswerChecker {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  formats.default(ajv);
  ajv.addSchema({ $id: "openapi", components: { schemas: closed(document.components.schemas) } });
  const compiled = new Map<string, ValidateFunction>();

  return {
    faultsOf(path, method, status, body) {
      const pointer = [path, method, status].join(" ");
      const validate = compiled.get(pointer) ?? ajv.compile(closed(schemaOf(document, path, method, status)));
      compiled.set(pointer, validate);
      validate(body);
      return (validate.errors ?? []).map(
        (error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
      );
    },
  };
}

function schemaOf(document: OpenapiDocument, path: string, method: string, status: number): JsonSchema {
  const item = document.paths[path];
  const operation = method === "POST" ? item?.post : item?.get;
  const response = operation?.responses[status];
  if (response === undefined) throw new Error(`the document knows no ${status} of ${method} ${path}`);
  const { content } = "$ref" in response ? componentOf(document, response) : response;
  const { schema } = content["application/json"] ?? {};
  if (schema === undefined) throw new Error(`the document knows no JSON of ${status} of ${method} ${path}`);
  return schema;
}

function componentOf({ components }: OpenapiDocument, { $ref }: Reference): Response {
  const response = components.responses[$ref.replace("#/components/responses/", "")];
  if (response === undefined) throw new Error(`the document has no ${$ref}`);
  return response;
}

/** Allows each object only its named properties, and points references to the one registered schema. */
function closed<T>(schema: T): T {
  const text = JSON.stringify(schema, (_key, value: unknown) =>
    typeof value === "object" && value !== null && "properties" in value && "type" in value
      ? { ...value, additionalProperties: false }
      : value,
  );
  return JSON.parse(text.replaceAll('"#/components', '"openapi#/components'));
}
