/** The API keys. */
import { useState } from "react";
import { useQuery } from "urql";

import { usePages } from "../../../graphql/use-pages.ts";
import { Button } from "../../../parts/button.tsx";
import { CheckField } from "../../../parts/field.tsx";
import { ErrorPanel, Panel } from "../../../parts/panel.tsx";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { Table } from "../../../parts/table.tsx";
import { useNowMs } from "../../../parts/time.tsx";
import { Unseen } from "../../../parts/unseen.tsx";
import styles from "./api.module.css";
import { API_KEYS, type ApiKeyRow } from "./documents.ts";
import { KeyRow, stateOf } from "./key-row.tsx";
import { NewKeyDialog } from "./new-key-dialog.tsx";

/** @param scopes what the person may give to a key */
export function KeysTab({ scopes }: { scopes: readonly string[] }) {
  const nowMs = useNowMs();
  const [isMaking, setMaking] = useState(false);
  const [showsEnded, setShowsEnded] = useState(false);
  const { cursors, showMore } = usePages();
  const [{ data, error }, again] = useQuery({ query: API_KEYS, variables: { after: null } });
  const make = (
    <Button look="primary" icon="plus" onClick={() => setMaking(true)}>
      New key
    </Button>
  );
  const dialog = isMaking && <NewKeyDialog scopes={scopes} onClose={() => setMaking(false)} />;
  const first = data?.apiKeys;
  if (!first) {
    if (error) return <ErrorPanel error={error} onRetry={() => again({ requestPolicy: "network-only" })} />;
    return <Skeleton rows={6} label="Loading the keys" />;
  }
  if (first.nodes.length === 0) {
    return (
      <>
        <Panel icon="key" title="No keys yet" action={make}>
          A key lets a program call the API in your name, and never do more than you may.
        </Panel>
        {dialog}
      </>
    );
  }
  const hasEnded = first.nodes.some((key) => stateOf(key, nowMs) !== "active");
  return (
    <div className={styles["tab"]}>
      <div className={styles["bar"]}>
        {hasEnded && (
          <CheckField
            label="Show revoked and expired keys"
            checked={showsEnded}
            onChange={(event) => setShowsEnded(event.target.checked)}
          />
        )}
        {make}
      </div>
      <Table label="API keys">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Begins</th>
            <th scope="col">Scopes</th>
            <th scope="col">Made by</th>
            <th scope="col">Last used</th>
            <th scope="col">Expires</th>
            <th scope="col">
              <Unseen>What to do</Unseen>
            </th>
          </tr>
        </thead>
        {cursors.map((after) => (
          <KeyPage
            key={after}
            after={after}
            showsEnded={showsEnded}
            onMore={after === cursors.at(-1) ? showMore : null}
          />
        ))}
      </Table>
      {dialog}
    </div>
  );
}

interface KeyPageProps {
  after: string | null;
  showsEnded: boolean;
  /** Null if the next page is shown already. */
  onMore: ((after: string) => void) | null;
}

function KeyPage({ after, showsEnded, onMore }: KeyPageProps) {
  const nowMs = useNowMs();
  const [{ data }] = useQuery({ query: API_KEYS, variables: { after } });
  const page = data?.apiKeys;
  if (!page) return null;
  const shown = page.nodes.filter((key: ApiKeyRow) => showsEnded || stateOf(key, nowMs) === "active");
  const { endCursor, hasNextPage } = page.pageInfo;
  return (
    <tbody>
      {shown.map((key) => (
        <KeyRow key={key.id} apiKey={key} />
      ))}
      {shown.length === 0 && (
        <tr>
          <td colSpan={7} className={styles["none"]}>
            No key works at present.
          </td>
        </tr>
      )}
      {hasNextPage && endCursor !== null && onMore !== null && (
        <tr>
          <td colSpan={7}>
            <Button onClick={() => onMore(endCursor)}>Show more</Button>
          </td>
        </tr>
      )}
    </tbody>
  );
}
