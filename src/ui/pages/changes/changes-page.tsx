/** What changed in the catalog. The filters are in the address. */
import { Button } from "../../parts/button.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { Page } from "../../parts/page.tsx";
import { Panel } from "../../parts/panel.tsx";
import { useParameters } from "../../parts/use-parameters.ts";
import { ChangeList } from "./change-list.tsx";
import { KINDS, toKinds } from "./kinds.ts";

export function ChangesPage() {
  const { parameters, setParameter, clear } = useParameters();
  const filters = {
    kinds: toKinds(parameters.get("kind")),
    since: toDate(parameters.get("since")),
    until: toDate(parameters.get("until")),
    connector: parameters.get("connector"),
  };
  const isFiltered = Object.values(filters).some((value) => value !== null);
  return (
    <Page
      title="Changes"
      lead="What came, went or became different: who did it or which sync found it, and what it could have broken."
    >
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
            value={parameters.get(name) ?? ""}
            onChange={(event) => setParameter(name, event.target.value)}
          />
        ))}
        {isFiltered && <Button onClick={clear}>Clear</Button>}
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

function toDate(text: string | null): string | null {
  return /^\d{4}-\d\d-\d\d$/.test(text ?? "") ? text : null;
}
