/** The crawls of a connector, the newest first, each with its errors. */
import { useState } from "react";
import { useQuery } from "urql";

import { Button } from "../../parts/button.tsx";
import { ErrorPanel, Panel } from "../../parts/panel.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import styles from "./connectors.module.css";
import { SYNCS } from "./documents.ts";
import { Runs } from "./runs.tsx";

const FIRST = 20;
const ALL = 200;

export function HistoryTab({ id }: { id: string }) {
  const [first, setFirst] = useState(FIRST);
  const [{ data, error }, again] = useQuery({
    query: SYNCS,
    variables: { id, first },
    requestPolicy: "cache-and-network",
  });
  const syncs = data?.connector?.syncs;
  if (!syncs) {
    if (error) return <ErrorPanel error={error} onRetry={() => again({ requestPolicy: "network-only" })} />;
    return <Skeleton rows={6} label="Loading the crawls" />;
  }
  if (syncs.length === 0) {
    return (
      <Panel icon="history" title="It never crawled">
        Each crawl is listed here, with what it found and what went wrong.
      </Panel>
    );
  }
  return (
    <div className={styles["stack"]}>
      <Runs syncs={syncs} />
      {syncs.length === first && first < ALL && (
        <div>
          <Button onClick={() => setFirst(ALL)}>Show more</Button>
        </div>
      )}
    </div>
  );
}
