/** What a whole pull request would break: its dbt manifest is compared with what is crawled. */
import { type ReactNode, useRef, useState } from "react";
import { type CombinedError, useClient, useQuery } from "urql";
import { Link } from "wouter";

import { pathOfNode } from "../../assets/asset-row.ts";
import type { ResultOf } from "../../graphql/graphql.ts";
import { formatCount } from "../../parts/count.ts";
import { Badge, TypeIcon } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { copyText } from "../../parts/copy-text.ts";
import { SelectField } from "../../parts/field.tsx";
import { Hint } from "../../parts/hint.tsx";
import { Loaded } from "../../parts/listing.tsx";
import { Page, Section, WithAside } from "../../parts/page.tsx";
import { ErrorPanel, Panel } from "../../parts/panel.tsx";
import { Prose } from "../../parts/prose.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { AffectedLine, AffectedList } from "./affected-list.tsx";
import { Consequences } from "./consequences.tsx";
import { Counts } from "./counts.tsx";
import { DBT_CONNECTORS, type FoundChange, MANIFEST_IMPACT, type ManifestAnswer } from "./documents.ts";
import { Drop } from "./drop.tsx";
import styles from "./manifest-page.module.css";
import { ownerKey } from "./owners.tsx";
import { Ways } from "./ways.tsx";

type State =
  | { status: "empty" }
  | { status: "busy"; file: File }
  | { status: "failed"; file: File; error: CombinedError | undefined }
  | { status: "answered"; file: File; answer: ManifestAnswer };

export function ManifestPage() {
  const asked = useQuery({ query: DBT_CONNECTORS, requestPolicy: "cache-and-network", context: NOTICES_NEW_ONES });
  return (
    <Page title="What breaks" lead="See what a pull request on a dbt project would break." actions={<Ways />}>
      <Loaded what="the dbt projects" asked={asked} pick={listProjects} rows={4}>
        {(projects) =>
          projects.length === 0 ? (
            <Panel icon="model" title="No dbt project is connected">
              A pull request is compared with the project as it was crawled last, so connect that first.
            </Panel>
          ) : (
            <Comparison connectors={projects} />
          )
        }
      </Loaded>
    </Page>
  );
}

function listProjects({ connectors }: ResultOf<typeof DBT_CONNECTORS>) {
  return connectors?.nodes.filter(({ type }) => type === "dbt");
}

function Comparison({ connectors }: { connectors: readonly { id: string; name: string }[] }) {
  const client = useClient();
  const [connector, setConnector] = useState(connectors[0]?.id ?? "");
  const [state, setState] = useState<State>({ status: "empty" });
  /** Counts the comparisons, so that only the answer to the last one is shown. */
  const turn = useRef(0);
  /** For the types of columns. */
  const [catalog, setCatalog] = useState<File | null>(null);
  const choose = (id: string): void => {
    turn.current += 1;
    setConnector(id);
    setCatalog(null);
    setState({ status: "empty" });
  };
  const take = (chosen: File | null): void => {
    setCatalog(chosen);
    if (state.status !== "empty") void compare(state.file, chosen);
  };
  const compare = async (file: File, types: File | null): Promise<void> => {
    turn.current += 1;
    const mine = turn.current;
    setState({ status: "busy", file });
    const variables = { manifest: file, catalog: types, connector };
    const { data, error } = await client.query(MANIFEST_IMPACT, variables, { requestPolicy: "network-only" });
    if (mine !== turn.current) return;
    const answer = data?.manifestImpact;
    setState(answer ? { status: "answered", file, answer } : { status: "failed", file, error });
  };
  return (
    <>
      <div className="stack">
        {connectors.length > 1 && (
          <SelectField
            label="Project"
            value={connector}
            choices={connectors.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(event) => choose(event.target.value)}
          />
        )}
        <Drop
          name="manifest.json"
          file={state.status === "empty" ? null : state.file}
          onDrop={(file) => void compare(file, catalog)}
        >
          From <code>target/</code>, after <code>dbt compile</code> on the branch. It is compared and not stored.
        </Drop>
        <Drop name="catalog.json" isSmall file={catalog} onDrop={take} onRemove={() => take(null)}>
          Optional, for the types of columns: from <code>target/</code>, after <code>dbt docs generate</code>.
        </Drop>
      </div>
      <div aria-live="polite" aria-busy={state.status === "busy"}>
        {state.status === "busy" && <Skeleton rows={6} label="Comparing the manifest" />}
        {state.status === "failed" && <Failure error={state.error} onRetry={() => void compare(state.file, catalog)} />}
        {state.status === "answered" && <Result answer={state.answer} />}
      </div>
    </>
  );
}

/** @param error undefined if the service answered with nothing at all */
function Failure({ error, onRetry }: { error: CombinedError | undefined; onRetry: () => void }) {
  if (error) return <ErrorPanel error={error} title="This manifest could not be compared" onRetry={onRetry} />;
  return (
    <div role="alert">
      <Panel icon="warning" title="There is no answer" action={<Button onClick={onRetry}>Try again</Button>} />
    </div>
  );
}

