/** Three steps through the catalog, or how to connect a source. */
import type { ReactNode } from "react";
import { Link } from "wouter";

import { useIsAdmin, useSession } from "../../app/session/session-store.ts";
import { pathOfAsset, pathOfLineage } from "../../assets/asset-row.ts";
import { type Hub, useLandmarks } from "../../assets/landmarks.ts";
import { Badge, TypeIcon } from "../../parts/badge.tsx";
import { ButtonLink } from "../../parts/button.tsx";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { Loaded } from "../../parts/listing.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { pathOfImpact } from "../impact/change.ts";
import type { FirstStep } from "./documents.ts";
import styles from "./first-steps.module.css";

export function StartPage() {
  const { user } = useSession();
  return (
    <Page title={`Welcome, ${user.name || user.email}`} tab="First steps">
      <FirstSteps done={[]} />
    </Page>
  );
}

/** @param done the kinds of pages that the person has opened */
export function FirstSteps({ done }: { done: readonly FirstStep[] }) {
  return (
    <Loaded what="what is there" asked={useLandmarks()} pick={(landmarks) => landmarks}>
      {({ hub }) => (hub ? <Tour hub={hub} done={done} /> : <Connect />)}
    </Loaded>
  );
}

function Tour({ hub, done }: { hub: Hub; done: readonly FirstStep[] }) {
  const isDone = (step: FirstStep): boolean => done.includes(step);
  return (
    <Section title="First steps" lead="Three steps show what this workspace can tell you.">
      <ol className={styles["steps"]}>
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
    <li className={`card stack snug soft ${styles["step"]}`}>
      <span className={styles["icon"]}>
        <Icon name={icon} size={20} />
      </span>
      <h3 className="ink">
        {title} {isDone && <Badge tone="good" icon="check" label="done" />}
      </h3>
      <p>{children}</p>
      <ButtonLink label={link.label} href={link.href} />
    </li>
  );
}

/** The catalog is empty. */
function Connect() {
  const isAdmin = useIsAdmin();
  return (
    <section className={`card stack snug soft form-width ${styles["step"]}`}>
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
