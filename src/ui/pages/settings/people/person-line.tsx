import { useState } from "react";

import { useSession } from "../../../app/session/session.ts";
import { useChange } from "../../../graphql/requests.ts";
import { Badge } from "../../../parts/marks.tsx";
import { IconButton } from "../../../parts/button.tsx";
import { ConfirmChange } from "../../../parts/change-form.tsx";
import { Menu, MenuChoices, MenuItem, MenuLabel, MenuSeparator } from "../../../parts/menu.tsx";
import { Row } from "../../../parts/table.tsx";
import { Time } from "../../../parts/time.tsx";
import { ROLES } from "../roles.ts";
import { type FragmentOf, gql, mutation } from "../../../graphql/graphql.ts";
import styles from "./people.module.css";

export const PERSON = gql(`fragment PersonRow on User {
  id email name role grants disabled lastLoginAt hasPassword sso
}`);

export type PersonRow = FragmentOf<typeof PERSON>;

const CHANGE_PERSON = mutation("changePerson", "person { ...PersonRow }", [PERSON]);
const GRANT = mutation("grantPermission", "user { ...PersonRow }", [PERSON]);
const REVOKE_GRANT = mutation("revokePermission", "user { ...PersonRow }", [PERSON]);

/** What can be granted in addition to a role. */
const GRANTS = [
  { value: "api_manage", label: "make API keys" },
  { value: "metrics_certify", label: "certify metrics" },
] as const;

export const PERSON_COLUMNS = [
  { label: "Person", isName: true, className: styles["person"] },
  { label: "Role" },
  { label: "Also may", className: "soft" },
  { label: "Logs in by", className: "soft" },
  { label: "Last login", className: "soft" },
  { label: "", className: "end" },
];

interface PersonLineProps {
  person: PersonRow;
  /** Makes a link for a new password. */
  onReset: () => void;
}

export function PersonLine({ person, onReset }: PersonLineProps) {
  const { user } = useSession();
  const [isDisabling, setDisabling] = useState(false);
  const { id, email, name, role, grants, disabled, lastLoginAt, hasPassword, sso } = person;
  const ways = [hasPassword && "password", sso && "single sign-on"].filter(Boolean);
  const granted = GRANTS.filter(({ value }) => grants.includes(value)).map(({ label }) => label);
  const update = useChange(CHANGE_PERSON);
  const setRole = useChange(CHANGE_PERSON, {
    onDone: ({ changePerson: changed }) => `${email} is ${changed?.person.role} now.`,
  });
  const grant = useChange(GRANT);
  const revoke = useChange(REVOKE_GRANT);
  const fault = grant.fault ?? revoke.fault ?? update.fault ?? setRole.fault;
  return (
    <Row columns={PERSON_COLUMNS}>
      <>
        {name || email} {id === user.id && <Badge label="you" />} {disabled && <Badge label="disabled" tone="bad" />}
        {name !== "" && <small>{email}</small>}
        {fault !== null && (
          <small role="alert" className="bad">
            {fault}
          </small>
        )}
      </>
      {role}
      {granted.join(", ")}
      {ways.join(", ") || "not yet"}
      <Time at={lastLoginAt} />
      <>
        <Menu trigger={<IconButton icon="more" label={`What to do with ${email}`} />}>
          <MenuLabel>Role</MenuLabel>
          <MenuChoices
            value={role}
            choices={ROLES}
            onChoose={(chosen) => void setRole.change({ input: { userId: id, role: chosen } })}
          />
          <MenuSeparator />
          {GRANTS.map(({ value, label }) => {
            const has = grants.includes(value);
            const change = () => void (has ? revoke : grant).change({ input: { id, permission: value } });
            return (
              <MenuItem
                key={value}
                icon={has ? "close" : "plus"}
                label={has ? `No longer let them ${label}` : `Let them ${label}`}
                onSelect={change}
              />
            );
          })}
          <MenuSeparator />
          <MenuItem icon="key" label="New password" onSelect={onReset} />
          {disabled ? (
            <MenuItem
              icon="play"
              label="Enable"
              onSelect={() => void update.change({ input: { userId: id, disabled: false } })}
            />
          ) : (
            <MenuItem icon="stop" label="Disable" onSelect={() => setDisabling(true)} />
          )}
        </Menu>
        {isDisabling && (
          <ConfirmChange
            title={`Disable ${email}?`}
            action="Disable"
            change={CHANGE_PERSON}
            variables={{ input: { userId: id, disabled: true } }}
            onClose={() => setDisabling(false)}
          >
            They are logged out everywhere, and none of their keys works from the next request on. You can enable them
            again.
          </ConfirmChange>
        )}
      </>
    </Row>
  );
}
