/** Requests: mutations with what is wrong with which field, queries that are asked again, and subscriptions. */
import { useState } from "react";
import {
  type AnyVariables,
  type CombinedError,
  type TypedDocumentNode,
  useMutation,
  useQuery,
  type Client,
  type OperationResult,
} from "urql";

import type { Faults } from "../parts/form.tsx";
import { codeOf, describeError } from "../parts/page.tsx";
import { showToast } from "../parts/toast.tsx";

export interface ChangeOptions<Data> {
  /**
   * Types that it changes but does not answer with, such as what it removes. Queries that have them are asked again.
   */
  types?: readonly string[];
  /** Called when the change is made. @returns a message to show, if any */
  onDone?: ((data: Data) => string | null | void) | undefined;
  /** Called with the error's code, such as `CONFLICT`, if the service refuses the change. */
  onRefused?: (code: unknown) => void;
}

export function useChange<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  { types = [], onDone, onRefused }: ChangeOptions<Data> = {},
) {
  const [{ fetching }, run] = useMutation(document);
  const [error, setError] = useState<CombinedError | null>(null);
  return {
    /** @returns the answer, or null if the service refused; then `fault` says why */
    async change(variables: Variables): Promise<Data | null> {
      setError(null);
      const { data, error: refusal } = await run(variables, { additionalTypenames: [...types] });
      setError(refusal ?? null);
      if (refusal !== undefined) onRefused?.(codeOf(refusal));
      if (refusal !== undefined || data === undefined) return null;
      const message = onDone?.(data);
      if (message) showToast(message);
      return data;
    },
    isBusy: fetching,
    /** Why the service refused. */
    fault: error && describeError(error),
    /** What is wrong with single fields, by their names in the input, such as `name` or `options.url`. */
    faults: error === null ? {} : toFaults(error),
  };
}

function toFaults(error: CombinedError): Faults {
  const details: unknown = error.graphQLErrors[0]?.extensions["details"];
  if (!Array.isArray(details)) return {};
  return Object.fromEntries(details.filter(isFieldFault).map(({ field, message }) => [field, message]));
}

function isFieldFault(detail: unknown): detail is { field: string; message: string } {
  return typeof detail === "object" && detail !== null && "field" in detail && "message" in detail;
}

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

/** How long nobody subscribes again, so that a service that refuses a subscription is not asked again and again. */
const PAUSE_MS = 5_000;

/** A subscription. The service ends each after some minutes; then it begins again. @returns what ends it for good */
export function watch<Data, Variables extends Record<string, unknown>>(
  client: Client,
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  tell: (result: OperationResult<Data, Variables>) => void,
): () => void {
  let stop: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = (): void => {
    stop?.();
    const { unsubscribe } = client.subscription<Data, Variables>(query, variables).subscribe((result) => {
      tell(result);
      if (!result.hasNext) timer = setTimeout(begin, PAUSE_MS);
    });
    stop = unsubscribe;
  };
  begin();
  return () => {
    clearTimeout(timer);
    stop?.();
  };
}
