import { useState } from "react";
import { type AnyVariables, type TypedDocumentNode, useQuery } from "urql";

interface FreshOptions {
  /** The types that the answer lists or counts. An empty list has no object by which the cache could know that it changes. */
  types?: readonly string[];
  pause?: boolean;
}

/** A query that is asked again whenever its page opens: crawls change the catalog while somebody looks at other pages. */
export function useFresh<Data, Variables extends AnyVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  { types = [], pause = false }: FreshOptions = {},
) {
  // Another object would be asked for as another query.
  const [context] = useState({ additionalTypenames: [...types] });
  return useQuery<Data, AnyVariables>({ query, variables, pause, requestPolicy: "cache-and-network", context });
}
