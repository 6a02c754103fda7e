/** One metric: how it is computed, what it stands on, and whether people may rely on it. */
import { useQuery } from "urql";
import { Link, useLocation, useParams } from "wouter";

import { useMayWrite } from "../../app/session/session.ts";
import { FailingChecks } from "../../assets/failing-checks.tsx";
import { FavouriteButton } from "../../assets/favourite-button.tsx";
import { parentOf, pathOfLineage, pathOfNode } from "../../assets/asset-row.ts";
import { Causes } from "../../assets/causes.tsx";
import { NodeName, PersonName, Tags } from "../../assets/names.tsx";
import { Badge, CertificationBadge, TypeBadge, TypeIcon, Icon } from "../../parts/marks.tsx";
import { ButtonLink } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/change-form.tsx";
import { Description } from "../../parts/description.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Loaded } from "../../parts/listing.tsx";
import { Page, Section, useTitle, WithAside, Panel } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { InlineSql } from "../../sql/sql.tsx";
import { HistoryTab } from "../changes/change-list.tsx";
import { METRIC, type MetricDetail, PEOPLE, REMOVE, type Step } from "./documents.ts";
import { Certification, Trail } from "./certification.tsx";

export function MetricPage() {
  const { id = "" } = useParams();
  const asked = useQuery({ query: METRIC, variables: { id } });
  const [{ data }, again] = asked;
  useTitle(data?.metric?.displayName ?? "Metric");
  return (
    <Loaded isPage what="the metric" asked={asked} rows={8} missing={<NoMetric />}>
      {(metric) => <Shown metric={metric} onChange={() => again({ requestPolicy: "network-only" })} />}
    </Loaded>
  );
}

export function NoMetric() {
  return (
    <Panel isPage icon="search" title="There is no such metric" action={<Link href="/metrics">All metrics</Link>}>
      It may have been removed since the link was made.
    </Panel>
  );
}

function Shown({ metric, onChange }: { metric: MetricDetail; onChange: () => void }) {
  const mayWrite = useMayWrite();
  const { displayName, name, description, certification, url, platform } = metric;
  return (
    <Page
      above={{ href: "/metrics", label: "Metrics" }}
      title={
        <>
          <h1>{displayName}</h1>
          <FavouriteButton id={metric.id} />
          <TypeBadge type="metric" />
          <CertificationBadge certification={certification} />
          {displayName !== name && <code className="faint">{name}</code>}
        </>
      }
      lead={description && <Description text={description} />}
      actions={
        <>
          {url && (
            <a className="row inline tight small" href={url} target="_blank" rel="noreferrer">
              Open in {platform} <Icon name="external" size={12} />
            </a>
          )}
          {metric.sourceConnector === PEOPLE && mayWrite && (
            <ButtonLink href={`${pathOfNode(metric)}/edit`} icon="edit" label="Edit" />
          )}
          <ButtonLink href={pathOfLineage(metric.id)} icon="lineage" label="Lineage" />
          <ButtonLink href={`/impact?id=${encodeURIComponent(metric.id)}`} icon="impact" label="What breaks?" />
        </>
      }
    >
      <WithAside aside={<About metric={metric} />}>
        <Certification metric={metric} onChange={onChange} />
        <Section title="Failing checks">
          <FailingChecks id={metric.id} />
        </Section>
        <Section title="Definition">
          <Definition metric={metric} />
        </Section>
        <Section title="What it stands on">
          <Foundations metric={metric} />
        </Section>
        <Section title="Why did it change?">
          <Causes id={metric.id} />
        </Section>
        <Section title="History">
          <HistoryTab id={metric.id} />
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
    <div className="card padded stack">
      <InlineSql text={expression} />
      <Facts
        look="terms"
        of={{
          Kind: kind,
          Grain: grain,
          "Only where": filters.length > 0 && filters.map((filter) => <InlineSql key={filter} text={filter} />),
          By: dimensions.length > 0 && (
            <span className="cluster tight">
              {dimensions.map((dimension) => (
                <Badge key={dimension} label={dimension} />
              ))}
            </span>
          ),
        }}
      />
    </div>
  );
}

