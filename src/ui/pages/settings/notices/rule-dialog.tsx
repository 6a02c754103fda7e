/** Adds a notice rule, or changes one. */
import { useState } from "react";

import { ChangeDialog } from "../../../parts/change-dialog.tsx";
import { CheckField, FieldGroup, SelectField, TextField } from "../../../parts/field.tsx";
import { CREATE_MY_RULE, CREATE_RULE, type NoticeRuleCard, UPDATE_MY_RULE, UPDATE_RULE } from "./documents.ts";
import { CHANNELS, findScope, KINDS, RISKS, SCOPES } from "./words.ts";

/** A secret of a webhook, which is shown once. */
export interface NewSecret {
  title: string;
  secret: string;
}

interface NewRuleDialogProps {
  onSecret: (made: NewSecret) => void;
  onClose: () => void;
}

export function NewRuleDialog({ onSecret, onClose }: NewRuleDialogProps) {
  const fields = useRuleFields(null);
  return (
    <ChangeDialog
      title="New notification"
      action="Add it"
      isReady={fields.isReady}
      change={CREATE_RULE}
      variables={(form) => ({ input: { ...fields.read(form), ...fields.readTarget(form), channel: fields.channel } })}
      types={["NoticeRule"]}
      fields={FAULTY}
      onDone={({ createNoticeRule: made }) => {
        if (made === null) return undefined;
        const { secret, noticeRule } = made;
        if (secret === null) return `${noticeRule.name} is added.`;
        onSecret({ title: `The secret of ${noticeRule.name}`, secret });
        return undefined;
      }}
      onClose={onClose}
    >
      {fields.render}
    </ChangeDialog>
  );
}

export function EditRuleDialog({ rule, onClose }: { rule: NoticeRuleCard; onClose: () => void }) {
  const fields = useRuleFields(rule);
  return (
    <ChangeDialog
      title={`Change ${rule.name}`}
      action="Change it"
      isReady={fields.isReady}
      change={UPDATE_RULE}
      variables={(form) => ({ input: { ...fields.read(form), ...fields.readTarget(form), id: rule.id } })}
      fields={FAULTY}
      onDone={({ updateNoticeRule: made }) => (made === null ? undefined : `${made.noticeRule?.name} is changed.`)}
      onClose={onClose}
    >
      {fields.render}
    </ChangeDialog>
  );
}

export function NewMyRuleDialog({ onClose }: { onClose: () => void }) {
  const fields = useRuleFields(null, true);
  return (
    <ChangeDialog
      title="New mail to me"
      action="Add it"
      isReady={fields.isReady}
      change={CREATE_MY_RULE}
      variables={(form) => ({ input: fields.read(form) })}
      types={["NoticeRule"]}
      fields={FAULTY.filter((field) => field !== "channel")}
      onClose={onClose}
    >
      {fields.render}
    </ChangeDialog>
  );
}

export function EditMyRuleDialog({ rule, onClose }: { rule: NoticeRuleCard; onClose: () => void }) {
  const fields = useRuleFields(rule, true);
  return (
    <ChangeDialog
      title={`Change ${rule.name}`}
      action="Change it"
      isReady={fields.isReady}
      change={UPDATE_MY_RULE}
      variables={(form) => ({ input: { ...fields.read(form), id: rule.id } })}
      fields={FAULTY}
      onClose={onClose}
    >
      {fields.render}
    </ChangeDialog>
  );
}

const FAULTY = ["name", "channel", "url", "to", "about"];

/**
 * @param rule null for a new one
 * @param isOwn whether it mails to the person, so that it has no address
 */
function useRuleFields(rule: NoticeRuleCard | null, isOwn = false) {
  const [channel, setChannel] = useState(rule?.channel ?? "webhook");
  const [scope, setScope] = useState(findScope(rule?.aboutBy ?? "everything"));
  const [minRisk, setMinRisk] = useState(rule?.minRisk ?? null);
  const usual = KINDS.filter(({ isUsual }) => isUsual).map(({ value }) => value);
  const [kinds, setKinds] = useState<readonly (typeof usual)[number][]>(rule?.kinds ?? usual);
  const isMail = channel === "email";

  return {
    channel,
    isReady: kinds.length > 0,
    read: (form: FormData) => ({
      name: String(form.get("name")),
      kinds: [...kinds],
      minRisk,
      aboutBy: scope.value,
      about: scope.about === "" ? "" : String(form.get("about")),
    }),
    readTarget(form: FormData): { to?: string; url?: string } {
      const url = String(form.get("url") ?? "").trim();
      return isMail ? { to: String(form.get("to")).trim() } : url === "" ? {} : { url };
    },
    render: (faults: Readonly<Record<string, string>>) => (
      <>
        <TextField
          label="Name"
          name="name"
          error={faults["name"]}
          defaultValue={rule?.name}
          autoFocus
          required
          maxLength={100}
          autoComplete="off"
        />
        {rule === null && !isOwn && (
          <SelectField
            label="Send to"
            error={faults["channel"]}
            choices={CHANNELS}
            value={channel}
            onChange={({ target }) =>
              setChannel(CHANNELS.find(({ value }) => value === target.value)?.value ?? channel)
            }
          />
        )}
        {!isOwn && isMail && (
          <TextField
            key="to"
            label="To"
            name="to"
            type="email"
            hint="A person of the workspace who has logged in. Empty: the owners of what is told."
            error={faults["to"]}
            defaultValue={rule?.to ?? ""}
            maxLength={254}
            autoComplete="off"
          />
        )}
        {!isOwn && !isMail && (
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
            error={faults["url"]}
            required={rule === null}
            maxLength={2_000}
            autoComplete="off"
            placeholder="https://"
          />
        )}
        <FieldGroup label="Tell when" error={kinds.length === 0 ? "Choose at least one." : null}>
          {KINDS.map(({ value, label }) => (
            <CheckField
              key={value}
              label={label}
              checked={kinds.includes(value)}
              onChange={({ target }) =>
                setKinds(target.checked ? [...kinds, value] : kinds.filter((kind) => kind !== value))
              }
            />
          ))}
        </FieldGroup>
        <SelectField
          label="Changes"
          choices={RISKS}
          value={minRisk ?? ""}
          onChange={({ target }) => setMinRisk(RISKS.find(({ value }) => value === target.value)?.value || null)}
        />
        <SelectField
          label="About"
          choices={SCOPES}
          value={scope.value}
          onChange={({ target }) => setScope(SCOPES.find(({ value }) => value === target.value) ?? scope)}
        />
        {scope.about !== "" && (
          <TextField
            key={scope.value}
            label={scope.about}
            name="about"
            error={faults["about"]}
            defaultValue={scope.value === rule?.aboutBy ? (rule.about ?? "") : ""}
            required
            maxLength={254}
            autoComplete="off"
          />
        )}
      </>
    ),
  };
}
