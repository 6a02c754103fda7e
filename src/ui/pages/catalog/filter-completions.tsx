/** Completes the filters that people write into the search field, such as `tag:pii`, with the values that there are. */
import { useQuery } from "urql";

import type { ResultOf } from "../../graphql/graphql.ts";
import { FACET_COUNTS } from "./documents.ts";
import { type Filters, toVariables, WRITTEN_FILTERS } from "./filters.ts";

type Counts = NonNullable<ResultOf<typeof FACET_COUNTS>["assets"]>["facets"];

interface FilterCompletionsProps {
  filters: Filters;
  /** What is typed. */
  text: string;
}

export function FilterCompletions({ filters, text }: FilterCompletionsProps) {
  // All values: those that pass the present search would lack most.
  const variables = toVariables({ search: "", chosen: filters.chosen });
  const [{ data }] = useQuery({ query: FACET_COUNTS, variables });
  const begin = text.slice(0, text.lastIndexOf(" ") + 1);
  const last = text.slice(begin.length).toLowerCase();
  const name = WRITTEN_FILTERS.find((it) => last.startsWith(it));
  const counts = data?.assets?.facets;
  const values = name === undefined || !counts ? [] : listValues(name, counts);
  return (
    <datalist id="written-filters">
      {(name === undefined ? WRITTEN_FILTERS : values.map((value) => `${name}${quote(value)}`)).map((filter) => (
        <option key={filter} value={`${begin}${filter}`}>
          {filter}
        </option>
      ))}
    </datalist>
  );
}

function listValues(name: (typeof WRITTEN_FILTERS)[number], counts: Counts): string[] {
  if (name === "type:") return counts.types.map(({ type }) => type);
  const lists = { "tag:": counts.tags, "owner:": counts.owners, "schema:": counts.schemas };
  return lists[name].flatMap(({ value }) => value ?? []);
}

function quote(value: string): string {
  return value.includes(" ") ? `"${value}"` : value;
}
