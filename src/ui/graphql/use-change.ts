/** Mutations: what the service said, and what is wrong with which field, in its own words. */
import { useState } from "react";
import { type AnyVariables, type CombinedError, type TypedDocumentNode, useMutation } from "urql";

import type { Faults } from "../parts/form.tsx";
import { describeError } from "../parts/panel.tsx";
import { showToast } from "../parts/toast.tsx";

export interface ChangeOptions<Data> {
  /**
   * Types that it changes but does not answer with, such as what it removes. Queries that have them are asked again.
   */
  types?: readonly string[];
  /** Called when the change is made. @returns a message to show, if any */
  onDone?: ((data: Data) => string | null | void) | undefined;
}

export function useChange<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  { types = [], onDone }: ChangeOptions<Data> = {},
) {
  const [{ fetching }, run] = useMutation(document);
  const [error, setError] = useState<CombinedError | null>(null);
  return {
    /** @returns the answer, or null if the service refused; then `fault` says why */
    async change(variables: Variables): Promise<Data | null> {
      setError(null);
      const { data, error: refusal } = await run(variables, { additionalTypenames: [...types] });
      setError(refusal ?? null);
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
