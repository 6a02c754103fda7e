/** What a person has to look at: what this person owns or certified, and the connectors that fail. */
import type { ReactNode } from "react";
import { Link } from "wouter";

import { useSession } from "../../app/session/session.ts";
import { NodeLines } from "../../assets/node-lines.tsx";
import { useFresh } from "../../graphql/requests.ts";
import { countOf } from "../../parts/count.ts";
import { Icon, type IconName } from "../../parts/marks.tsx";
import { Loaded } from "../../parts/listing.tsx";
import { Time } from "../../parts/time.tsx";
import { Prose } from "../../parts/prose.tsx";
import { BROWSED } from "../catalog/filters.ts";
import { HealthBadge } from "../connectors/health-badge.tsx";
import { type Needs, NEEDS } from "./documents.ts";
import styles from "./home-page.module.css";
import { useParameters } from "../../parts/use-parameters.ts";

/** How many lapsed certifications and connectors are shown. */
const FEW = 5;

/** @param saysNothing whether it says that there is nothing */
export function NeedsMe({ saysNothing }: { saysNothing: boolean }) {
  const me = useSession().user.email;
  const { parameters } = useParameters();
  const mostLapsed = parameters.get("lapsed") === "all" ? Infinity : FEW;
  const asked = useFresh(NEEDS, { me, types: BROWSED }, { types: ["Asset", "Metric", "Connector"] });
  return (
    <Loaded what="what needs you" asked={asked} pick={(needs) => needs} rows={4}>
      {(needs) => {
        const groups = listGroups(needs, me, mostLapsed);
        if (groups.length === 0 && !saysNothing) return null;
        return (
          <section aria-label="Needs you" className="stack">
            <h2>Needs you</h2>
            {groups.length === 0 ? (
              <p className="row soft" data-tone="good">
                <Icon name="check" /> Nothing. What you own and certified is in order.
              </p>
            ) : (
              <div className="lines">{groups}</div>
            )}
            <Everywhere needs={needs} />
          </section>
        );
      }}
    </Loaded>
  );
}

/** @param mostLapsed how many lapsed certifications are shown. No other page lists exactly these. */
function listGroups(
  { lapsedMetrics, failing, unowned, undescribed, connectors }: Needs,
  me: string,
  mostLapsed: number,
): ReactNode[] {
  const lapsed = lapsedMetrics ?? [];
  const unwell = (connectors?.nodes ?? []).filter(({ health }) => health === "unhealthy" || health === "degraded");
  const mine = (filter: string): string => `/catalog?${new URLSearchParams({ responsible: me })}&${filter}`;
  const lacking = [
    { key: "unowned", icon: "user", what: "an owner", found: unowned, filter: "owner=none" },
    { key: "undescribed", icon: "edit", what: "a description", found: undescribed, filter: "described=no" },
  ] as const;
  return [
    lapsed.length > 0 && (
      <Need
        key="lapsed"
        icon="certified"
        title="Certifications of yours that lapsed"
        total={lapsed.length}
        href={lapsed.length > mostLapsed ? "?lapsed=all" : null}
      >
        <NodeLines
          label="Lapsed certifications"
          nodes={lapsed
            .slice(0, mostLapsed)
            .map(({ metric, lapsedAt, reason }) => Object.assign({ lapsedAt, reason }, metric))}
          detail={({ lapsedAt, reason }) => (
            <>
              <Time at={lapsedAt} />: <Prose text={reason} />
            </>
          )}
        />
      </Need>
    ),
    failing && failing.nodes.length > 0 && (
      <Need
        key="failing"
        icon="warning"
        title="Your assets with failing checks"
        total={failing.totalCount}
        href={mine("failing=yes")}
      >
        <NodeLines label="Failing checks" nodes={failing.nodes} detail={describeChecks} />
      </Need>
    ),
    unwell.length > 0 && (
      <Need key="connectors" icon="connector" title="Connectors that fail" total={unwell.length} href="/connectors">
        <ul aria-label="Failing connectors">
          {unwell.slice(0, FEW).map(({ id, name, health, lastSync }) => (
            <li key={id} className={`row hoverable ${styles["search"]}`}>
              <HealthBadge health={health} />
              <Link href={`/connectors/${id}`} className="ink medium">
                {name}
              </Link>
              <span className="hint cut grow">
                <Time at={lastSync?.completedAt ?? null} none="" /> {lastSync?.errors[0]?.message}
              </span>
            </li>
          ))}
        </ul>
      </Need>
    ),
    ...lacking.map(
      ({ key, icon, what, found, filter }) =>
        found &&
        found.nodes.length > 0 && (
          <Need
            key={key}
            icon={icon}
            title={`Your assets without ${what}`}
            total={found.totalCount}
            href={mine(filter)}
          >
            <NodeLines label={`Without ${what}`} nodes={found.nodes} />
          </Need>
        ),
    ),
  ].filter(Boolean);
}

type FailingAsset = NonNullable<Needs["failing"]>["nodes"][number];

function describeChecks({ failed, broken }: FailingAsset): string {
  const total = failed.totalCount + broken.totalCount;
  const [first] = [...failed.nodes, ...broken.nodes];
  return total === 1 && first ? first.name : countOf(total, "failing check");
}

interface NeedProps {
  icon: IconName;
  title: string;
  total: number | null;
  /** The list of all of them; null if all are shown. */
  href: string | null;
  children: ReactNode;
}

function Need({ icon, title, total, href, children }: NeedProps) {
  return (
    <section aria-label={title} className={styles["need"]}>
      <div className={`row ${styles["title"]}`} data-tone="warn">
        <Icon name={icon} />
        <h3 className="subheading">
          {title} <span className="count">{total}</span>
        </h3>
        {href !== null && (
          <Link href={href} className="push small nowrap">
            Show all
          </Link>
        )}
      </div>
      {children}
    </section>
  );
}

/** The same for the whole workspace, as numbers. */
function Everywhere({ needs: { allLapsed, allFailing, allUnowned, allUndescribed } }: { needs: Needs }) {
  const parts = [
    { amount: allLapsed?.length ?? 0, noun: "lapsed certification", text: "", href: "/metrics?certification=pending" },
    { amount: allFailing?.totalCount ?? 0, noun: "asset", text: "with failing checks", href: "/catalog?failing=yes" },
    { amount: allUnowned?.totalCount ?? 0, noun: "asset", text: "without an owner", href: "/catalog?owner=none" },
    {
      amount: allUndescribed?.totalCount ?? 0,
      noun: "asset",
      text: "without a description",
      href: "/catalog?described=no",
    },
  ].filter(({ amount }) => amount > 0);
  if (parts.length === 0) return null;
  return (
    <p className="cluster roomy soft small">
      In the whole workspace:
      {parts.map(({ amount, noun, text, href }) => (
        <Link key={href} href={href}>
          {countOf(amount, noun)} {text}
        </Link>
      ))}
    </p>
  );
}
