/** The list of assets that pass the filters, page after page. */
import { useQuery } from "urql";
import { Link } from "wouter";

import { type SearchMatch, NO_OWNER, ownedBy } from "../../assets/asset-row.ts";
import { OrderSelect } from "../../assets/order.tsx";
import { NodeLines } from "../../assets/node-lines.tsx";
import { NamedPerson } from "../../assets/names.tsx";
import { countOf } from "../../parts/count.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Icon } from "../../parts/marks.tsx";
import { Listing } from "../../parts/listing.tsx";
import { Panel } from "../../parts/page.tsx";
import { useIsAdmin, useMayWrite } from "../../app/session/session.ts";
import { BulkEdit } from "./bulk-edit.tsx";
import { AssetLine } from "./asset-line.tsx";
import { ASSETS, FACET_COUNTS, FOUND_METRICS } from "./documents.ts";
import { describeSearch, showsMetrics } from "./describe-search.ts";
import {
  type Filter,
  FILTERS,
  type Filters,
  isSortable,
  toListVariables,
  toVariables,
  without,
  wordsOf,
} from "./filters.ts";
import styles from "./results.module.css";

interface ResultsProps {
  filters: Filters;
  /** The ids of the assets that are chosen, to edit them at once. */
  selected: readonly string[];
  onSelect: (ids: readonly string[]) => void;
  onChoose: (name: Filter, value: string | undefined) => void;
  onClear: () => void;
}

export function Results({ filters, selected, onSelect, onChoose, onClear }: ResultsProps) {
  const [{ data }] = useQuery({ query: ASSETS, variables: { ...toListVariables(filters), after: null } });
  const best = data?.assets?.edges[0]?.matched ?? null;
  const mayWrite = useMayWrite();
  const choose = (id: string, isChosen: boolean): void =>
    onSelect(isChosen ? [...selected, id] : selected.filter((other) => other !== id));
  const isFiltered = filters.search !== "" || Object.keys(filters.chosen).length > 0;
  return (
    <section aria-label="Assets" className="shrink">
      <Summary filters={filters} total={data?.assets?.totalCount} onChoose={onChoose} />
      <p className={"line hide-empty warn line-below"} role="status">
        {describeSearch(best)}
      </p>
      {filters.search !== "" && <FoundMetrics filters={filters} best={best} />}
      <Listing
        what="the assets"
        query={ASSETS}
        variables={toListVariables(filters)}
        pick={({ assets }) => assets && { ...assets, nodes: assets.edges }}
        types={["Asset"]}
        rows={10}
        loadsOnScroll
        empty={isFiltered ? <NoneFound isSearch={filters.search !== ""} onClear={onClear} /> : <None />}
        list=""
        renderLine={({ node, matched }) => (
          <AssetLine
            asset={node}
            usage={isSortable(filters) && filters.sort === "usage" ? node.usage : null}
            matched={matched}
            search={filters.search}
            isChosen={selected.includes(node.id)}
            onChoose={mayWrite ? (isChosen) => choose(node.id, isChosen) : null}
          />
        )}
      />
      {selected.length > 0 && <BulkEdit ids={selected} onClear={() => onSelect([])} />}
    </section>
  );
}

function Summary({
  filters,
  total,
  onChoose,
}: Pick<ResultsProps, "filters" | "onChoose"> & { total: number | null | undefined }) {
  const { search, chosen, sort } = filters;
  // The facet of types sends the same query. It is sent once.
  const [{ data }] = useQuery({ query: FACET_COUNTS, variables: toVariables(without(filters, "type")) });
  const counts = data?.assets?.facets;
  return (
    <div className={`cluster roomy soft relative line-below ${styles["summary"]}`} role="status">
      {total !== undefined && (
        <span>
          {countFound(filters, total, counts?.types ?? [])}
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
              <span className="unseen">remove this filter</span>
            </button>
          )
        );
      })}
      {isSortable(filters) && <OrderSelect usual={wordsOf(search) === "" ? "by schema" : "by relevance"} />}
      {sort && wordsOf(search) !== "" && (
        <span className="hint">{total === null && "of the 1,000 most relevant, "}without columns</span>
      )}
      <span className="push hint wide-only" aria-hidden="true">
        <kbd>J</kbd> <kbd>K</kbd> move <kbd>Enter</kbd> open
      </span>
    </div>
  );
}

/** A search finds columns too, which are no assets. A list in another order has none. */
function countFound(
  { search, chosen, sort }: Filters,
  total: number | null,
  types: readonly { type: string; count: number }[],
): string {
  if (total === null) return `More than 1,000 assets${wordsOf(search) === "" ? "" : " and columns"}`;
  if (chosen.type === "column") return countOf(total, "column");
  const isListed = chosen.type === undefined && !sort && wordsOf(search) !== "";
  const columns = isListed ? (types.find(({ type }) => type === "column")?.count ?? 0) : 0;
  const assets = countOf(Math.max(total - columns, 0), "asset");
  return columns === 0 ? assets : `${assets} and ${countOf(columns, "column")}`;
}

/** The metrics that a search finds come before the assets, the best of which tells whether they are worth it. */
function FoundMetrics({ filters: { search, chosen }, best }: { filters: Filters; best: SearchMatch | null }) {
  const { type, connector, schema, directly, platform, failing, ...others } = chosen;
  const isPassed = [type, connector, schema, directly, platform, failing].every((value) => value === undefined);
  const { tag, certification, responsible, described } = toVariables({ search, chosen: others });
  const variables = { search, tag, ...ownedBy(chosen.owner), certification, responsible, described };
  const [{ data }] = useQuery({ query: FOUND_METRICS, variables, pause: !isPassed });
  const metrics = isPassed ? data?.metrics : undefined;
  if (!metrics || metrics.edges.length === 0 || !showsMetrics(metrics.edges[0]?.matched, best)) return null;
  const nodes = metrics.edges.map(({ node }) => node);
  return (
    <div className={`line-below ${styles["metrics"]}`}>
      <NodeLines label="Metrics" nodes={nodes} detail={({ description }) => description} />
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
  if (name === "owner" && value === NO_OWNER) return "without an owner";
  return (
    <>
      <span className="soft">{name}</span>{" "}
      {name === "owner" || name === "responsible" ? <NamedPerson named={value} /> : value}
    </>
  );
}

function NoneFound({ isSearch, onClear }: { isSearch: boolean; onClear: () => void }) {
  return (
    <Panel icon="search" title="Nothing found" action={<Button label="Clear search and filters" onClick={onClear} />}>
      {isSearch ? "Try fewer words, or part of a name." : "No asset passes all of these filters."}
    </Panel>
  );
}

function None() {
  const isAdmin = useIsAdmin();
  const add = <ButtonLink href="/connectors/new" look="primary" icon="plus" label="Add a connector" />;
  return (
    <Panel icon="catalog" title="The catalog is empty" action={isAdmin && add}>
      {isAdmin
        ? "Connect a source, such as a transformation project or a database."
        : "An admin of this workspace can connect a source."}
    </Panel>
  );
}
