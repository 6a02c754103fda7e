/** What a change of one asset would break. */
import type { ReactNode } from "react";
import { useClient, useQuery } from "urql";

import { useTitle } from "../../app/use-title.ts";
import { AssetPicker } from "../../assets/asset-picker.tsx";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { copyText } from "../../parts/copy-text.ts";
import { Page, WithAside } from "../../parts/page.tsx";
import { describeError, ErrorPanel, Panel } from "../../parts/panel.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { showToast } from "../../parts/toast.tsx";
import { AffectedList } from "./affected-list.tsx";
import { type ChangeType, listChanges } from "./change.ts";
import { ChangeForm, choicesOf, offers, type Subject } from "./change-form.tsx";
import { Consequences } from "./consequences.tsx";
import { Counts } from "./counts.tsx";
import { IMPACT, IMPACT_MARKDOWN, type ImpactAnswer, SUBJECT } from "./documents.ts";
import styles from "./impact-page.module.css";
import { ownerKey } from "./owners.tsx";
import { useQuestion } from "./question.ts";
import { pathOfChangedLineage } from "../lineage/path-of-change.ts";
import { Ways } from "./ways.tsx";

export function ImpactPage() {
  useTitle("What breaks");
  const { question, ask } = useQuestion();
  const [{ data, error, fetching }, again] = useQuery({
    query: SUBJECT,
    variables: { id: question.id },
    pause: question.id === "",
  });
  const node = question.id === "" ? undefined : data?.node;
  // While the next asset is looked for, the form stays if the asset is one of its choices.
  const isShown = node && "fqn" in node && (!fetching || offers(node, question.id));
  const subject = isShown ? node : null;
  return (
    <Page
      title="What breaks"
      lead="See what a change would break, why, and who must be told, before you make it."
      actions={<Ways />}
    >
      {question.id === "" && <Choice onPick={(id) => ask({ id, change: null, newType: "" })} />}
      {question.id !== "" && !subject && error && (
        <ErrorPanel error={error} onRetry={() => again({ requestPolicy: "network-only" })} />
      )}
      {question.id !== "" && !subject && fetching && <Skeleton rows={6} label="Loading the asset" />}
      {question.id !== "" && !subject && !fetching && !error && (
        <Panel
          icon="search"
          title="There is no such asset"
          action={<Button onClick={() => ask({ id: "", change: null, newType: "" })}>Choose another</Button>}
        >
          It may have been removed from its source since the link was made.
        </Panel>
      )}
      {subject && <Assessment subject={subject} isLoading={fetching} />}
    </Page>
  );
}

function Choice({ onPick }: { onPick: (id: string) => void }) {
  return (
    <div className={styles["choice"]}>
      <AssetPicker
        label="What would change"
        placeholder="Find the table, model or column that you want to change"
        autoFocus
        onPick={({ id }) => onPick(id)}
      />
      <Panel icon="impact" title="Choose what you want to change">
        You see what would break, why, which checks would fail, and whom to tell.
      </Panel>
    </div>
  );
}

interface AssessmentProps {
  subject: Subject;
  /** True if another subject was chosen, which is not there yet. */
  isLoading: boolean;
}

function Assessment({ subject, isLoading }: AssessmentProps) {
  const { question, ask, owner, showOwner } = useQuestion();
  const changes = listChanges(subject.type);
  const change = changes.find(({ value }) => value === question.change) ?? changes[0];
  const changeType = change?.value ?? "deprecate";
  const newType = changeType === "type_change" && question.newType !== "" ? question.newType : null;
  const [{ data, error, fetching, stale }, again] = useQuery({
    query: IMPACT,
    variables: { id: subject.id, changeType, newType },
    pause: isLoading,
  });
  // Until there is an answer to a new question, the client keeps the one to the question before.
  const isOutdated = isLoading || fetching;
  const impact = isOutdated ? null : data?.impact;
  const isBusy = isOutdated || (stale && !error);
  return (
    <>
      <ChangeForm subject={subject} changeType={changeType} newType={newType ?? ""} onAsk={ask} />
      {!impact && !isBusy && error && (
        <ErrorPanel error={error} onRetry={() => again({ requestPolicy: "network-only" })} />
      )}
      {!impact && isBusy && <Skeleton rows={8} label="Assessing the change" />}
      {impact && (
        <Result
          impact={impact}
          owner={owner}
          onShowOwner={showOwner}
          action={
            <div className={styles["ways"]}>
              <ButtonLink
                icon="lineage"
                href={pathOfChangedLineage(choicesOf(subject).whole.id, { of: subject.id, type: changeType, newType })}
              >
                See on the canvas
              </ButtonLink>
              <CopyMarkdown id={subject.id} changeType={changeType} newType={newType} />
            </div>
          }
        />
      )}
    </>
  );
}

interface ResultProps {
  impact: ImpactAnswer;
  owner: string | null;
  onShowOwner: (owner: string | null) => void;
  action: ReactNode;
}

function Result({ impact, owner, onShowOwner, action }: ResultProps) {
  const { affected, summary, owners, checks, completeness, truncated } = impact;
  const shown = owner === null ? affected : affected.filter((it) => ownerKey(it) === owner);
  const failing = checks.nodes.map(({ check: { id, name, kind }, reason }) => ({ id, name, kind, reason }));
  return (
    <>
      <div className={styles["outcome"]}>
        <Counts summary={summary} checks={checks.total} owners={owners.length} />
        {action}
      </div>
      <WithAside
        aside={
          <Consequences
            owners={owners}
            owner={owner}
            onShowOwner={onShowOwner}
            checks={failing}
            checksTotal={checks.total}
            completeness={completeness}
          />
        }
      >
        {affected.length === 0 ? (
          <Panel icon="check" title="Nothing would be affected">
            Nothing that the catalog knows depends on it.
            {!completeness.complete && " But not all lineage is known: see the gaps."}
          </Panel>
        ) : (
          <AffectedList key={owner} affected={shown} />
        )}
        {truncated && (
          <p className={styles["note"]}>
            The first {affected.length.toLocaleString("en-US")} of {summary.totalAffected.toLocaleString("en-US")} are
            shown, the worst first.
          </p>
        )}
      </WithAside>
    </>
  );
}

function CopyMarkdown(change: { id: string; changeType: ChangeType; newType: string | null }) {
  const client = useClient();
  const copy = async (): Promise<void> => {
    const { data, error } = await client.query(IMPACT_MARKDOWN, { change });
    const markdown = data?.changeSetImpact?.markdown;
    if (markdown === undefined) showToast(error ? describeError(error) : "There is no answer to copy.", "bad");
    else await copyText(markdown, "The Markdown");
  };
  return (
    <Button icon="copy" onClick={() => void copy()}>
      Copy as Markdown
    </Button>
  );
}
