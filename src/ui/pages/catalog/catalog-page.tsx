/** The catalog: search as one types, and facets. */
import { useEffect, useEffectEvent } from "react";

import { useHotkey } from "../../app/use-hotkey.ts";
import { useTitle } from "../../app/use-title.ts";
import { IconButton } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { useDebounced } from "../../parts/use-debounced.ts";
import { useSearchText } from "../../parts/use-search-text.ts";
import styles from "./catalog-page.module.css";
import { Facets } from "./facets.tsx";
import { useFilters } from "./filters.ts";
import { focusRow } from "./focus-row.ts";
import { Results } from "./results.tsx";

const REST_MS = 120;

export function CatalogPage() {
  useTitle("Catalog");
  const { filters, setSearch, choose, clear } = useFilters();
  const [text, setText] = useSearchText();
  const rested = useDebounced(text.trim(), REST_MS);
  const send = useEffectEvent((search: string) => {
    if (search !== filters.search) setSearch(search);
  });
  useEffect(() => send(rested), [rested]);
  useHotkey("j", () => focusRow(1));
  useHotkey("k", () => focusRow(-1));
  const count = Object.keys(filters.chosen).length;
  return (
    <div className={styles["page"]}>
      <h1 className={styles["title"]}>Catalog</h1>
      <div className={styles["search"]}>
        <Icon name="search" />
        <input
          type="search"
          aria-label="Search the catalog"
          placeholder="Search by name, column, tag, owner or description"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "ArrowDown") focusRow(1);
          }}
        />
        {text !== "" && <IconButton icon="close" label="Clear the search" onClick={() => setText("")} />}
      </div>
      <div className={styles["columns"]}>
        <details className={styles["filters"]} open={matchMedia("(min-width: 60rem)").matches}>
          <summary>
            <Icon name="filter" size={14} /> Filters{count > 0 && ` (${count})`}
          </summary>
          <Facets filters={filters} onChoose={choose} />
        </details>
        <Results key={JSON.stringify(filters)} filters={filters} onChoose={choose} onClear={clear} />
      </div>
    </div>
  );
}
