/** What changed in the catalog. The filters are in the address. */
import { useEffect } from "react";
import { useMutation } from "urql";

import { mutation } from "../../graphql/graphql.ts";
import { NamedPerson } from "../../assets/person-name.tsx";
import { Button } from "../../parts/button.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { Page } from "../../parts/page.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Time } from "../../parts/time.tsx";
import { ChangeList } from "./change-list.tsx";
import { KINDS, toKinds } from "./documents.ts";
import { useParameters } from "../../parts/use-parameters.ts";

const NOTE_VISIT = mutation("noteVisit", "before");

/** The filters that take a text. */
const TEXTS = { owner: "Owner's address", tag: "Tag", connector: "Connector" } as const;

export function ChangesPage() {
  const { parameters, setParameter, clear } = useParameters();
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
      <search className="pair" aria-label="Filters">
        <SelectField
          label="What"
          choices={[
            { value: "", label: "Everything" },
            ...Object.entries(KINDS).map(([value, label]) => ({ value, label })),
          ]}
          value={filters.kinds?.[0] ?? ""}
          onChange={(event) => setParameter("kind", event.target.value)}
        />
        {(["since", "until"] as const).map((name) => (
          <TextField
            key={name}
            label={name === "since" ? "From" : "To"}
            hint="In UTC"
            type="date"
            value={(filters[name] ?? "").slice(0, "2026-05-31".length)}
            onChange={(event) => setParameter(name, event.target.value)}
          />
        ))}
        {(["owner", "tag", "connector"] as const).map((name) => (
          <TextField
            key={`${name} ${filters[name]}`}
            label={TEXTS[name]}
            type={name === "owner" ? "email" : "text"}
            hint={name === "owner" && owner !== null && owner !== "none" && <NamedPerson named={owner} />}
            defaultValue={filters[name] ?? ""}
            onBlur={({ target }) => setParameter(name, target.value.trim())}
            onKeyDown={({ key, currentTarget }) => key === "Enter" && currentTarget.blur()}
          />
        ))}
        {isFiltered && <Button label="Clear" onClick={clear} />}
      </search>
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
