/** What a change of one asset would break. */
import { useClient, useQuery } from "urql";

import { AssetPicker } from "../../assets/find-nodes.tsx";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { copyText } from "../../parts/copy.tsx";
import { Loaded } from "../../parts/listing.tsx";
import { Page, describeError, Panel } from "../../parts/page.tsx";
import { showToast } from "../../parts/toast.tsx";
import { NoAsset } from "../asset/no-asset.tsx";
import { type ChangeType, listChanges } from "./change.ts";
import { ChangeForm, choicesOf, offers, type Subject, useQuestion } from "./change-form.tsx";
import { IMPACT, IMPACT_MARKDOWN, SUBJECT } from "./documents.ts";
import { pathOfChangedLineage } from "../lineage/model/url-state.ts";
import { Result } from "./result.tsx";
import { Ways } from "./ways.tsx";

export function ImpactPage() {
  const { question, ask } = useQuestion();
  return (
    <Page
      title="What breaks"
      lead={question.id === "" && "See what a change would break, why, and who must be told, before you make it."}
      actions={<Ways />}
    >
      {question.id === "" ? <Choice onPick={(id) => ask({ id, change: null, newType: "" })} /> : <Chosen />}
    </Page>
  );
}

function Chosen() {
  const { question, ask } = useQuestion();
  const [{ data, ...state }, again] = useQuery({ query: SUBJECT, variables: { id: question.id } });
  const node = data?.node;
  // While the next asset is looked for, the form stays if the asset is one of its choices.
  const shown = node && "fqn" in node && (!state.fetching || offers(node, question.id)) ? node : undefined;
  const missing = (
    <NoAsset action={<Button label="Choose another" onClick={() => ask({ id: "", change: null, newType: "" })} />} />
  );
  return (
    <Loaded what="the asset" asked={[{ ...state, data: shown }, again]} pick={(subject) => subject} missing={missing}>
      {(subject) => <Assessment subject={subject} isLoading={state.fetching} />}
    </Loaded>
  );
}

function Choice({ onPick }: { onPick: (id: string) => void }) {
  return (
    <div className="form-width">
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
  const { question, ask } = useQuestion();
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
  const isBusy = isOutdated || (stale && !error);
  const state = { data: isOutdated ? undefined : data, error: isBusy ? undefined : error, fetching: isBusy };
  return (
    <>
      <ChangeForm subject={subject} changeType={changeType} newType={newType ?? ""} onAsk={ask} />
      <Loaded what="what breaks" asked={[state, again]} rows={8}>
        {({ checks: { nodes, ...checks }, ...answer }) => (
          <Result
            answer={{
              ...answer,
              checks: { ...checks, wouldFail: nodes.map(({ check, reason }) => ({ ...check, reason })) },
            }}
            actions={
              <>
                <ButtonLink
                  icon="lineage"
                  label="See on the canvas"
                  href={pathOfChangedLineage(choicesOf(subject).whole.id, {
                    of: subject.id,
                    type: changeType,
                    newType,
                  })}
                />
                <CopyMarkdown id={subject.id} changeType={changeType} newType={newType} />
              </>
            }
          />
        )}
      </Loaded>
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
  return <Button icon="copy" label="Copy as Markdown" onClick={() => void copy()} />;
}
