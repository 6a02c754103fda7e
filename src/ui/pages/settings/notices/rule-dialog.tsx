/** Adds a notice rule, or changes one, and says what it is about. */
import { type ReactNode, useState } from "react";
import { useQuery } from "urql";

import { ChangeDialog } from "../../../parts/change-form.tsx";
import { CheckField, FieldGroup, SelectField, TextField } from "../../../parts/form.tsx";
import { MAIL, type NoticeRuleCard, OWN_RULES, WORKSPACE_RULES, ABOUT, CONNECTOR_NAMES } from "./documents.ts";
import { asksFor, CHANNELS, DIGESTS, findScope, isChange, KINDS, RISKS, SCOPES, labelOf, type Scope } from "./words.ts";
import { AssetPicker } from "../../../assets/find-nodes.tsx";
import { NodeName, NamedPerson } from "../../../assets/names.tsx";

/** What a new rule tells at first. */
const USUAL: NoticeRuleCard["kinds"] = ["certification_lapsed", "sync_failed", "connector_recovered"];

/** A secret of a webhook, or the address of a feed, which is shown once. */
export interface NewSecret {
  title: string;
  secret: string;
}

interface RuleDialogProps {
  /** The rule that is changed; null for a new one. */
  rule: NoticeRuleCard | null;
  /** Whether it tells the person, so that it has no address. */
  isOwn: boolean;
  onSecret: (made: NewSecret) => void;
  onClose: () => void;
}

export function RuleDialog({ rule, isOwn, onSecret, onClose }: RuleDialogProps) {
  const { channel, isReady, read, content } = useRuleFields(rule, isOwn);
  const shown = { isReady, onClose, children: content };
  const rules = isOwn ? OWN_RULES : WORKSPACE_RULES;
  return rule === null ? (
    <ChangeDialog
      title={isOwn ? "New notification to me" : "New notification"}
      action="Add it"
      change={rules.create}
      variables={(form) => ({ input: { ...read(form), channel } })}
      types={["NoticeRule"]}
      onDone={({ made }) => {
        if (!made?.secret) return made === null ? undefined : `${made.noticeRule.name} is added.`;
        onSecret({ title: `The secret of ${made.noticeRule.name}`, secret: made.secret });
        return undefined;
      }}
      {...shown}
    />
  ) : (
    <ChangeDialog
      title={`Change ${rule.name}`}
      action="Change it"
      change={rules.update}
      variables={(form) => ({ input: { ...read(form), id: rule.id } })}
      onDone={({ made }) => (made === null ? undefined : `${made.noticeRule.name} is changed.`)}
      {...shown}
    />
  );
}

const NO_MAIL = "No mail can be sent yet. Ask the operator to set SMTP_URL and MAIL_FROM, or choose another way.";

function useRuleFields(rule: NoticeRuleCard | null, isOwn: boolean) {
  const [{ data }] = useQuery({ query: MAIL });
  const hasMail = data?.viewer?.mayGetMail === true;
  const [chosen, setChannel] = useState(rule?.channel);
  const channel = chosen ?? (isOwn ? (hasMail ? "email" : "bell") : "webhook");
  const [scope, setScope] = useState(findScope(rule?.aboutBy ?? "everything"));
  const [minRisk, setMinRisk] = useState(rule?.minRisk ?? null);
  const [kinds, setKinds] = useState(rule?.kinds ?? USUAL);
  const toCheck = ({ value, label }: (typeof KINDS)[number]): ReactNode => (
    <CheckField
      key={value}
      label={label}
      checked={kinds.includes(value)}
      onChange={({ target }) => setKinds(target.checked ? [...kinds, value] : kinds.filter((kind) => kind !== value))}
    />
  );
  const isMail = channel === "email";
  const asks = isOwn ? null : asksFor(channel);

  return {
    channel,
    isReady: kinds.length > 0,
    read: (form: FormData) => ({
      name: String(form.get("name")),
      kinds: [...kinds],
      minRisk,
      aboutBy: scope.value,
      about: scope.about === "" ? "" : String(form.get("about")),
      ...(isMail && { digestHour: form.get("digestHour") ? Number(form.get("digestHour")) : null }),
      ...(asks === "to" && { to: String(form.get("to")).trim() }),
      // An empty one keeps the present address.
      ...(asks === "url" && form.get("url") && { url: String(form.get("url")).trim() }),
    }),
    content: (
      <>
        <TextField
          label="Name"
          name="name"
          defaultValue={rule?.name}
          autoFocus
          required
          maxLength={100}
          autoComplete="off"
        />
        {rule === null && (
          <SelectField
            label="Send to"
            name="channel"
            choices={CHANNELS.filter((each) => !isOwn || each.isOwn)}
            warning={isMail && data?.viewer && !hasMail ? NO_MAIL : null}
            value={channel}
            onChange={({ target }) =>
              setChannel(CHANNELS.find(({ value }) => value === target.value)?.value ?? channel)
            }
          />
        )}
        {asks === "to" && (
          <TextField
            key="to"
            label="To"
            name="to"
            type="email"
            hint="A person of the workspace who has logged in. Empty: the owners of what is told."
            defaultValue={rule?.to ?? ""}
            maxLength={254}
            autoComplete="off"
          />
        )}
        {asks === "url" && (
          <TextField
            key="url"
            label="Address"
            name="url"
            type="url"
            hint={
              rule === null
                ? "It is stored encrypted, and not shown again."
                : `Leave it empty to keep the present one at ${rule.origin}.`
            }
            required={rule === null}
            maxLength={2_000}
            autoComplete="off"
            placeholder="https://"
          />
        )}
        {isMail && (
          <SelectField label="Mail" name="digestHour" choices={DIGESTS} defaultValue={String(rule?.digestHour ?? "")} />
        )}
        <FieldGroup label="Tell when" error={kinds.length === 0 ? "Choose at least one." : null}>
          {KINDS.filter(({ value }) => !isChange(value)).map(toCheck)}
        </FieldGroup>
        <details open={rule?.kinds.some(isChange)}>
          <summary>When something changes in the catalog</summary>
          <div className="stack">
            <FieldGroup label="Kinds of changes">
              {KINDS.filter(({ value }) => isChange(value)).map(toCheck)}
            </FieldGroup>
            <SelectField
              label="Changes"
              choices={RISKS}
              value={minRisk ?? ""}
              onChange={({ target }) => setMinRisk(RISKS.find(({ value }) => value === target.value)?.value || null)}
            />
          </div>
        </details>
        <SelectField
          label="About"
          choices={SCOPES}
          value={scope.value}
          onChange={({ target }) => setScope(SCOPES.find(({ value }) => value === target.value) ?? scope)}
        />
        {scope.about !== "" && (
          <AboutField
            key={scope.value}
            scope={scope.value}
            label={scope.about}
            name="about"
            first={scope.value === rule?.aboutBy ? (rule.about ?? "") : ""}
          />
        )}
      </>
    ),
  };
}

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

/** What a rule is about, in words. */
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
function AboutField(props: { scope: Scope; label: string; name: string; first: string }) {
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
