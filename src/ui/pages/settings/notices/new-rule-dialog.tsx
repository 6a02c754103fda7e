/** Adds a notice rule. */
import { useState } from "react";

import { ChangeDialog } from "../../../parts/change-dialog.tsx";
import { CheckField, FieldGroup, SelectField, TextField } from "../../../parts/field.tsx";
import { CREATE_RULE } from "./documents.ts";
import { CHANNELS, KINDS, SCOPES } from "./words.ts";

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
  const [channel, setChannel] = useState(CHANNELS[0]);
  const [scope, setScope] = useState(SCOPES[0]);
  const [kinds, setKinds] = useState(KINDS.filter(({ isUsual }) => isUsual).map(({ value }) => value));
  if (channel === undefined || scope === undefined) return null;
  return (
    <ChangeDialog
      title="New notification"
      action="Add it"
      isReady={kinds.length > 0}
      change={CREATE_RULE}
      variables={(form) => ({
        input: {
          name: String(form.get("name")),
          url: String(form.get("url")).trim(),
          channel: channel.value,
          kinds,
          aboutBy: scope.value,
          about: scope.about === "" ? null : String(form.get("about")),
        },
      })}
      types={["NoticeRule"]}
      fields={["name", "url", "about"]}
      onDone={({ createNoticeRule: made }) => {
        if (made === null) return undefined;
        const { secret, noticeRule } = made;
        if (secret === null) return `${noticeRule.name} is added.`;
        onSecret({ title: `The secret of ${noticeRule.name}`, secret });
        return undefined;
      }}
      onClose={onClose}
    >
      {({ name, url, about }) => (
        <>
          <TextField label="Name" name="name" error={name} autoFocus required maxLength={100} autoComplete="off" />
          <SelectField
            label="Send to"
            choices={CHANNELS}
            value={channel.value}
            onChange={(event) => setChannel(CHANNELS.find(({ value }) => value === event.target.value))}
          />
          <TextField
            label="Address"
            name="url"
            type="url"
            hint="It is stored encrypted, and not shown again."
            error={url}
            required
            maxLength={2_000}
            autoComplete="off"
            placeholder="https://"
          />
          <FieldGroup label="Tell when" error={kinds.length === 0 ? "Choose at least one." : null}>
            {KINDS.map(({ value, label }) => (
              <CheckField
                key={value}
                label={label}
                checked={kinds.includes(value)}
                onChange={(event) =>
                  setKinds(event.target.checked ? [...kinds, value] : kinds.filter((kind) => kind !== value))
                }
              />
            ))}
          </FieldGroup>
          <SelectField
            label="About"
            choices={SCOPES}
            value={scope.value}
            onChange={(event) => setScope(SCOPES.find(({ value }) => value === event.target.value))}
          />
          {scope.about !== "" && (
            <TextField label={scope.about} name="about" error={about} required maxLength={254} autoComplete="off" />
          )}
        </>
      )}
    </ChangeDialog>
  );
}
