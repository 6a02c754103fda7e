/** What changed in the catalog. The filters are in the address. */
import { useEffect } from "react";
import { useMutation } from "urql";

import { mutation } from "../../graphql/graphql.ts";
import { NO_OWNER } from "../../assets/asset-row.ts";
import { NamedPerson } from "../../assets/names.tsx";
import { Button } from "../../parts/button.tsx";
import { FilterBar } from "../../parts/filter-bar.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { ChangeList } from "./change-list.tsx";
import { KINDS, toKinds } from "./documents.ts";
import { useParameters } from "../../parts/use-parameters.ts";

const NOTE_VISIT = mutation("noteVisit", "before");

export function ChangesPage() {
  const { parameters, setParameter } = useParameters();
  const [{ data }, noteVisit] = useMutation(NOTE_VISIT);
  // A refusal changes nothing for the reader, who then only misses the time of the last visit.
  useEffect(() => void noteVisit({ input: { page: "changes" } }), [noteVisit]);
  const before = data?.noteVisit?.before ?? null;
  const filters = {
    kinds: toKinds(parameters.get("kind")),
    since: toTime(parameters.get("since")),
    until: toTime(parameters.get("until")),
    owner: parameters.get("owner"),
    tag: parameters.get("tag"),
    connector: parameters.get("connector"),
  };
  const { owner } = filters;
  const person = owner !== null && owner !== NO_OWNER && <NamedPerson named={owner} />;
  const isFiltered = Object.values(filters).some((value) => value !== null);
  return (
    <Page
      title="Changes"
      lead="What came, went or became different: who did it or which sync found it, and what it could have broken."
    >
      {before !== null && before !== filters.since && (
        <p className="notice cluster">
          You were last here <Time at={before} />.
          <Button label="Show what happened since" onClick={() => setParameter("since", before)} />
        </p>
      )}
      <FilterBar
        filters={[
          { name: "kind", label: "What", choices: KINDS },
          { name: "since", label: "From", type: "date", hint: "In UTC" },
          { name: "until", label: "To", type: "date", hint: "In UTC" },
          { name: "owner", label: "Owner's address", type: "email", hint: person },
          { name: "tag", label: "Tag" },
          { name: "connector", label: "Connector" },
        ]}
      />
      <ChangeList
        filters={filters}
        empty={
          <Panel icon="history" title={isFiltered ? "No such changes" : "Nothing has changed yet"}>
            {isFiltered
              ? "Try another time, or another kind."
              : "A connector's first sync is where its history begins."}
          </Panel>
        }
      />
    </Page>
  );
}

/** A day, or a time in UTC. */
function toTime(text: string | null): string | null {
  return /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/.test(text ?? "") ? text : null;
}
