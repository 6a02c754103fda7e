/** One metric: how it is computed, what it stands on, and whether people may rely on it. */
import { useQuery } from "urql";
import { Link, useParams } from "wouter";

import { useMayWrite } from "../../app/session/use-session.ts";
import { useTitle } from "../../app/use-title.ts";
import { ownerOf, pathOfLineage, pathOfNode } from "../../assets/asset-row.ts";
import { Badge, CertificationBadge, TypeBadge, TypeIcon } from "../../parts/badge.tsx";
import { ButtonLink } from "../../parts/button.tsx";
import { Description } from "../../parts/description.tsx";
import { Fact, Facts } from "../../parts/facts.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Above, Page, Section, WithAside } from "../../parts/page.tsx";
import { ErrorPanel, Panel } from "../../parts/panel.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { Time } from "../../parts/time.tsx";
import { InlineSql } from "../../sql/inline-sql.tsx";
import { Certification } from "./certification.tsx";
import { METRIC, type MetricDetail, PEOPLE } from "./documents.ts";
import styles from "./metric-page.module.css";
import { RemoveMetric } from "./remove-metric.tsx";
import { Foundations } from "./foundations.tsx";
import { Trail } from "./trail.tsx";

export function MetricPage() {
  const { id = "" } = useParams();
  const [{ data, error, fetching }, again] = useQuery({ query: METRIC, variables: { id } });
  const metric = data?.metric;
  const mayWrite = useMayWrite();
  useTitle(metric?.displayName ?? "Metric");
  if (!metric) {
    if (error) return <ErrorPanel isPage error={error} onRetry={() => again({ requestPolicy: "network-only" })} />;
    if (fetching) return <Skeleton rows={8} label="Loading the metric" />;
    return (
      <Panel isPage icon="search" title="There is no such metric" action={<Link href="/metrics">All metrics</Link>}>
        It may have been removed since the link was made.
      </Panel>
    );
  }
  const { displayName, name, description, certification, url, platform } = metric;
  return (
    <Page
      above={<Above href="/metrics" label="Metrics" />}
      title={
        <>
          <h1>{displayName}</h1>
          <TypeBadge type="metric" />
          <CertificationBadge certification={certification} />
          {displayName !== name && <code className={styles["soft"]}>{name}</code>}
        </>
      }
      lead={description && <Description text={description} />}
      actions={
        <>
          {url && (
            <a className={styles["away"]} href={url} target="_blank" rel="noreferrer">
              Open in {platform} <Icon name="external" size={12} />
            </a>
          )}
          {metric.sourceConnector === PEOPLE && mayWrite && (
            <ButtonLink href={`${pathOfNode(metric)}/edit`} icon="edit">
              Edit
            </ButtonLink>
          )}
          <ButtonLink href={pathOfLineage(metric.id)} icon="lineage">
            Lineage
          </ButtonLink>
          <ButtonLink href={`/impact?id=${encodeURIComponent(metric.id)}`} icon="impact">
            What breaks?
          </ButtonLink>
        </>
      }
    >
      <WithAside aside={<About metric={metric} />}>
        <Certification metric={metric} onChange={() => again({ requestPolicy: "network-only" })} />
        <Section title="Definition">
          <Definition metric={metric} />
        </Section>
        <Section title="What it stands on">
          <Foundations metric={metric} />
        </Section>
        <Section title="Trail of the certification" count={metric.audit.length}>
          <Trail steps={metric.audit} />
        </Section>
      </WithAside>
    </Page>
  );
}

function Definition({ metric: { definition, kind } }: { metric: MetricDetail }) {
  const { expression, grain, dimensions, filters } = definition;
  return (
    <div className={styles["definition"]}>
      <InlineSql text={expression} />
      <dl className={styles["details"]}>
        <dt>Kind</dt>
        <dd>{kind}</dd>
        {grain && (
          <>
            <dt>Grain</dt>
            <dd>{grain}</dd>
          </>
        )}
        {filters.length > 0 && (
          <>
            <dt>Only where</dt>
            <dd>
              {filters.map((filter) => (
                <InlineSql key={filter} text={filter} />
              ))}
            </dd>
          </>
        )}
        {dimensions.length > 0 && (
          <>
            <dt>By</dt>
            <dd className={styles["badges"]}>
              {dimensions.map((dimension) => (
                <Badge key={dimension}>{dimension}</Badge>
              ))}
            </dd>
          </>
        )}
      </dl>
    </div>
  );
}

function About({ metric }: { metric: MetricDetail }) {
  const { owner, tags, connectors, createdAt, updatedAt, metricLineage } = metric;
  const name = ownerOf(metric);
  return (
    <>
      <Facts>
        <Fact name="Owner">
          {name === null && "Nobody"}
          {name !== null && owner === null && name}
          {name !== null && owner !== null && (
            <Link href={`/metrics?owner=${encodeURIComponent(owner)}`} title={owner}>
              {name}
            </Link>
          )}
        </Fact>
        <Fact name="Tags">
          {tags.length === 0 && "None"}
          <span className={styles["badges"]}>
            {tags.map((tag) => (
              <Link key={tag} href={`/metrics?tag=${encodeURIComponent(tag)}`}>
                <Badge>{tag}</Badge>
              </Link>
            ))}
          </span>
        </Fact>
        <Fact name="Source">{connectors.map((each) => (each === PEOPLE ? "Defined by hand" : each)).join(", ")}</Fact>
        <Fact name="Changed">
          <Time at={updatedAt} />
        </Fact>
        <Fact name="First seen">
          <Time at={createdAt} />
        </Fact>
      </Facts>
      <Section title="Used by" count={metricLineage.downstream.length}>
        {metricLineage.downstream.length === 0 && <p className={styles["soft"]}>Nothing that the catalog knows.</p>}
        <ul className={styles["users"]}>
          {metricLineage.downstream.map((node) => (
            <li key={node.id}>
              <TypeIcon type={node.type} /> <Link href={pathOfNode(node)}>{node.name}</Link>
            </li>
          ))}
        </ul>
      </Section>
      {metric.sourceConnector === PEOPLE && <RemoveMetric id={metric.id} name={metric.displayName} />}
    </>
  );
}
