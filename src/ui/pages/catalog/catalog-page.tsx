/** The catalog: search as one types, and facets. */
import { useState } from "react";
import { Link } from "wouter";
import { useQuery } from "urql";

import { useHotkey } from "../../app/use-hotkey.ts";
import { useTitle } from "../../parts/page.tsx";
import { IconButton } from "../../parts/button.tsx";
import { Icon } from "../../parts/marks.tsx";
import { useSearch } from "../../parts/use-search.ts";
import { mutation, type ResultOf } from "../../graphql/graphql.ts";
import { ChangeDialog } from "../../parts/change-form.tsx";
import { TextField } from "../../parts/form.tsx";
import styles from "./catalog-page.module.css";
import { Facets } from "./facets.tsx";
import { type Filters, toVariables, useFilters, WRITTEN_FILTERS } from "./filters.ts";
import { Results } from "./results.tsx";
import { FACET_COUNTS } from "./documents.ts";
import { useParameters } from "../../parts/use-parameters.ts";

export function CatalogPage() {
  useTitle("Catalog");
  const { filters, choose, clear } = useFilters();
  const [selected, setSelected] = useState<readonly string[]>([]);
  const [text, setText] = useSearch();
  useHotkey("j", () => focusRow(1));
  useHotkey("k", () => focusRow(-1));
  const count = Object.keys(filters.chosen).length;
  return (
    <div className="page">
      <div className="row spread">
        <h1 className="large">Catalog</h1>
        <Link href="/browse" className="small">
          Browse by platform and schema
        </Link>
      </div>
      <div className={`input-box ${styles["search"]}`}>
        <Icon name="search" />
        <input
          type="search"
          aria-label="Search the catalog"
          placeholder="Search by name, column or description, or filter: tag:pii owner: type: schema:"
          list="written-filters"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "ArrowDown") focusRow(1);
          }}
        />
        <SaveSearch />
        {text !== "" && <IconButton icon="close" label="Clear the search" onClick={() => setText("")} />}
      </div>
      <FilterCompletions filters={filters} text={text} />
      <div className={`columns loose ${styles["columns"]}`}>
        <details className={`pinned ${styles["filters"]}`} open={matchMedia("(min-width: 60rem)").matches}>
          <summary className="row soft medium">
            <Icon name="filter" size={14} /> Filters{count > 0 && ` (${count})`}
          </summary>
          <Facets filters={filters} onChoose={choose} />
        </details>
        <Results
          key={JSON.stringify(filters)}
          filters={filters}
          selected={selected}
          onSelect={setSelected}
          onChoose={choose}
          onClear={clear}
        />
      </div>
    </div>
  );
}

/** Moves the focus among the rows of the list; from elsewhere, to the first one. */
function focusRow(step: 1 | -1): void {
  const rows = Array.from(document.querySelectorAll<HTMLElement>("[data-row]"));
  const index = rows.findIndex((row) => row === document.activeElement);
  const next = rows[index === -1 ? 0 : index + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

const SAVE_SEARCH = mutation("saveSearch", "search { id name query }");

/** Saves the search and the filters of the address under a name. The home page lists what a person saved. */
function SaveSearch() {
  const [isNaming, setNaming] = useState(false);
  const { parameters } = useParameters();
  const query = parameters.toString();
  if (query === "") return null;
  return (
    <>
      <IconButton icon="star" label="Save this search" onClick={() => setNaming(true)} />
      {isNaming && (
        <ChangeDialog
          title="Save this search"
          action="Save"
          change={SAVE_SEARCH}
          variables={(form) => ({ input: { name: String(form.get("name")), query } })}
          types={["SavedSearch"]}
          onDone={() => "It is on your home page."}
          onClose={() => setNaming(false)}
        >
          <TextField
            label="Name"
            name="name"
            defaultValue={parameters.get("q") ?? ""}
            autoFocus
            required
            maxLength={100}
          />
        </ChangeDialog>
      )}
    </>
  );
}

type Counts = NonNullable<ResultOf<typeof FACET_COUNTS>["assets"]>["facets"];

interface FilterCompletionsProps {
  filters: Filters;
  text: string;
}

/** Completes the filters that people write into the search field, such as `tag:pii`, with the values that there are. */
function FilterCompletions({ filters, text }: FilterCompletionsProps) {
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
