/** What a whole pull request would break: its dbt manifest is compared with what is crawled. */
import { type Client, type CombinedError, useClient, useQuery } from "urql";
import type { ChangeEvent, ReactNode } from "react";
import { useParams } from "wouter";

import { gql, type ResultOf } from "../../graphql/graphql.ts";
import { useFresh } from "../../graphql/requests.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { SelectField } from "../../parts/form.tsx";
import { Loaded } from "../../parts/listing.tsx";
import { Page, ErrorPanel, Panel, Skeleton } from "../../parts/page.tsx";
import { createStore, type Store } from "../../parts/store.ts";
import { classNames } from "../../parts/class-names.ts";
import { Icon } from "../../parts/marks.tsx";
import { ChangeSetResult } from "./change-set-result.tsx";
import { MANIFEST_IMPACT, SAVED_IMPACT } from "./documents.ts";
import { SavedImpact } from "./lineage-after.tsx";
import { FAIL_ON, RISKS } from "./filter.tsx";
import { Ways } from "./ways.tsx";
import styles from "./drop.module.css";
import { Time } from "../../parts/time.tsx";
import { useParameters } from "../../parts/use-parameters.ts";

const DBT_CONNECTORS = gql("query DbtConnectors { connectors(first: 200) { nodes { id name type } } }");

interface Question {
  manifest: File | null;
  /** For the types of columns. */
  catalog: File | null;
  /** A connector's name; "" to find it by the manifest. */
  project: string;
}

interface Comparison extends Question {
  isBusy: boolean;
  /** Why the last question has no answer; `error` is undefined if the service answered with nothing at all. */
  failure: { error: CombinedError | undefined } | null;
  /** The last answer, which stays when a later question fails. */
  answer: ResultOf<typeof MANIFEST_IMPACT>["manifestImpact"] | null;
}

const EMPTY: Comparison = {
  manifest: null,
  catalog: null,
  project: "",
  isBusy: false,
  failure: null,
  answer: null,
};

/** Files and answer stay while other pages are open. A client belongs to one person in one workspace. */
const comparisons = new WeakMap<Client, Store<Comparison>>();

function useComparison(): { comparison: Comparison; compare: (changed: Partial<Question>) => Promise<void> } {
  const client = useClient();
  const store = comparisons.get(client) ?? createStore(EMPTY);
  comparisons.set(client, store);
  return {
    comparison: store.use(),
    async compare(changed) {
      const asked = { ...store.get(), ...changed };
      const { manifest, catalog, project } = asked;
      const begun: Comparison = { ...asked, isBusy: manifest !== null, failure: null };
      store.set(begun);
      if (manifest === null) return;
      const variables = { manifest, catalog, connector: project === "" ? null : project, failOn: FAIL_ON } as const;
      const { data, error } = await client.query(MANIFEST_IMPACT, variables, { requestPolicy: "network-only" });
      // Another question was asked in the meantime.
      if (store.get() !== begun) return;
      const answer = data?.manifestImpact ?? null;
      store.set({
        ...begun,
        isBusy: false,
        answer: answer ?? begun.answer,
        failure: answer === null ? { error } : null,
      });
    },
  };
}

export function ManifestPage() {
  const asked = useFresh(DBT_CONNECTORS, {}, { types: ["Connector"] });
  return (
    <Page title="What breaks" lead="See what a pull request on a dbt project would break." actions={<Ways />}>
      <Loaded what="the dbt projects" asked={asked} pick={listProjects} rows={4}>
        {(projects) =>
          projects.length === 0 ? (
            <Panel icon="model" title="No dbt project is connected">
              A pull request is compared with the project as it was synced last, so connect that first.
            </Panel>
          ) : (
            <Comparing projects={projects.map(({ name }) => name)} />
          )
        }
      </Loaded>
    </Page>
  );
}

function listProjects({ connectors }: ResultOf<typeof DBT_CONNECTORS>) {
  return connectors?.nodes.filter(({ type }) => type === "dbt");
}