const STATES = {
  adapted: { title: "Adapted by this pull request", hint: "They no longer depend on what changes." },
  dropped: { title: "Dropped by this pull request", hint: "They go away themselves." },
} as const;

function Result({ answer }: { answer: ManifestAnswer }) {
  const [owner, setOwner] = useState<string | null>(null);
  /** The index of the chosen change; null for all. */
  const [change, setChange] = useState<number | null>(null);
  const { changes, affected, owners, summary, checks, lapses, completeness, uncompared, markdown, truncated } = answer;
  const shown = affected.filter(
    (it) => (change === null || it.changes.includes(change)) && (owner === null || ownerKey(it.impact) === owner),
  );
  const listOf = (state: "affected" | "adapted" | "dropped") =>
    shown.flatMap((it) => (it.state === state ? [it.impact] : []));
  const still = listOf("affected");
  return (
    <>
      <div className="cluster roomy spread">
        <Counts summary={summary} checks={checks.total} owners={owners.length} />
        <Button icon="copy" onClick={() => void copyText(markdown, "The Markdown")}>
          Copy as Markdown
        </Button>
      </div>
      <WithAside
        aside={
          <Consequences
            owners={owners}
            owner={owner}
            onShowOwner={setOwner}
            checks={checks.wouldFail}
            checksTotal={checks.total}
            completeness={completeness}
          />
        }
      >
        <Section title="Changes" count={changes.length}>
          {changes.length === 0 && <p className="hint">No column, table or model is dropped, renamed or retyped.</p>}
          <Changes changes={changes} chosen={change} onChoose={setChange} />
        </Section>
        {changes.length > 0 && still.length === 0 && (
          <Panel icon="check" title="Nothing else would be affected">
            {truncated ? "Based on a partial result." : "Nothing that the catalog knows depends on it any more."}
          </Panel>
        )}
        <AffectedList key={`${owner} ${change}`} affected={still} />
        {lapses.total > 0 && (
          <Section title="Certifications that would lapse" count={lapses.total}>
            <p className="hint">The columns that these metrics use would be computed differently.</p>
            <ul className="lines">
              {lapses.metrics.map(({ id, name, reason }) => (
                <li key={id} className="line wrap">
                  <Link href={pathOfNode({ id, type: "metric" })} className="name">
                    {name}
                  </Link>{" "}
                  <Prose text={reason} />
                </li>
              ))}
            </ul>
          </Section>
        )}
        {(["adapted", "dropped"] as const).map((state) => {
          const list = listOf(state);
          return (
            list.length > 0 && (
              <Folded key={state} title={STATES[state].title} hint={STATES[state].hint} count={list.length}>
                {list.map((each) => (
                  <AffectedLine key={each.id} affected={each} />
                ))}
              </Folded>
            )
          );
        })}
        {uncompared.length > 0 && (
          <Folded title="Could not be compared" hint="They do not count as changes." count={uncompared.length}>
            {uncompared.map(({ object, message }) => (
              <li key={`${object} ${message}`} className="line soft wrap">
                {object && <code>{object}</code>} {message}
              </li>
            ))}
          </Folded>
        )}
      </WithAside>
    </>
  );
}

interface FoldedProps {
  title: string;
  hint: string;
  count: number;
  children: ReactNode;
}

function Folded({ title, hint, count, children }: FoldedProps) {
  return (
    <details className="stack snug">
      <summary className="strong">
        {title} <span className="hint">{formatCount(count)}</span>
      </summary>
      <p className="hint">{hint}</p>
      <ul className="lines">{children}</ul>
    </details>
  );
}

interface ChangesProps {
  changes: readonly FoundChange[];
  chosen: number | null;
  onChoose: (change: number | null) => void;
}

function Changes({ changes, chosen, onChoose }: ChangesProps) {
  return (
    <ul className={`lines ${styles["changes"]}`}>
      {changes.map((change, index) => (
        <li
          key={`${change.id} ${change.kind}`}
          className="line beside-icon with-end soft wrap"
          data-chosen={index === chosen}
        >
          <TypeIcon type={change.type} />
          <div>
            <Link href={pathOfNode(change)} className="name">
              {change.fqn}
            </Link>{" "}
            <span>{describeChange(change)}</span>
            {change.confidence < 1 && (
              <>
                {" "}
                <Hint text={change.because}>
                  <Badge tone="warn">guess, {Math.round(change.confidence * 100)} %</Badge>
                </Hint>
              </>
            )}
          </div>
          <button
            type="button"
            className="option soft number"
            aria-pressed={index === chosen}
            onClick={() => onChoose(index === chosen ? null : index)}
          >
            {formatCount(change.summary.totalAffected)} affected
          </button>
        </li>
      ))}
    </ul>
  );
}

function describeChange({ kind, newName, oldType, newType }: FoundChange): string {
  const what = kind.replaceAll("_", " ");
  if (newName) return `${what}: ${newName}`;
  if (kind === "column_retyped") return `${what}: ${oldType ?? "unknown"} → ${newType ?? "unknown"}`;
  return what;
}

/** An empty list has no object by which the cache could know that a new one changes it. */
const NOTICES_NEW_ONES = { additionalTypenames: ["Connector"] };
