/** The values that the list can be filtered by, with how many assets each would leave. */
import { useState } from "react";

import { PersonName } from "../../assets/names.tsx";
import { NO_OWNER, type Person } from "../../assets/asset-row.ts";
import type { ResultOf } from "../../graphql/graphql.ts";
import { useFresh } from "../../graphql/requests.ts";
import { formatCount } from "../../parts/count.ts";
import { Icon } from "../../parts/marks.tsx";
import { FACET_COUNTS } from "./documents.ts";
import styles from "./facets.module.css";
import { type Facet, FACETS, type Filters, toVariables, without } from "./filters.ts";

type Counts = NonNullable<ResultOf<typeof FACET_COUNTS>["assets"]>["facets"];

interface Value {
  /** As a filter takes it; null for assets without one, which only the filter by owner asks for. */
  value: string | null;
  count: number;
  person?: Person | null;
}

const WORD_FOR_NONE: Partial<Record<Facet, string>> = { certification: "not judged", owner: "no owner" };

/** How many values a facet shows at first. */
const FEW = 6;

interface FacetsProps {
  filters: Filters;
  onChoose: (facet: Facet, value: string | undefined) => void;
}

export function Facets({ filters, onChoose }: FacetsProps) {
  return (
    <div className={`stack roomy ${styles["facets"]}`}>
      {FACETS.map((facet) => (
        <FacetGroup key={facet} facet={facet} filters={filters} onChoose={onChoose} />
      ))}
    </div>
  );
}

function FacetGroup({ facet, filters, onChoose }: FacetsProps & { facet: Facet }) {
  const [showsAll, setShowsAll] = useState(false);
  // Facets without a chosen value send the same query. It is sent once.
  const [{ data }] = useFresh(FACET_COUNTS, toVariables(without(filters, facet)), { types: ["Asset"] });
  const counts = data?.assets?.facets;
  const chosen = filters.chosen[facet];
  const values = withChosen(counts ? listValues(facet, counts) : [], chosen);
  if (values.length === 0) return null;
  const shown = showsAll ? values : values.filter(({ value }, index) => index < FEW || value === chosen);
  return (
    <fieldset>
      <legend className="caption">{facet.slice(0, 1).toUpperCase() + facet.slice(1)}</legend>
      {shown.map(({ value, count, person }) => (
        <button
          key={value}
          type="button"
          className={`option ${styles["value"]}`}
          aria-pressed={value === chosen}
          onClick={() => onChoose(facet, value === chosen ? undefined : (value ?? undefined))}
        >
          <span className="cut grow" title={value ?? undefined}>
            {person ? <PersonName of={person} /> : value === "none" ? (WORD_FOR_NONE[facet] ?? value) : value}
          </span>
          {value === chosen ? <Icon name="close" size={12} /> : null}
          <span className="hint number">
            {formatCount(count)}
            {counts?.atLeast && "+"}
          </span>
        </button>
      ))}
      {values.length > shown.length && (
        <button type="button" className={`small ${styles["more"]}`} onClick={() => setShowsAll(true)}>
          {values.length - shown.length} more
        </button>
      )}
    </fieldset>
  );
}

function listValues(facet: Facet, counts: Counts): Value[] {
  const lists: Record<Facet, readonly Value[]> = {
    type: counts.types.map(({ type, count }) => ({ value: type, count })),
    connector: counts.connectors,
    schema: withNested(counts.schemas),
    certification: counts.certifications,
    owner: counts.owners.map((each) => ({ ...each, value: each.value ?? NO_OWNER })),
    tag: counts.tags,
  };
  return lists[facet].filter(({ value }) => value !== null);
}

/** A filter by schema takes what is in nested schemas too, so these are counted with it. */
function withNested(schemas: readonly Value[]): Value[] {
  const counted = schemas.map(({ value }) => {
    const within = schemas.filter((it) => it.value === value || it.value?.startsWith(`${value}.`));
    return { value, count: within.reduce((sum, { count }) => sum + count, 0) };
  });
  return counted.toSorted((a, b) => b.count - a.count);
}

/** A chosen value stays visible, so that the choice can be taken back. */
function withChosen(values: Value[], chosen: string | undefined): Value[] {
  if (chosen === undefined || values.some(({ value }) => value === chosen)) return values;
  return [{ value: chosen, count: 0 }, ...values];
}
