/**
 * Typed GraphQL documents. The types of answers and variables come from the text of a document and the printed schema;
 * the compiler finds what does not fit.
 */
import { Kind, parse } from "@0no-co/graphql.web";
import type { initGraphQLTada } from "gql.tada";

import type { introspection } from "../../../schema/introspection.d.ts";

interface Setup {
  introspection: introspection;
  disableMasking: true;
  scalars: {
    /** ISO 8601. */
    DateTime: string;
    EmailAddress: string;
    JSONObject: Record<string, unknown>;
    NonNegativeInt: number;
    URL: string;
    Upload: File;
  };
}

type Graphql = ReturnType<typeof initGraphQLTada<Setup>>;
type Fragments = NonNullable<Parameters<Graphql>[1]>;
type Definitions = ReturnType<typeof parse>["definitions"];

/** Parses a document and adds the fragments that it uses, each once. */
function parseDocument(text: string, fragments: readonly { definitions: Definitions }[] = []) {
  const definitions = new Set(parse(text, { noLocation: true }).definitions);
  for (const fragment of fragments) for (const definition of fragment.definitions) definitions.add(definition);
  return { kind: Kind.DOCUMENT, definitions: [...definitions] };
}

/**
 * A query, subscription or fragment. The formatter leaves the text of a call of this name as it is, so fields that belong
 * together stand in one line.
 */
// The package types documents at compile time only. At run time, a document is its parsed text.
export const gql = parseDocument as unknown as Graphql;

/** The same for a text that uses these fragments. */
export function using<const Used extends Fragments>(...fragments: Used) {
  return { gql: <const Text extends string>(text: Text) => gql(text, fragments) };
}

type Mutation<
  Name extends string,
  Fields extends string,
  Alias extends string,
> = `mutation ${Capitalize<Name>}($input: ${Capitalize<Name>}Input!) { ${Alias}: ${Name}(input: $input) { ${Fields} } }`;

/**
 * A mutation of this schema: all of them take one `input`, whose type has the mutation's name.
 * @param fields what is asked of the answer
 * @param fragments those that the fields use
 * @param alias what the answer is called, if several mutations do the same to different things
 */
export function mutation<
  const Name extends string,
  const Fields extends string,
  const Used extends Fragments = [],
  const Alias extends string = Name,
>(name: Name, fields: Fields, fragments?: Used, alias?: Alias) {
  const capital = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  const text = `mutation ${capital}($input: ${capital}Input!) { ${alias ?? name}: ${name}(input: $input) { ${fields} } }`;
  // The compiler knows no type for a text that begins with a capital.
  return gql(text as Mutation<Name, Fields, Alias>, fragments);
}

export type { FragmentOf, ResultOf, VariablesOf } from "gql.tada";
