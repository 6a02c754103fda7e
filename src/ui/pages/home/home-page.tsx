/** The page that a person sees each morning: what needs this person, and where the person was before. */
import type { ReactNode } from "react";
import { Link } from "wouter";

import { START } from "../../app/home.ts";
import { NodeLines, type NodeLinesProps } from "../../assets/node-lines.tsx";
import { type NodeRow, usageWords, pathOfAsset, pathOfLineage } from "../../assets/asset-row.ts";
import type { ResultOf } from "../../graphql/graphql.ts";
import { useChange, useFresh } from "../../graphql/requests.ts";
import { IconButton, ButtonLink } from "../../parts/button.tsx";
import { formatCount } from "../../parts/count.ts";
import { Icon, Badge, TypeIcon, type IconName } from "../../parts/marks.tsx";
import { Page, WithAside, Section } from "../../parts/page.tsx";
import { BROWSED } from "../catalog/filters.ts";
import { type FirstStep, LISTS, REMOVE_SEARCH } from "./documents.ts";
import styles from "./home-page.module.css";
import { NeedsMe } from "./needs-me.tsx";
import { useIsAdmin, useSession } from "../../app/session/session.ts";
import { useLandmarks } from "../../assets/landmarks.ts";
import { Loaded } from "../../parts/listing.tsx";
import { pathOfImpact } from "../impact/change.ts";

const FIRST_STEPS: readonly FirstStep[] = ["asset", "lineage", "impact"];

export function HomePage() {
  const [{ data }] = useFresh(LISTS, { types: BROWSED });
  const done = data?.myFirstSteps ?? [];
  const isNew = data !== undefined && FIRST_STEPS.some((step) => !done.includes(step));
  const recent = data?.myRecent ?? [];
  const favourites = data?.myFavourites ?? [];
  const mostUsed = data?.mostUsed?.nodes.filter(({ usage }) => usage !== null) ?? [];
  // Without consumers, none is read more than the others.
  const mostRead = data?.mostRead?.nodes.filter(({ lineageSummary }) => lineageSummary.downstreamCount > 0) ?? [];
  const searches = data?.mySearches ?? [];
  return (
    <Page title="Home">
      <WithAside
        aside={
          <>
            <Nodes title="Favourites" nodes={favourites} />
            {searches.length > 0 && (
              <Part title="Saved searches">
                <Searches searches={searches} />
              </Part>
            )}
            <Nodes
              title="Most used"
              all="/catalog?sort=usage"
              nodes={mostUsed}
              detail={({ usage }) => usage && `by ${usageWords(usage)[0]}`}
            />
            {mostUsed.length === 0 && (
              <Nodes
                title="Most used"
                all="/catalog?sort=downstream"
                nodes={mostRead}
                detail={({ lineageSummary }) => `feeds ${formatCount(lineageSummary.downstreamCount)}`}
              />
            )}
            {data && !isNew && (
              <Link href={START} className="soft small">
                First steps
              </Link>
            )}
          </>
        }
      >
        <NeedsMe saysNothing={!isNew} />
        {isNew && <FirstSteps done={done} />}
        <Nodes title="Recently seen" nodes={recent} />
      </WithAside>
    </Page>
  );
}

interface PartProps {
  title: string;
  /** Where all are listed. */
  all?: string | undefined;
}

/** A list with its title; nothing if it is empty. */
function Nodes<Row extends NodeRow>({ title, all, ...list }: PartProps & Omit<NodeLinesProps<Row>, "label">) {
  return (
    list.nodes.length > 0 && (
      <Part title={title} all={all}>
        <NodeLines label={title} {...list} />
      </Part>
    )
  );
}

function Part({ title, all, children }: PartProps & { children: ReactNode }) {
  return (
    <section aria-label={title} className="stack tight">
      <h2 className={`caption ${styles["heading"]}`}>{title}</h2>
      {children}
      {all !== undefined && (
        <Link href={all} className={`small ${styles["heading"]}`}>
          Show all
        </Link>
      )}
    </section>
  );
}

