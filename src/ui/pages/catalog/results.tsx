/** The list of assets that pass the filters, page after page. */
import { useState } from "react";
import { useQuery } from "urql";
import { Link } from "wouter";

import { NodeLines } from "../../assets/node-lines.tsx";
import { countOf } from "../../parts/count.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Listing } from "../../parts/listing.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Unseen } from "../../parts/unseen.tsx";
import { useIsAdmin, useMayWrite } from "../../app/session/use-session.ts";
import { BulkEdit } from "./bulk-edit.tsx";
import { AssetLine } from "./asset-line.tsx";
import { ASSETS, FOUND_METRICS } from "./documents.ts";
import { describeSearch } from "./describe-search.ts";
import {
  type Filter,
  FILTERS,
  type Filters,
  isSortable,
  type Sort,
  SORTS,
  toListVariables,
  toVariables,
} from "./filters.ts";
import styles from "./results.module.css";

interface ResultsProps {
  filters: Filters;
  onChoose: (name: Filter, value: string | undefined) => void;
  onSort: (by: Sort | null) => void;
  onClear: () => void;
}

const SORT_WORDS: Record<Sort, string> = {
  name: "by name",
  updated: "last changed first",
  usage: "most used first",
  downstream: "most consumers first",
};

export function Results({ filters, onChoose, onSort, onClear }: ResultsProps) {
  const [{ data }] = useQuery({ query: ASSETS, variables: { ...toListVariables(filters), after: null } });
  const mayWrite = useMayWrite();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const choose = (id: string, isChosen: boolean): void =>
    setChosen((before) => new Set(isChosen ? [...before, id] : [...before].filter((other) => other !== id)));
  const isFiltered = filters.search !== "" || Object.keys(filters.chosen).length > 0;
  return (
    <section aria-label="Assets" className="shrink">
      <Summary filters={filters} total={data?.assets?.totalCount} onChoose={onChoose} onSort={onSort} />
      <p className={`line hide-empty warn ${styles["note"]}`} role="status">
        {describeSearch(filters.search, data?.assets?.edges[0]?.matched ?? null)}
      </p>
      {filters.search !== "" && <FoundMetrics filters={filters} />}
      <Listing
        what="the assets"
        query={ASSETS}
        variables={(after) => ({ ...toListVariables(filters), after })}
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
                usage={isSortable(filters) && filters.sort === "usage" ? node.usage : null}
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

function Summary({
  filters,
  total,
  onChoose,
  onSort,
}: Omit<ResultsProps, "onClear"> & { total: number | null | undefined }) {
  const { search, chosen, sort } = filters;
  return (
    <div className={`cluster roomy soft ${styles["summary"]}`} role="status">
      {total !== undefined && (
        <span>
          {total === null ? "More than 1,000 assets" : countOf(total, "asset")}
          {search !== "" && ` for “${search}”`}
        </span>
      )}
      {FILTERS.map((name) => {
        const value = chosen[name];
        return (
          value !== undefined && (
            <button key={name} type="button" className="chip" onClick={() => onChoose(name, undefined)}>
              <FilterName name={name} value={value} />
              <Icon name="close" size={12} />
              <Unseen>remove this filter</Unseen>
            </button>
          )
        );
      })}
      {isSortable(filters) && (
        <select
          aria-label="Order"
          className={`input small ${styles["order"]}`}
          value={sort ?? ""}
          onChange={({ target }) => onSort(SORTS.find((by) => by === target.value) ?? null)}
        >
          <option value="">by schema</option>
          {SORTS.map((by) => (
            <option key={by} value={by}>
              {SORT_WORDS[by]}
            </option>
          ))}
        </select>
      )}
      <span className={`push hint ${styles["keys"]}`} aria-hidden="true">
        <kbd>J</kbd> <kbd>K</kbd> move <kbd>Enter</kbd> open
      </span>
    </div>
  );
}

/** The metrics that a search finds come before the assets. */
function FoundMetrics({ filters: { search, chosen } }: { filters: Filters }) {
  const { type, connector, schema, directly, platform, failing, ...others } = chosen;
  const isPassed = [type, connector, schema, directly, platform, failing].every((value) => value === undefined);
  const { tag, owner, unowned, certification, responsible, described } = toVariables({ search, chosen: others });
  const variables = { search, tag, owner, unowned, certification, responsible, described };
  const [{ data }] = useQuery({ query: FOUND_METRICS, variables, pause: !isPassed });
  const metrics = isPassed ? data?.metrics : undefined;
  if (!metrics || metrics.nodes.length === 0) return null;
  return (
    <div className={styles["metrics"]}>
      <NodeLines label="Metrics" nodes={metrics.nodes} detail={({ description }) => description} />
      {metrics.pageInfo.hasNextPage && (
        <Link href={`/metrics?${new URLSearchParams({ q: search })}`} className={`small ${styles["more"]}`}>
          Show all {metrics.totalCount} metrics
        </Link>
      )}
    </div>
  );
}

function FilterName({ name, value }: { name: Filter; value: string }) {
  if (name === "failing") return "with failing checks";
  if (name === "directly") return value === "none" ? "without a schema" : "not in schemas within";
  if (name === "described") return value === "yes" ? "with a description" : "without a description";
  return (
    <>
      <span className="soft">{name}</span> {value}
    </>
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
