/** The catalog: search as one types, and facets. */
import { useState } from "react";
import { Link } from "wouter";

import { useHotkey } from "../../app/use-hotkey.ts";
import { useTitle } from "../../parts/page.tsx";
import { IconButton } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { useSearch } from "../../parts/use-search.ts";
import styles from "./catalog-page.module.css";
import { FilterCompletions } from "./filter-completions.tsx";
import { Facets } from "./facets.tsx";
import { useFilters } from "./filters.ts";
import { Results } from "./results.tsx";
import { SaveSearch } from "./save-search.tsx";

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
        <details className={styles["filters"]} open={matchMedia("(min-width: 60rem)").matches}>
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