function Searches({ searches }: { searches: NonNullable<ResultOf<typeof LISTS>["mySearches"]> }) {
  const { change } = useChange(REMOVE_SEARCH, { types: ["SavedSearch"] });
  return (
    <ul>
      {searches.map(({ id, name, query }) => (
        <li key={id} className={`row hoverable ${styles["search"]}`}>
          <Icon name="search" size={14} />
          <Link href={`/catalog?${query}`} className="ink medium cut grow">
            {name}
          </Link>
          <IconButton icon="close" label={`Remove the search ${name}`} onClick={() => void change({ input: { id } })} />
        </li>
      ))}
    </ul>
  );
}

export function StartPage() {
  const { user } = useSession();
  return (
    <Page title={`Welcome, ${user.name || user.email}`} tab="First steps">
      <FirstSteps done={[]} />
    </Page>
  );
}

/**
 * Three steps through the catalog, or how to connect a source.
 * @param done the kinds of pages that the person has opened
 */
export function FirstSteps({ done }: { done: readonly FirstStep[] }) {
  return (
    <Loaded what="what is there" asked={useLandmarks()} pick={(landmarks) => landmarks}>
      {({ hub }) => (hub ? <Tour hub={hub} done={done} /> : <Connect />)}
    </Loaded>
  );
}

function Tour({ hub, done }: { hub: NodeRow; done: readonly FirstStep[] }) {
  const isDone = (step: FirstStep): boolean => done.includes(step);
  return (
    <Section title="First steps" lead="Three steps show what this workspace can tell you.">
      <ol className={`stack ${styles["steps"]}`}>
        <Step
          icon="search"
          title="Find a table"
          isDone={isDone("asset")}
          link={{ href: `/catalog?q=${encodeURIComponent(hub.name)}`, label: "Search the catalog" }}
        >
          Press <kbd>/</kbd> anywhere and type part of a name, a column, a tag or an owner. The most used here is{" "}
          <span className={`row inline tight ${styles["hub"]}`}>
            <TypeIcon type={hub.type} /> <Link href={pathOfAsset(hub.id)}>{hub.name}</Link>
          </span>
        </Step>
        <Step
          icon="lineage"
          title="See its lineage"
          isDone={isDone("lineage")}
          link={{ href: pathOfLineage(hub.id), label: "Open its lineage" }}
        >
          What it is made from and what it feeds, down to the column: models, dashboards, metrics and exports.
        </Step>
        <Step
          icon="impact"
          title="Ask what breaks"
          isDone={isDone("impact")}
          link={{ href: pathOfImpact(hub.id, "column_drop"), label: "See what a dropped column breaks" }}
        >
          Before you change it: what would fail, why, which checks would find out, and who should know.
        </Step>
      </ol>
      <p className="soft underlined">
        Or <Link href="/ask">ask in plain English</Link>, look at the <Link href="/metrics">metrics</Link>, or go to the{" "}
        <Link href="/catalog">catalog</Link>.
      </p>
    </Section>
  );
}

interface StepProps {
  icon: IconName;
  title: string;
  isDone: boolean;
  link: { href: string; label: string };
  children: ReactNode;
}

function Step({ icon, title, isDone, link, children }: StepProps) {
  return (
    <li className="card padded beside-icon with-end soft">
      <span className={styles["icon"]}>
        <Icon name={icon} size={20} />
      </span>
      <div>
        <h3 className="ink">
          {title} {isDone && <Badge tone="good" icon="check" label="done" />}
        </h3>
        <p>{children}</p>
      </div>
      <ButtonLink label={link.label} href={link.href} />
    </li>
  );
}

/** The catalog is empty. */
function Connect() {
  const isAdmin = useIsAdmin();
  return (
    <section className={`card padded stack snug soft form-width ${styles["connect"]}`}>
      <span className={styles["icon"]}>
        <Icon name="model" size={20} />
      </span>
      <h2 className="ink">Connect your dbt project</h2>
      {isAdmin ? (
        <>
          <p>
            The catalog is empty. A dbt project is the quickest way to fill it: its manifest tells models, columns,
            lineage, tests, owners and metrics.
          </p>
          <ButtonLink href="/connectors/new?type=dbt" icon="plus" label="Connect dbt" />
          <p>
            <Link href="/connectors/new">Other sources</Link> can be connected as well.
          </p>
        </>
      ) : (
        <p>The catalog is empty. An admin of this workspace can connect a source.</p>
      )}
    </section>
  );
}
