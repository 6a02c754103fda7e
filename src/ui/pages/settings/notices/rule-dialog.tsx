/** Adds a notice rule, or changes one. */
import { useState } from "react";
import { useQuery } from "urql";

import { ChangeDialog } from "../../../parts/change-dialog.tsx";
import { CheckField, FieldGroup, SelectField, TextField } from "../../../parts/field.tsx";
import { AboutField } from "./about.tsx";
import { CREATE_MY_RULE, CREATE_RULE, MAIL, type NoticeRuleCard, UPDATE_MY_RULE, UPDATE_RULE } from "./documents.ts";
import { asksFor, CHANNELS, DIGESTS, findScope, KINDS, RISKS, SCOPES } from "./words.ts";

/** A secret of a webhook, or the address of a feed, which is shown once. */
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
      onDone={({ createNoticeRule: made }) => tellAdded(made, onSecret)}
      onClose={onClose}
    >
      {fields.content}
    </ChangeDialog>
  );
}

/** @returns what to say; undefined if the secret says it */
function tellAdded(
  made: { secret: string | null; noticeRule: { name: string } } | null,
  onSecret: NewRuleDialogProps["onSecret"],
): string | undefined {
  if (made === null) return undefined;
  const { secret, noticeRule } = made;
  if (secret === null) return `${noticeRule.name} is added.`;
  onSecret({ title: `The secret of ${noticeRule.name}`, secret });
  return undefined;
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
      onDone={({ updateNoticeRule: made }) => (made === null ? undefined : `${made.noticeRule?.name} is changed.`)}
      onClose={onClose}
    >
      {fields.content}
    </ChangeDialog>
  );
}

export function NewMyRuleDialog({ onSecret, onClose }: NewRuleDialogProps) {
  const fields = useRuleFields(null, true);
  return (
    <ChangeDialog
      title="New notification to me"
      action="Add it"
      isReady={fields.isReady}
      change={CREATE_MY_RULE}
      variables={(form) => ({ input: { ...fields.read(form), channel: fields.channel } })}
      types={["NoticeRule"]}
      onDone={({ createMyNoticeRule: made }) => tellAdded(made, onSecret)}
      onClose={onClose}
    >
      {fields.content}
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
      onClose={onClose}
    >
      {fields.content}
    </ChangeDialog>
  );
}

const NO_MAIL = "No mail can be sent yet. Ask the operator to set SMTP_URL and MAIL_FROM, or choose another way.";

/**
 * @param rule null for a new one
 * @param isOwn whether it tells the person, so that it has no address
 */
function useRuleFields(rule: NoticeRuleCard | null, isOwn = false) {
  const [{ data }] = useQuery({ query: MAIL });
  const hasMail = data?.viewer?.mayGetMail === true;
  const [chosen, setChannel] = useState(rule?.channel);
  const channel = chosen ?? (isOwn ? (hasMail ? "email" : "bell") : "webhook");
  const [scope, setScope] = useState(findScope(rule?.aboutBy ?? "everything"));
  const [minRisk, setMinRisk] = useState(rule?.minRisk ?? null);
  const usual = KINDS.filter(({ isUsual }) => isUsual).map(({ value }) => value);
  const [kinds, setKinds] = useState<readonly (typeof usual)[number][]>(rule?.kinds ?? usual);
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
    }),
    readTarget(form: FormData): { to?: string; url?: string } {
      const url = String(form.get("url") ?? "").trim();
      if (asks === "to") return { to: String(form.get("to")).trim() };
      return url === "" ? {} : { url };
    },
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