function About({ metric }: { metric: MetricDetail }) {
  const { tags, connectors, createdAt, updatedAt, metricLineage } = metric;
  const mayWrite = useMayWrite();
  const [, navigate] = useLocation();
  return (
    <>
      <Facts
        of={{
          Owner: <PersonName of={metric.ownedBy} none="Nobody" isLink />,
          Tags: tags.length === 0 ? "None" : <Tags tags={tags} />,
          Source: connectors.map((each) => (each === PEOPLE ? "Defined by hand" : each)).join(", "),
          Changed: <Time at={updatedAt} />,
          "First seen": <Time at={createdAt} />,
        }}
      />
      <Section title="Used by" count={metricLineage.downstream.length}>
        {metricLineage.downstream.length === 0 && <p className="faint">Nothing that the catalog knows.</p>}
        <ul className="stack tight">
          {metricLineage.downstream.map((node) => (
            <li key={node.id} className="row wrap">
              <TypeIcon type={node.type} /> <NodeName node={node} />
            </li>
          ))}
        </ul>
      </Section>
      {metric.sourceConnector === PEOPLE && mayWrite && (
        <ConfirmButton
          label="Remove this metric"
          title={`Remove ${metric.displayName}?`}
          action="Remove it"
          change={REMOVE}
          variables={{ input: { id: metric.id } }}
          types={["Metric"]}
          onDone={() => {
            navigate("/metrics");
            return `${metric.displayName} is removed.`;
          }}
        >
          The history of its certification is kept, in case it is defined again.
        </ConfirmButton>
      )}
    </>
  );
}

type Source = MetricDetail["sourceColumns"][number];

/** What the metric is computed from: other metrics, and columns of assets. What made its certification lapse is marked. */
function Foundations({ metric }: { metric: MetricDetail }) {
  const { metricLineage, sourceColumns, upstream, audit } = metric;
  const changed = namesOf(audit.at(-1));
  const columns = Map.groupBy(sourceColumns, ({ column }) => ("parent" in column ? (column.parent?.id ?? "") : ""));
  const sources = [...upstream.edges.map(({ node }) => node), ...metricLineage.sourceAssets];
  if (sources.length === 0) return <p className="hint">Nothing that the catalog knows feeds it.</p>;
  return (
    <ul className="lines">
      {sources.map((source) => (
        <li key={source.id} className="line beside-icon">
          <TypeIcon type={source.type} />
          <div className="shrink">
            <div className="words">
              <NodeName node={source} />
              <span className="hint">{parentOf(source)}</span>
              <CertificationBadge certification={source.certification} />
              {changed.has(source.technicalName) && <Badge tone="warn" icon="warning" label="changed" />}
            </div>
            <Columns sources={columns.get(source.id) ?? []} />
          </div>
        </li>
      ))}
    </ul>
  );
}

function Columns({ sources }: { sources: readonly Source[] }) {
  return (
    <ul className="stack tight small">
      {sources.map(({ column, uses }) => (
        <li key={column.id} className="words">
          <NodeName node={column} className={undefined} />
          {uses.map(({ kind, transformation, expression }) => (
            <span key={`${kind} ${transformation} ${expression}`} className="words soft">
              <Badge
                label={transformation.toLowerCase().replaceAll("_", " ")}
                tone={kind === "DIRECT" ? "good" : "neutral"}
              />
              {expression && <code>{expression}</code>}
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}

/** The names in the reason for which a certification lapsed; none after any other step. */
function namesOf(step: Step | undefined): ReadonlySet<string> {
  if (step?.action !== "lapse" || step.note === null) return new Set();
  return new Set([...step.note.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));
}
