/** Mutations: what the service said, and what is wrong with which field, in its own words. */
import { useState } from "react";
import { type AnyVariables, type CombinedError, type TypedDocumentNode, useMutation } from "urql";

import { describeError } from "../parts/panel.tsx";

export interface Change<Data, Variables extends AnyVariables> {
  /** @returns the answer, or null if the service refused; then `fault` says why */
  change(variables: Variables): Promise<Data | null>;
  isBusy: boolean;
  /** Why the service refused, unless a field says it. */
  fault: string | null;
  /** What is wrong with single fields, by their names in the input, such as `name` or `options.url`. */
  faults: Readonly<Record<string, string>>;
}

interface ChangeOptions {
  /**
   * Types that it changes but does not answer with, such as what it removes. Queries that have them are asked again.
   */
  types?: readonly string[];
  /** The fields that show what is wrong with them. */
  fields?: readonly string[];
}

export function useChange<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  { types = [], fields = [] }: ChangeOptions = {},
): Change<Data, Variables> {
  const [{ fetching }, run] = useMutation(document);
  const [error, setError] = useState<CombinedError | null>(null);
  const faults = error === null ? {} : toFaults(error);
  const isShown = Object.keys(faults).some((field) => fields.includes(field));
  return {
    async change(variables) {
      setError(null);
      const { data, error: refusal } = await run(variables, { additionalTypenames: [...types] });
      setError(refusal ?? null);
      return refusal === undefined ? (data ?? null) : null;
    },
    isBusy: fetching,
    fault: error && !isShown ? describeError(error) : null,
    faults,
  };
}

function toFaults(error: CombinedError): Record<string, string> {
  const details: unknown = error.graphQLErrors[0]?.extensions["details"];
  if (!Array.isArray(details)) return {};
  return Object.fromEntries(details.filter(isFieldFault).map(({ field, message }) => [field, message]));
}

function isFieldFault(detail: unknown): detail is { field: string; message: string } {
  return typeof detail === "object" && detail !== null && "field" in detail && "message" in detail;
}
