/** The list of assets that pass the filters, page after page. */
import { useState } from "react";
import { useQuery } from "urql";

import { countOf } from "../../parts/count.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Listing } from "../../parts/listing.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Unseen } from "../../parts/unseen.tsx";
import { useIsAdmin, useMayWrite } from "../../app/session/use-session.ts";
import { BulkEdit } from "./bulk-edit.tsx";
import { AssetLine } from "./asset-line.tsx";
import { ASSETS } from "./documents.ts";
import { describeSearch } from "./describe-search.ts";
import { type Facet, FACETS, type Filters, toVariables } from "./filters.ts";
import styles from "./results.module.css";

interface ResultsProps {
  filters: Filters;
  onChoose: (facet: Facet, value: string | undefined) => void;
  onClear: () => void;
}

export function Results({ filters, onChoose, onClear }: ResultsProps) {
  const [{ data }] = useQuery({ query: ASSETS, variables: { ...toVariables(filters), after: null } });
  const mayWrite = useMayWrite();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const choose = (id: string, isChosen: boolean): void =>
    setChosen((before) => new Set(isChosen ? [...before, id] : [...before].filter((other) => other !== id)));
  const isFiltered = filters.search !== "" || Object.keys(filters.chosen).length > 0;
  return (
    <section aria-label="Assets" className="shrink">
      <Summary filters={filters} total={data?.assets?.totalCount} onChoose={onChoose} />
      <p className={`line hide-empty warn ${styles["note"]}`} role="status">
        {describeSearch(filters.search, data?.assets?.edges[0]?.matched ?? null)}
      </p>
      <Listing
        what="the assets"
        query={ASSETS}
        variables={(after) => ({ ...toVariables(filters), after })}
        pick={({ assets }) => assets && { ...assets, nodes: assets.edges }}
        types={["Asset"]}
        rows={10}
        loadsOnScroll
        empty={isFiltered ? <NoneFound isSearch={filters.search !== ""} onClear={onClear} /> : <None />}
      >
        {(found) => (
          <ul>
            {found.map(({ node, matched }) => (
              <AssetLine
                key={node.id}
                asset={node}
                matched={matched}
                search={filters.search}
                isChosen={chosen.has(node.id)}
                onChoose={mayWrite ? (isChosen) => choose(node.id, isChosen) : null}
              />
            ))}
          </ul>
        )}
      </Listing>
      {chosen.size > 0 && <BulkEdit ids={[...chosen]} onClear={() => setChosen(new Set())} />}
    </section>
  );
}

function Summary({ filters, total, onChoose }: Omit<ResultsProps, "onClear"> & { total: number | null | undefined }) {
  const { search, chosen } = filters;
  return (
    <div className={`cluster roomy soft ${styles["summary"]}`} role="status">
      {total !== undefined && (
        <span>
          {total === null ? "More than 1,000 assets" : countOf(total, "asset")}
          {search !== "" && ` for “${search}”`}
        </span>
      )}
      {FACETS.map((facet) => {
        const value = chosen[facet];
        return (
          value !== undefined && (
            <button key={facet} type="button" className="chip" onClick={() => onChoose(facet, undefined)}>
              <span className="soft">{facet}</span> {value}
              <Icon name="close" size={12} />
              <Unseen>remove this filter</Unseen>
            </button>
          )
        );
      })}
      <span className={`push hint ${styles["keys"]}`} aria-hidden="true">
        <kbd>J</kbd> <kbd>K</kbd> move <kbd>Enter</kbd> open
      </span>
    </div>
  );
}

function NoneFound({ isSearch, onClear }: { isSearch: boolean; onClear: () => void }) {
  return (
    <Panel icon="search" title="Nothing found" action={<Button onClick={onClear}>Clear search and filters</Button>}>
      {isSearch ? "Try fewer words, or part of a name." : "No asset passes all of these filters."}
    </Panel>
  );
}

function None() {
  const isAdmin = useIsAdmin();
  const add = (
    <ButtonLink href="/connectors/new" look="primary" icon="plus">
      Add a connector
    </ButtonLink>
  );
  return (
    <Panel icon="catalog" title="The catalog is empty" action={isAdmin && add}>
      {isAdmin
        ? "Connect a source, such as a transformation project or a database."
        : "An admin of this workspace can connect a source."}
    </Panel>
  );
}
