/** Why the value of an asset may have changed: the changes upstream in a span, and how many others there were. */
import { useState } from "react";
import { useQuery } from "urql";
import { Link } from "wouter";

import { graphql, type ResultOf } from "../graphql/graphql.ts";
import { Badge } from "../parts/badge.tsx";
import { Loaded } from "../parts/listing.tsx";
import { Prose } from "../parts/prose.tsx";
import { Segments } from "../parts/segments.tsx";
import { Time } from "../parts/time.tsx";
import { pathOfNode } from "./asset-row.ts";

const CAUSES = graphql(`
  query Causes($id: ID!, $since: String) {
    causes(id: $id, since: $since, first: 50) {
      since
      nodes {
        evidence
        at
        actor
        connector {
          id
          name
        }
        sync {
          id
        }
        path {
          id
          type
          name
        }
        sentence
        details
        sqlBefore
        sqlAfter
      }
      total
      others
      troubledSyncs {
        sync {
          id
          status
          completedAt
        }
        connector {
          id
          name
        }
        reason
      }
      truncated
      completeness {
        complete
        gapsTotal
      }
    }
  }
`);

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
  const asked = useQuery({
    query: CAUSES,
    variables: { id, since },
    pause: since === "",
    requestPolicy: "cache-and-network",
  });
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
        <Loaded what="the changes" asked={asked} pick={({ causes }) => causes} rows={3}>
          {(causes) => <Found causes={causes} />}
        </Loaded>
      )}
    </div>
  );
}

function Found({ causes }: { causes: Answer }) {
  const { since, nodes, total, others, troubledSyncs, truncated, completeness } = causes;
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
        <p className="faint">
          {others === 1 ? "1 other change" : `${others} other changes`} upstream cannot have changed it.
        </p>
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
  const { sentence, details, evidence, at, actor, connector, path, sqlBefore, sqlAfter } = cause;
  return (
    <li className="card padded stack">
      <div>
        <strong>
          <Prose text={sentence.charAt(0).toUpperCase() + sentence.slice(1)} />
        </strong>{" "}
        <Badge>{EVIDENCE[evidence]}</Badge>
      </div>
      {details.map((detail) => (
        <p key={detail} className="soft">
          <Prose text={detail} />
        </p>
      ))}
      <p className="faint">
        <Time at={at} /> by{" "}
        {actor ?? (connector === null ? "a connector that is gone" : <>a sync of {connector.name}</>)}
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
          <Difference before={sqlBefore} after={sqlAfter} />
        </details>
      )}
    </li>
  );
}

/** The lines that differ, between those at the begin and at the end that are the same. */
function Difference({ before, after }: { before: string; after: string }) {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  const shorter = Math.min(old.length, fresh.length);
  let begin = 0;
  while (begin < shorter && old[begin] === fresh[begin]) begin++;
  let end = 0;
  while (end < shorter - begin && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end++;
  const context = old.slice(Math.max(0, begin - CONTEXT), begin);
  const behind = old.slice(old.length - end, old.length - end + CONTEXT);
  return (
    <pre>
      {signed(" ", context) +
        signed("-", old.slice(begin, old.length - end)) +
        signed("+", fresh.slice(begin, fresh.length - end)) +
        signed(" ", behind)}
    </pre>
  );
}

function signed(sign: string, lines: readonly string[]): string {
  return lines.map((line) => `${sign} ${line}\n`).join("");
}

/** Lines that are the same and are shown around the others. */
const CONTEXT = 3;
