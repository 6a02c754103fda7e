/** The list of assets that pass the filters, page after page. */
import { useEffect, useRef } from "react";
import { useQuery } from "urql";

import { usePages } from "../../graphql/use-pages.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { ErrorPanel, Panel } from "../../parts/panel.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { Unseen } from "../../parts/unseen.tsx";
import { useIsAdmin } from "../../app/session/use-session.ts";
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
  const { cursors, showMore } = usePages();
  // Crawls change the catalog while somebody looks at other pages.
  const [{ data }] = useQuery({
    query: ASSETS,
    variables: { ...toVariables(filters), after: null },
    requestPolicy: "cache-and-network",
  });
  return (
    <section aria-label="Assets" className={styles["results"]}>
      <Summary filters={filters} total={data?.assets?.totalCount} onChoose={onChoose} />
      <p className={styles["note"]} role="status">
        {describeSearch(filters.search, data?.assets?.edges[0]?.matched ?? null)}
      </p>
      {cursors.map((after) => (
        <ResultPage
          key={after}
          filters={filters}
          after={after}
          onMore={after === cursors.at(-1) ? showMore : null}
          onClear={onClear}
        />
      ))}
    </section>
  );
}

function Summary({ filters, total, onChoose }: Omit<ResultsProps, "onClear"> & { total: number | null | undefined }) {
  const { search, chosen } = filters;
  return (
    <div className={styles["summary"]} role="status">
      {total !== undefined && (
        <span>
          {total === null ? "More than 1,000" : total.toLocaleString("en-US")} {total === 1 ? "asset" : "assets"}
          {search !== "" && ` for “${search}”`}
        </span>
      )}
      {FACETS.map((facet) => {
        const value = chosen[facet];
        return (
          value !== undefined && (
            <button key={facet} type="button" className={styles["chip"]} onClick={() => onChoose(facet, undefined)}>
              <span className={styles["facet"]}>{facet}</span> {value}
              <Icon name="close" size={12} />
              <Unseen>remove this filter</Unseen>
            </button>
          )
        );
      })}
      <span className={styles["keys"]} aria-hidden="true">
        <kbd>J</kbd> <kbd>K</kbd> move <kbd>Enter</kbd> open
      </span>
    </div>
  );
}

interface ResultPageProps {
  filters: Filters;
  after: string | null;
  /** Shows the page after this one; null if it is shown already. */
  onMore: ((cursor: string) => void) | null;
  onClear: () => void;
}

function ResultPage({ filters, after, onMore, onClear }: ResultPageProps) {
  const [{ data, error, fetching }, again] = useQuery({ query: ASSETS, variables: { ...toVariables(filters), after } });
  const list = data?.assets;
  if (!list) {
    if (error) return <ErrorPanel error={error} onRetry={() => again({ requestPolicy: "network-only" })} />;
    return fetching ? <Skeleton rows={after === null ? 10 : 3} label="Loading assets" /> : null;
  }
  if (list.edges.length === 0 && after === null) return <NothingFound filters={filters} onClear={onClear} />;
  const { endCursor, hasNextPage } = list.pageInfo;
  return (
    <>
      <ul className={styles["list"]}>
        {list.edges.map(({ node, matched }) => (
          <AssetLine key={node.id} asset={node} matched={matched} search={filters.search} />
        ))}
      </ul>
      {hasNextPage && endCursor !== null && onMore !== null && <More onReach={() => onMore(endCursor)} />}
    </>
  );
}

/** Loads the next page when it comes near the window, or is pressed. */
function More({ onReach }: { onReach: () => void }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onReach();
      },
      { rootMargin: "600px" },
    );
    if (element.current !== null) observer.observe(element.current);
    return () => observer.disconnect();
  });
  return (
    <div ref={element} className={styles["more"]}>
      <Button onClick={onReach}>Show more</Button>
    </div>
  );
}

function NothingFound({ filters, onClear }: { filters: Filters; onClear: () => void }) {
  const isFiltered = filters.search !== "" || Object.keys(filters.chosen).length > 0;
  if (!isFiltered) {
    return <Empty />;
  }
  return (
    <Panel icon="search" title="Nothing found" action={<Button onClick={onClear}>Clear search and filters</Button>}>
      {filters.search === "" ? "No asset passes all of these filters." : "Try fewer words, or part of a name."}
    </Panel>
  );
}

function Empty() {
  const isAdmin = useIsAdmin();
  const add = (
    <ButtonLink href="/connectors/new" look="primary" icon="plus">
      Add a connector
    </ButtonLink>
  );
  return (
    <Panel icon="catalog" title="The catalog is empty" action={isAdmin && add}>
      {isAdmin
        ? "Connect a source, such as your dbt project."
        : "An admin of this workspace can connect a source, such as a dbt project."}
    </Panel>
  );
}