function Comparing({ projects }: { projects: readonly string[] }) {
  const { comparison, compare } = useComparison();
  const { manifest, catalog, project, isBusy, failure, answer } = comparison;
  const found = answer?.against ?? null;
  return (
    <>
      <div className="stack">
        <Drop name="manifest.json" file={manifest} onDrop={(file) => void compare({ manifest: file })}>
          From <code>target/</code>, after <code>dbt compile</code> on the branch. It is compared; the answer is kept,
          the manifest is not.
        </Drop>
        <Drop
          name="catalog.json"
          isSmall
          file={catalog}
          onDrop={(file) => void compare({ catalog: file })}
          onRemove={() => void compare({ catalog: null })}
        >
          Optional, for the types of columns: from <code>target/</code>, after <code>dbt docs generate</code>.
        </Drop>
        {projects.length > 1 && (
          <SelectField
            label="Project"
            value={project}
            choices={[
              {
                value: "",
                label: found === null || project !== "" ? "Found by the manifest" : `${found}, found by the manifest`,
              },
              ...projects.map((name) => ({ value: name, label: name })),
            ]}
            onChange={(event) => void compare({ project: event.target.value })}
          />
        )}
      </div>
      <div className="stack" aria-live="polite" aria-busy={isBusy}>
        {isBusy && <Skeleton rows={6} label="Comparing the manifest" />}
        {failure !== null && <Failure error={failure.error} onRetry={() => void compare({})} />}
        {failure !== null && answer !== null && <p className="soft">The answer before that, compared with {found}:</p>}
        {!isBusy && answer !== null && (
          <SavedImpact value={answer.savedId}>
            <ChangeSetResult answer={answer} />
          </SavedImpact>
        )}
      </div>
    </>
  );
}

function Failure({ error, onRetry }: { error: CombinedError | undefined; onRetry: () => void }) {
  if (error) return <ErrorPanel error={error} title="This manifest could not be compared" onRetry={onRetry} />;
  return (
    <div role="alert">
      <Panel icon="warning" title="There is no answer" action={<Button label="Try again" onClick={onRetry} />} />
    </div>
  );
}

interface DropProps {
  /** What dbt calls the file. */
  name: string;
  file: File | null;
  /** True for an optional file. */
  isSmall?: boolean;
  onDrop: (file: File) => void;
  /** For an optional file. */
  onRemove?: () => void;
  /** Where the file comes from. Shown until one is chosen. */
  children: ReactNode;
}

/** To drop a file on, or to choose one: a file field lies over all of it, and browsers accept drops on it. */
function Drop({ name, file, isSmall = false, onDrop, onRemove, children }: DropProps) {
  const choose = (event: ChangeEvent<HTMLInputElement>): void => {
    const [first] = event.target.files ?? [];
    if (first !== undefined) onDrop(first);
    // The same file may be chosen again after it was compiled again.
    event.target.value = "";
  };
  return (
    <div className={classNames("card row", styles["drop"], isSmall && styles["small"])}>
      <label className="row grow">
        <Icon name="upload" size={20} />
        <span className="grow ink wrap">
          <strong className={isSmall ? "medium" : "strong"}>
            {file === null ? `Choose the new ${name}, or drop it here` : file.name}
          </strong>
          <span className="soft small block">{file === null ? children : "Choose another one to compare it."}</span>
        </span>
        <input
          className="overlay"
          type="file"
          accept=".json,application/json"
          aria-label={`The new ${name}`}
          onChange={choose}
        />
      </label>
      {file !== null && onRemove !== undefined && (
        <IconButton icon="close" label={`Compare without ${name}`} onClick={onRemove} />
      )}
    </div>
  );
}

/** The whole answer to which a comment on a pull request links, as it was then. */
export function SavedImpactPage() {
  const { id = "" } = useParams();
  const { parameters } = useParameters();
  const failOn = RISKS.find((risk) => risk === parameters.get("fail_on")) ?? FAIL_ON;
  const asked = useQuery({ query: SAVED_IMPACT, variables: { id, failOn } });
  const saved = asked[0].data?.savedImpact;
  const missing = (
    <Panel icon="search" title="This answer is not here">
      An answer is kept for 90 days, and only members of its workspace see it.
    </Panel>
  );
  return (
    <Page
      title="What breaks"
      lead={
        saved && (
          <>
            {saved.impact.against === null ? "Some changes" : `A pull request on ${saved.impact.against}`}, as of{" "}
            <Time at={saved.savedAt} />
          </>
        )
      }
    >
      <Loaded what="the answer" asked={asked} missing={missing} rows={8}>
        {({ impact }) => (
          <SavedImpact value={id}>
            <ChangeSetResult answer={impact} />
          </SavedImpact>
        )}
      </Loaded>
    </Page>
  );
}
