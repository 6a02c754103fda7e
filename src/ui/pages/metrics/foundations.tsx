/** What the metric is computed from: other metrics, and columns of assets. What made its certification lapse is marked. */

import { parentOf } from "../../assets/asset-row.ts";
import { NodeName } from "../../assets/node-name.tsx";
import { Badge, CertificationBadge, TypeIcon } from "../../parts/badge.tsx";
import type { MetricDetail, Step } from "./documents.ts";

type Source = MetricDetail["sourceColumns"][number];

export function Foundations({ metric }: { metric: MetricDetail }) {
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
