/** The service accounts. */
import { useState } from "react";
import { useQuery } from "urql";

import { usePages } from "../../../graphql/use-pages.ts";
import { Button } from "../../../parts/button.tsx";
import { ErrorPanel, Panel } from "../../../parts/panel.tsx";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { AccountCard, type NewSecret } from "./account-card.tsx";
import styles from "./api.module.css";
import { SERVICE_ACCOUNTS } from "./documents.ts";
import { NewAccountDialog } from "./new-account-dialog.tsx";
import { SecretDialog } from "./secret-dialog.tsx";

export function AccountsTab() {
  const [isMaking, setMaking] = useState(false);
  // Here and not at its account: a list that cannot be loaded again must not take what is shown once with it.
  const [made, setMade] = useState<NewSecret | null>(null);
  const { cursors, showMore } = usePages();
  return (
    <div className={styles["tab"]}>
      {cursors.map((after) => (
        <AccountPage
          key={after}
          after={after}
          onNew={() => setMaking(true)}
          onSecret={setMade}
          onMore={after === cursors.at(-1) ? showMore : null}
        />
      ))}
      {isMaking && <NewAccountDialog onClose={() => setMaking(false)} />}
      {made !== null && (
        <SecretDialog
          title={`A new secret for ${made.name}`}
          clientId={made.clientId}
          secret={made.secret}
          onClose={() => setMade(null)}
        />
      )}
    </div>
  );
}

interface AccountPageProps {
  after: string | null;
  onNew: () => void;
  onSecret: (made: NewSecret) => void;
  /** Null if the next page is shown already. */
  onMore: ((after: string) => void) | null;
}

function AccountPage({ after, onNew, onSecret, onMore }: AccountPageProps) {
  const context = NOTICES_NEW_ONES;
  const [{ data, error }, again] = useQuery({ query: SERVICE_ACCOUNTS, variables: { after }, context });
  const page = data?.serviceAccounts;
  if (!page) {
    if (error) return <ErrorPanel error={error} onRetry={() => again({ requestPolicy: "network-only" })} />;
    return <Skeleton rows={4} label="Loading the service accounts" />;
  }
  const make = (
    <Button look="primary" icon="plus" onClick={onNew}>
      New service account
    </Button>
  );
  if (page.nodes.length === 0) {
    return (
      <Panel icon="robot" title="No service accounts yet" action={make}>
        A service account is for a program that belongs to nobody: a scheduler, a pipeline, a bot. It gets tokens by
        OAuth, which work for an hour.
      </Panel>
    );
  }
  const { endCursor, hasNextPage } = page.pageInfo;
  return (
    <>
      {after === null && <div className={styles["bar"]}>{make}</div>}
      {page.nodes.map((account) => (
        <AccountCard key={account.id} account={account} onSecret={onSecret} />
      ))}
      {hasNextPage && endCursor !== null && onMore !== null && (
        <Button onClick={() => onMore(endCursor)}>Show more</Button>
      )}
    </>
  );
}

/** An empty list has no object by which the cache could know that a new one changes it. */
const NOTICES_NEW_ONES = { additionalTypenames: ["ServiceAccount", "ClientSecret"] };
