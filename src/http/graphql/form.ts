/**
 * GraphQL requests with a file, as browsers and other clients send them.
 * https://github.com/jaydenseric/graphql-multipart-request-spec
 */
import { getOperationAST, OperationTypeNode } from "graphql";

import { badField } from "../../errors.ts";
import type { Documents } from "../../graphql/documents.ts";
import { UploadedFile } from "../../graphql/uploaded-file.ts";
import type { Form } from "../body/form.ts";
import { parseJson } from "../body/json-body.ts";

type Json = Record<string, unknown>;

/**
 * Puts the form's file into the variables.
 * @returns the request's parameters, as they would be in a JSON body
 * @throws AppError `bad_request`
 */
export function readGraphqlForm({ texts, files }: Form, documents: Pick<Documents, "parse">): unknown {
  const operations = parseJson(texts.get("operations") ?? "");
  const map = parseJson(texts.get("map") ?? "");
  if (!isObject(operations)) throw badField("operations", "must be a GraphQL request as a JSON object");
  if (!isObject(map)) throw badField("map", "must be a JSON object of lists of paths");
  for (const [name, paths] of Object.entries(map)) {
    const file = files.get(name);
    if (file === undefined) throw badField("map", `names a part ${name}, which is no file of the form`);
    if (!Array.isArray(paths)) throw badField("map", "must be a JSON object of lists of paths");
    for (const path of paths) put(operations, String(path), new UploadedFile(file));
  }
  if (files.size > 0) requireQuery(operations, documents);
  return operations;
}

/** @param path such as `variables.manifest`, where the request has null */
function put(operations: Json, path: string, file: UploadedFile): void {
  const [root, ...names] = path.split(".");
  const last = names.pop();
  const parent = names.reduce<unknown>((value, name) => ownValue(value, name), operations["variables"]);
  if (root !== "variables" || last === undefined || !isObject(parent) || ownValue(parent, last) !== null) {
    throw badField("map", "must name variables that are null in the request, such as variables.manifest");
  }
  parent[last] = file;
}

function ownValue(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Events have stricter limits than the files of queries, and a route of their own. */
function requireQuery({ query, operationName }: Json, documents: Pick<Documents, "parse">): void {
  if (typeof query !== "string") return;
  const name = typeof operationName === "string" && operationName !== "" ? operationName : null;
  const operation = getOperationAST(documents.parse(query), name);
  if (operation && operation.operation !== OperationTypeNode.QUERY) {
    throw badField("operations", "can have a file only if it is a query");
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
