/** The page that a person sees each morning: what needs this person, and where the person was before. */
import type { ReactNode } from "react";
import { Link } from "wouter";

import { START } from "../../app/home.ts";
import { NodeLines } from "../../assets/node-lines.tsx";
import { usageWords } from "../../assets/usage.ts";
import type { ResultOf } from "../../graphql/graphql.ts";
import { useChange } from "../../graphql/use-change.ts";
import { useFresh } from "../../graphql/use-fresh.ts";
import { IconButton } from "../../parts/button.tsx";
import { formatCount } from "../../parts/count.ts";
import { Icon } from "../../parts/icon.tsx";
import { Page, WithAside } from "../../parts/page.tsx";
import { BROWSED } from "../catalog/filters.ts";
import { type FirstStep, LISTS, REMOVE_SEARCH } from "./documents.ts";
import { FirstSteps } from "./first-steps.tsx";
import styles from "./home-page.module.css";
import { NeedsMe } from "./needs-me.tsx";

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
            {favourites.length > 0 && (
              <Part title="Favourites">
                <NodeLines label="Favourites" nodes={favourites} />
              </Part>
            )}
            {searches.length > 0 && (
              <Part title="Saved searches">
                <Searches searches={searches} />
              </Part>
            )}
            {mostUsed.length > 0 ? (
              <Part title="Most used" all="/catalog?sort=usage">
                <NodeLines
                  label="Most used"
                  nodes={mostUsed}
                  detail={({ usage }) => usage && `by ${usageWords(usage)[0]}`}
                />
              </Part>
            ) : (
              mostRead.length > 0 && (
                <Part title="Most used" all="/catalog?sort=downstream">
                  <NodeLines
                    label="Most used"
                    nodes={mostRead}
                    detail={({ lineageSummary }) => `feeds ${formatCount(lineageSummary.downstreamCount)}`}
                  />
                </Part>
              )
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
        {recent.length > 0 && (
          <Part title="Recently seen">
            <NodeLines label="Recently seen" nodes={recent} />
          </Part>
        )}
      </WithAside>
    </Page>
  );
}

interface PartProps {
  title: string;
  /** Where all are listed. */
  all?: string;
  children: ReactNode;
}

function Part({ title, all, children }: PartProps) {
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
