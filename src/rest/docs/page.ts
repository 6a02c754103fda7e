import type { OpenapiDocument } from "../openapi/types.ts";
export const DOCS_POLICY = "default-src 'none'";
export function renderDocs(d: OpenapiDocument): string {
  return d.info.title;
}
