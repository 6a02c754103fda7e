/** Why the value of an asset may have changed: the changes upstream in a span, and how many others there were. */
import { useState } from "react";
import { Link } from "wouter";

import { type ResultOf, using } from "../graphql/graphql.ts";
import { useFresh } from "../graphql/requests.ts";
import { Badge } from "../parts/marks.tsx";
import { Loaded } from "../parts/listing.tsx";
import { Prose } from "../parts/prose.tsx";
import { Segments } from "../parts/menu.tsx";
import { Time } from "../parts/time.tsx";
import { SqlDifference } from "../sql/sql.tsx";
import { pathOfNode, PERSON } from "./asset-row.ts";
import { PersonName } from "./names.tsx";

const CAUSES = using(PERSON).gql(`query Causes($id: ID!, $since: String) {
  causes(id: $id, since: $since, first: 50) {
    since
    nodes {
      evidence at
      by { ...PersonName }
      connector { id name }
      sync { id }
      path { id type name }
      sentence details sqlBefore sqlAfter
    }
    total others
    otherChanges { at by { ...PersonName } connector { id name } node { id type name } }
    troubledSyncs { sync { id status completedAt } connector { id name } reason }
    truncated
    completeness { complete gapsTotal }
  }
}`);

type Answer = NonNullable<ResultOf<typeof CAUSES>["causes"]>;
type Cause = Answer["nodes"][number];

/** The first one begins with the history if that is shorter. */
const SPANS = [
  { value: "week", label: "7 days" },
  { value: "month", label: "30 days" },
  { value: "date", label: "Since a date" },
] as const;

const EVIDENCE = {
  DIRECT: "values come from it",
  INDIRECT: "it decides which rows count",
  UNKNOWN: "the lineage in between is not fully known",
} as const;

export function Causes({ id }: { id: string }) {
  const [span, setSpan] = useState<(typeof SPANS)[number]["value"]>("week");
  const [date, setDate] = useState("");
  const since = span === "week" ? null : span === "month" ? "30d" : date;
  const asked = useFresh(CAUSES, { id, since }, { pause: since === "" });
  return (
    <div className="stack">
      <div className="cluster">
        <Segments label="Span" value={span} choices={SPANS} onChoose={setSpan} />
        {span === "date" && (
          <input
            type="date"
            className="input"
            aria-label="Since"
            value={date}
            onChange={(event) => setDate(event.target.value)}
          />
        )}
      </div>
      {since !== "" && (
        <Loaded what="the changes" asked={asked} rows={3}>
          {(causes) => <Found causes={causes} />}
        </Loaded>
      )}
    </div>
  );
}

function Found({ causes }: { causes: Answer }) {
  const { since, nodes, total, others, otherChanges, troubledSyncs, truncated, completeness } = causes;
  return (
    <>
      {total === 0 && (
        <p className="faint">
          Nothing upstream changed since <Time at={since} /> that can have changed it.
        </p>
      )}
      <ol className="stack">
        {nodes.map((cause) => (
          <Shown key={`${cause.at} ${cause.sentence}`} cause={cause} />
        ))}
      </ol>
      {total > nodes.length && (
        <p className="faint">
          Shown: the nearest {nodes.length} of {total}.
        </p>
      )}
      {others > 0 && (
        <details>
          <summary className="faint">
            {others === 1 ? "1 other change" : `${others} other changes`} upstream cannot have changed it.
          </summary>
          <ul className="stack snug">
            {otherChanges.map(({ at, by, connector, node }) => (
              <li key={`${node.id} ${at}`} className="soft small wrap">
                <Link href={pathOfNode(node)}>{node.name}</Link>, <Time at={at} /> by{" "}
                <PersonName
                  of={by}
                  none={connector === null ? "a connector that is gone" : `the sync of ${connector.name}`}
                />
              </li>
            ))}
          </ul>
          {others > otherChanges.length && <p className="hint">Shown: the latest {otherChanges.length}.</p>}
        </details>
      )}
      {troubledSyncs.map(({ sync, connector, reason }) => (
        <p key={sync.id} className="faint">
          A sync of {connector?.name ?? "a connector"} did not read everything
          {sync.completedAt !== null && (
            <>
              {" "}
              (<Time at={sync.completedAt} />)
            </>
          )}
          {reason && `: ${reason}`}
        </p>
      ))}
      {truncated && <p className="faint">So much changed that what was changed and taken back may be missing.</p>}
      {!completeness.complete && (
        <p className="faint">Lineage may be missing in {completeness.gapsTotal} of the assets that it depends on.</p>
      )}
    </>
  );
}

function Shown({ cause }: { cause: Cause }) {
  const { sentence, details, evidence, at, by, connector, path, sqlBefore, sqlAfter } = cause;
  return (
    <li className="card padded stack">
      <div>
        <strong>
          <Prose text={sentence.charAt(0).toUpperCase() + sentence.slice(1)} />
        </strong>{" "}
        <Badge label={EVIDENCE[evidence]} />
      </div>
      {details.map((detail) => (
        <p key={detail} className="soft">
          <Prose text={detail} />
        </p>
      ))}
      <p className="faint">
        <Time at={at} /> by{" "}
        <PersonName of={by} none={connector === null ? "a connector that is gone" : `a sync of ${connector.name}`} />
      </p>
      <p className="cluster tight">
        {path.map((node, i) => (
          <span key={node.id}>
            {i > 0 && "← "}
            <Link href={pathOfNode(node)}>{node.name}</Link>
          </span>
        ))}
      </p>
      {sqlBefore !== null && sqlAfter !== null && (
        <details>
          <summary>SQL before and after</summary>
          <SqlDifference before={sqlBefore} after={sqlAfter} />
        </details>
      )}
    </li>
  );
}
