/** The API keys. */
import { useState } from "react";
import { useQuery } from "urql";

import { usePages } from "../../../graphql/use-pages.ts";
import { Button } from "../../../parts/button.tsx";
import { CheckField } from "../../../parts/field.tsx";
import { ErrorPanel, NoPermission, Panel } from "../../../parts/panel.tsx";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { ErrorRows, Table } from "../../../parts/table.tsx";
import { useNowMs } from "../../../parts/time.tsx";
import { Unseen } from "../../../parts/unseen.tsx";
import styles from "./api.module.css";
import { API_KEYS, type ApiKeyRow, ASKER } from "./documents.ts";
import { KeyRow, stateOf } from "./key-row.tsx";
import { NewKeyDialog } from "./new-key-dialog.tsx";

export function KeysTab() {
  const [isMaking, setMaking] = useState(false);
  const [{ data, error }, again] = useQuery({ query: ASKER });
  const asker = data?.viewer;
  const content = (() => {
    if (asker?.mayManageKeys) return <Keys onNew={() => setMaking(true)} />;
    if (asker) {
      return (
        <NoPermission
          needs={
            <>
              Keys are made by admins, and by people to whom an admin granted <code>api:manage</code>. What you may read
              in the workspace, you may read here without a key.
            </>
          }
        />
      );
    }
    if (error) return <ErrorPanel error={error} onRetry={() => again({ requestPolicy: "network-only" })} />;
    return <Skeleton rows={6} label="Loading the keys" />;
  })();
  return (
    <>
      {content}
      {/* Always in the same place: it may show a token that is not shown again, whatever the lists are doing. */}
      {isMaking && <NewKeyDialog scopes={asker?.scopes ?? []} onClose={() => setMaking(false)} />}
    </>
  );
}

function Keys({ onNew }: { onNew: () => void }) {
  const nowMs = useNowMs();
  const [showsEnded, setShowsEnded] = useState(false);
  const { cursors, showMore } = usePages();
  const context = NOTICES_NEW_ONES;
  const [{ data, error }, again] = useQuery({ query: API_KEYS, variables: { after: null }, context });
  const make = (
    <Button look="primary" icon="plus" onClick={onNew}>
      New key
    </Button>
  );
  const first = data?.apiKeys;
  if (!first) {
    if (error) return <ErrorPanel error={error} onRetry={() => again({ requestPolicy: "network-only" })} />;
    return <Skeleton rows={6} label="Loading the keys" />;
  }
  if (first.nodes.length === 0) {
    return (
      <Panel icon="key" title="No keys yet" action={make}>
        A key lets a program call the API in your name, and never do more than you may.
      </Panel>
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
  const context = NOTICES_NEW_ONES;
  const [{ data, error }, again] = useQuery({ query: API_KEYS, variables: { after }, context });
  const page = data?.apiKeys;
  if (!page) {
    if (!error) return null;
    return <ErrorRows columns={7} error={error} onRetry={() => again({ requestPolicy: "network-only" })} />;
  }
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

/** An empty list has no object by which the cache could know that a new one changes it. */
const NOTICES_NEW_ONES = { additionalTypenames: ["ApiKey"] };
