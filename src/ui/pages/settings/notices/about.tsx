/** What a rule is about: in words, and as a field. */
import { useState } from "react";
import { useQuery } from "urql";

import { AssetPicker } from "../../../assets/asset-picker.tsx";
import { NodeName } from "../../../assets/node-name.tsx";
import { NamedPerson } from "../../../assets/person-name.tsx";
import { FieldGroup, SelectField, TextField } from "../../../parts/field.tsx";
import { ABOUT, CONNECTOR_NAMES, type NoticeRuleCard } from "./documents.ts";
import { labelOf, type Scope, SCOPES } from "./words.ts";

type Told = Pick<NoticeRuleCard, "aboutBy" | "about">;

/** The thing by its name. What has gone has only its id. */
function Thing({ of: { aboutBy, about }, none = "" }: { of: Told; none?: string }) {
  const isNode = !["everything", "person", "tag"].includes(aboutBy);
  const [{ data }] = useQuery({ query: ABOUT, variables: { id: about ?? "" }, pause: !isNode || !about });
  if (!about) return none;
  if (aboutBy === "person") return <NamedPerson named={about} />;
  const node = data?.node;
  if (node == null || !("name" in node)) return about;
  return "fqn" in node ? <NodeName node={node} /> : node.name;
}

export function About({ of }: { of: Told }) {
  const scope = labelOf(SCOPES, of.aboutBy);
  if (of.about === null) return scope;
  return (
    <>
      {scope}: <Thing of={of} />
    </>
  );
}

/** A field of this name: an address or a tag as text, a connector or an asset by its id, which nobody has to type. */
export function AboutField(props: { scope: Scope; label: string; name: string; first: string }) {
  const { scope, label, name, first } = props;
  if (scope === "connector") return <ConnectorField {...{ label, name, first }} />;
  if (scope === "person" || scope === "tag")
    return <TextField label={label} name={name} defaultValue={first} required maxLength={254} autoComplete="off" />;
  return <AssetField {...props} />;
}

function ConnectorField({ label, name, first }: { label: string; name: string; first: string }) {
  const [chosen, setChosen] = useState(first);
  const [{ data }] = useQuery({ query: CONNECTOR_NAMES });
  const known = data?.connectors?.nodes.map(({ id, name: shown }) => ({ value: id, label: shown })) ?? [];
  // One that is gone keeps its id, so that no other is chosen by that.
  const others = known.some(({ value }) => value === first) ? [] : [{ value: first, label: first || "Choose one" }];
  return (
    <SelectField
      label={label}
      name={name}
      choices={[...others, ...known]}
      value={chosen}
      onChange={({ target }) => setChosen(target.value)}
      required
    />
  );
}

function AssetField({ scope, label, name, first }: { scope: Scope; label: string; name: string; first: string }) {
  const [chosen, setChosen] = useState(first);
  return (
    <FieldGroup label={label} name={name}>
      <input type="hidden" name={name} value={chosen} />
      <AssetPicker label={label} placeholder="Find it by name" onPick={({ id }) => setChosen(id)} />
      <p className="small">
        Chosen: <Thing of={{ aboutBy: scope, about: chosen }} none="nothing yet" />
      </p>
    </FieldGroup>
  );
}
