/** All metrics, with whether people may rely on them. */
import { useEffect, useEffectEvent } from "react";
import { useQuery } from "urql";
import { Link, useSearchParams } from "wouter";

import { useMayWrite } from "../../app/session/use-session.ts";
import { useTitle } from "../../app/use-title.ts";
import { ownerOf, pathOfNode } from "../../assets/asset-row.ts";
import { usePages } from "../../graphql/use-pages.ts";
import { Badge, CertificationBadge, TypeIcon } from "../../parts/badge.tsx";
import { Button, ButtonLink, IconButton } from "../../parts/button.tsx";
import { Page } from "../../parts/page.tsx";
import { ErrorPanel, Panel } from "../../parts/panel.tsx";
import { Segments } from "../../parts/segments.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { useDebounced } from "../../parts/use-debounced.ts";
import { useSearchText } from "../../parts/use-search-text.ts";
import { METRICS, type MetricRow } from "./documents.ts";
import styles from "./metrics-page.module.css";

const CERTIFICATIONS = [
  { value: "all", label: "All" },
  { value: "certified", label: "Certified" },
  { value: "pending", label: "Pending" },
] as const;

type Certification = (typeof CERTIFICATIONS)[number]["value"];

const REST_MS = 150;

interface Filters {
  search: string;
  certification: Certification;
  owner: string;
  tag: string;
}

const NAMES = { search: "q", certification: "certification", owner: "owner", tag: "tag" } as const;

function useMetricFilters() {
  const [parameters, setParameters] = useSearchParams();
  const certification = CERTIFICATIONS.find(({ value }) => value === parameters.get("certification"))?.value ?? "all";
  const filters: Filters = {
    search: parameters.get("q") ?? "",
    certification,
    owner: parameters.get("owner") ?? "",
    tag: parameters.get("tag") ?? "",
  };
  const filter = (name: keyof Filters, value: string): void => {
    setParameters(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === "" || value === "all") after.delete(NAMES[name]);
        else after.set(NAMES[name], value);
        return after;
      },
      { replace: name === "search" },
    );
  };
  return { filters, filter, clear: () => setParameters({}) };
}

export function MetricsPage() {
  useTitle("Metrics");
  const { filters, filter, clear } = useMetricFilters();
  const mayWrite = useMayWrite();
  const [text, setText] = useSearchText();
  const rested = useDebounced(text.trim(), REST_MS);
  const send = useEffectEvent((search: string) => {
    if (search !== filters.search) filter("search", search);
  });
  useEffect(() => send(rested), [rested]);
  const clearAll = (): void => {
    setText("");
    clear();
  };
  return (
    <Page
      title="Metrics"
      lead="What the business measures. A certification lapses by itself when what a metric stands on changes."
      actions={
        mayWrite && (
          <ButtonLink href="/metrics/new" icon="plus">
            Define a metric
          </ButtonLink>
        )
      }
    >
      <div className={styles["bar"]}>
        <input
          type="search"
          aria-label="Search the metrics"
          placeholder="Search by name, description or tag"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Segments
          label="Certification"
          value={filters.certification}
          choices={CERTIFICATIONS}
          onChoose={(value) => filter("certification", value)}
        />
        {(["owner", "tag"] as const).map(
          (name) =>
            filters[name] !== "" && (
              <span key={name} className={styles["chip"]}>
                {name} {filters[name]}
                <IconButton icon="close" label={`Remove the filter ${name}`} onClick={() => filter(name, "")} />
              </span>
            ),
        )}
      </div>
      <List key={JSON.stringify(filters)} filters={filters} onClear={clearAll} />
    </Page>
  );
}

function List({ filters, onClear }: { filters: Filters; onClear: () => void }) {
  const { cursors, showMore } = usePages();
  return cursors.map((after) => (
    <ListPage
      key={after}
      filters={filters}
      after={after}
      onMore={after === cursors.at(-1) ? showMore : null}
      onClear={onClear}
    />
  ));
}

interface ListPageProps {
  filters: Filters;
  after: string | null;
  /** Shows the page after this one; null if it is shown already. */
  onMore: ((cursor: string) => void) | null;
  onClear: () => void;
}

function ListPage({ filters, after, onMore, onClear }: ListPageProps) {
  const { search, certification, owner, tag } = filters;
  const [{ data, error }, again] = useQuery({
    query: METRICS,
    variables: {
      search: search || null,
      certification: certification === "all" ? null : certification,
      owner: owner || null,
      tag: tag || null,
      after,
    },
    // Crawls change the metrics while somebody looks at other pages.
    requestPolicy: after === null ? "cache-and-network" : "cache-first",
    context: NOTICES_NEW_ONES,
  });
  const list = data?.metrics;
  if (!list) {
    if (error) return <ErrorPanel error={error} onRetry={() => again({ requestPolicy: "network-only" })} />;
    return <Skeleton rows={after === null ? 8 : 3} label="Loading metrics" />;
  }
  if (list.nodes.length === 0 && after === null) return <Nothing filters={filters} onClear={onClear} />;
  const { hasNextPage, endCursor } = list.pageInfo;
  return (
    <>
      {after === null && list.totalCount !== null && (
        <p className={styles["total"]} role="status">
          {list.totalCount.toLocaleString("en-US")} {list.totalCount === 1 ? "metric" : "metrics"}
        </p>
      )}
      <ul className={styles["list"]}>
        {list.nodes.map((metric) => (
          <MetricLine key={metric.id} metric={metric} />
        ))}
      </ul>
      {hasNextPage && endCursor !== null && onMore && <Button onClick={() => onMore(endCursor)}>Show more</Button>}
    </>
  );
}

function MetricLine({ metric }: { metric: MetricRow }) {
  const { displayName, name, kind, definitionSummary, description, certification, tags } = metric;
  return (
    <li className={styles["line"]}>
      <TypeIcon type="metric" />
      <div className={styles["what"]}>
        <div className={styles["first"]}>
          <Link href={pathOfNode(metric)} className={styles["name"]}>
            {displayName}
          </Link>
          {displayName !== name && <code className={styles["soft"]}>{name}</code>}
          <CertificationBadge certification={certification} />
        </div>
        <p className={styles["second"]}>{description ?? "No description yet."}</p>
        <code className={styles["definition"]} title={definitionSummary}>
          {definitionSummary}
        </code>
      </div>
      <div className={styles["side"]}>
        <span>{ownerOf(metric) ?? "no owner"}</span>
        <span className={styles["tags"]}>
          <Badge>{kind}</Badge>
          {tags.slice(0, 2).map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </span>
      </div>
    </li>
  );
}

function Nothing({ filters, onClear }: { filters: Filters; onClear: () => void }) {
  const isFiltered = Object.values(filters).some((value) => value !== "" && value !== "all");
  if (isFiltered) {
    return (
      <Panel icon="search" title="No such metric" action={<Button onClick={onClear}>Clear search and filters</Button>}>
        No metric passes all of these filters.
      </Panel>
    );
  }
  return (
    <Panel icon="metric" title="No metrics yet">
      Metrics come with dbt&rsquo;s semantic models. Those of other tools can be defined by hand.
    </Panel>
  );
}

/** An empty list has no object by which the cache could know that a new one changes it. */
const NOTICES_NEW_ONES = { additionalTypenames: ["Metric"] };
