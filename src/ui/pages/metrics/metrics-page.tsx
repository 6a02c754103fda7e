/** All metrics, with whether people may rely on them. */
import { Link } from "wouter";

import { useMayWrite } from "../../app/session/session.ts";
import { pathOfNode, NO_OWNER, ownedBy } from "../../assets/asset-row.ts";
import { OrderSelect, readOrder } from "../../assets/order.tsx";
import { NamedPerson, PersonName } from "../../assets/names.tsx";
import { Badge, CertificationBadge, TypeIcon } from "../../parts/marks.tsx";
import { Button, ButtonLink, IconButton } from "../../parts/button.tsx";
import { countOf } from "../../parts/count.ts";
import { SearchInput } from "../../parts/form.tsx";
import { Listing } from "../../parts/listing.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Segments } from "../../parts/menu.tsx";
import { useSearch } from "../../parts/use-search.ts";
import { METRICS, type MetricRow } from "./documents.ts";
import styles from "./metrics-page.module.css";
import { useParameters } from "../../parts/use-parameters.ts";

const CERTIFICATIONS = [
  { value: "all", label: "All" },
  { value: "certified", label: "Certified" },
  { value: "pending", label: "Pending" },
] as const;

const FILTERS = ["owner", "tag", "responsible"] as const;

export function MetricsPage() {
  const { parameters, setParameter, clear } = useParameters();
  const [text, setText] = useSearch();
  const mayWrite = useMayWrite();
  const certification = CERTIFICATIONS.find(({ value }) => value === parameters.get("certification"))?.value ?? "all";
  const filters = {
    search: parameters.get("q"),
    certification: certification === "all" ? null : certification,
    owner: parameters.get("owner"),
    tag: parameters.get("tag"),
    responsible: parameters.get("responsible"),
  };
  const { owner, ...others } = filters;
  const order = readOrder(parameters);
  const isFiltered = Object.values(filters).some((value) => value !== null);
  const clearAll = (): void => {
    setText("");
    clear();
  };
  return (
    <Page
      title="Metrics"
      lead="What the business measures. A certification lapses by itself when what a metric stands on changes."
      actions={mayWrite && <ButtonLink href="/metrics/new" icon="plus" label="Define a metric" />}
    >
      <div className="cluster roomy gap-below">
        <SearchInput
          label="Search the metrics"
          placeholder="Search by name, description or tag"
          text={text}
          onType={setText}
          className={`shrink ${styles["search"]}`}
        />
        <Segments
          label="Certification"
          value={certification}
          choices={CERTIFICATIONS}
          onChoose={(value) => setParameter("certification", value === "all" ? null : value)}
        />
        <OrderSelect usual={filters.search === null ? "by full name" : "by relevance"} />
        {FILTERS.map((name) => {
          const value = filters[name];
          if (value === null) return null;
          return (
            <span key={name} className="chip">
              {name === "owner" && value === NO_OWNER ? (
                "without an owner"
              ) : (
                <>
                  {name} {name === "tag" ? value : <NamedPerson named={value} />}
                </>
              )}
              <IconButton icon="close" label={`Remove the filter ${name}`} onClick={() => setParameter(name, null)} />
            </span>
          );
        })}
      </div>
      <Listing
        key={JSON.stringify([filters, order])}
        what="the metrics"
        query={METRICS}
        variables={{ ...others, ...ownedBy(owner), orderBy: order }}
        types={["Metric"]}
        rows={8}
        empty={isFiltered ? <NoneFound onClear={clearAll} /> : <None />}
        renderFrame={(list, { totalCount }) => (
          <>
            {totalCount !== null && (
              <p className="soft gap-below" role="status">
                {countOf(totalCount, "metric")}
              </p>
            )}
            {list}
          </>
        )}
        list="lines"
        renderLine={(metric) => <MetricLine metric={metric} />}
      />
    </Page>
  );
}

function MetricLine({ metric }: { metric: MetricRow }) {
  const { displayName, name, kind, definitionSummary, description, certification, tags } = metric;
  return (
    <li className={`beside-icon with-end hoverable relative ${styles["line"]}`}>
      <TypeIcon type="metric" />
      <div className="stack tight shrink">
        <div className="words">
          <Link href={pathOfNode(metric)} className="name whole-line">
            {displayName}
          </Link>
          {displayName !== name && <code className="faint">{name}</code>}
          <CertificationBadge certification={certification} />
        </div>
        <p className={`soft cut ${styles["second"]}`}>{description ?? "No description yet."}</p>
        <code className="faint cut" title={definitionSummary}>
          {definitionSummary}
        </code>
      </div>
      <div className={`soft small ${styles["side"]}`}>
        <PersonName of={metric.ownedBy} />
        <span className="row tight">
          <Badge label={kind} />
          {tags.slice(0, 2).map((tag) => (
            <Badge key={tag} label={tag} />
          ))}
        </span>
      </div>
    </li>
  );
}

function NoneFound({ onClear }: { onClear: () => void }) {
  return (
    <Panel icon="search" title="No such metric" action={<Button label="Clear search and filters" onClick={onClear} />}>
      No metric passes all of these filters.
    </Panel>
  );
}

function None() {
  return (
    <Panel icon="metric" title="No metrics yet">
      Metrics come with the semantic models of a source that has them. Others can be defined by hand.
    </Panel>
  );
}
