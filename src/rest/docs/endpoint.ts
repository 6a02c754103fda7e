/** Lists the operations of the OpenAPI document. */
import type { OpenapiDocument, Operation, PathItem } from "../openapi/types.ts";

export interface Endpoint {
  /** In lower case, as OpenAPI writes it. */
  method: string;
  /** With parameters as `{name}`. */
  path: string;
  operation: Operation;
}

/** In the order of the document. */
export function listEndpoints({ paths }: OpenapiDocument): Endpoint[] {
  return Object.entries(paths).flatMap(([path, item]: [string, PathItem]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
}
