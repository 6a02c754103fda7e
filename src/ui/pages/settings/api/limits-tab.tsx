/** What holds for every token: how long it lives, from where and how often it may ask; and the end of all of them. */
import { useState } from "react";
import { useQuery } from "urql";

import { useSession } from "../../../app/session/use-session.ts";
import { loadSession } from "../../../app/session/session-store.ts";
import { useChange } from "../../../graphql/use-change.ts";
import { Button } from "../../../parts/button.tsx";
import { ConfirmDialog } from "../../../parts/confirm-dialog.tsx";
import { TextAreaField, TextField } from "../../../parts/field.tsx";
import { Form } from "../../../parts/form.tsx";
import { Section } from "../../../parts/page.tsx";
import { ErrorPanel } from "../../../parts/panel.tsx";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { showToast } from "../../../parts/toast.tsx";
import styles from "./api.module.css";
import { REVOKE_ALL, SECURITY, SET_ALLOWLIST, SET_RATE_LIMIT } from "./documents.ts";
import { LifetimeForm } from "./lifetime-form.tsx";

export function LimitsTab() {
  const [{ data, error }, again] = useQuery({ query: SECURITY });
  const settings = data?.securitySettings;
  if (!settings) {
    if (error) return <ErrorPanel error={error} onRetry={() => again({ requestPolicy: "network-only" })} />;
    return <Skeleton rows={6} label="Loading the limits" />;
  }
  return (
    <div className={styles["sections"]}>
      <LifetimeForm seconds={settings.maxTokenLifetimeSeconds} />
      <RateLimitForm perMinute={settings.rateLimitPerMinute} />
      <AllowlistForm allowlist={settings.allowlist} />
      <RevokeAll />
    </div>
  );
}

function RateLimitForm({ perMinute }: { perMinute: number }) {
  const { change, isBusy, fault, faults } = useChange(SET_RATE_LIMIT);
  const save = async (form: FormData): Promise<void> => {
    const said = Number(form.get("perMinute"));
    if ((await change({ input: { perMinute: said } })) !== null) showToast("The rate limit is saved.");
  };
  return (
    <Section title="Rate limit" lead="How many requests each key and each service account may send in any 60 seconds.">
      <Form
        fault={faults["perMinute"] === undefined ? fault : null}
        onSubmit={(form) => void save(form)}
        buttons={
          <Button type="submit" isBusy={isBusy}>
            Save the rate limit
          </Button>
        }
      >
        <TextField
          className={styles["narrow"]}
          label="Requests a minute"
          name="perMinute"
          type="number"
          min={1}
          max={10_000}
          required
          defaultValue={perMinute}
          error={faults["perMinute"]}
        />
      </Form>
    </Section>
  );
}

function AllowlistForm({ allowlist }: { allowlist: readonly string[] }) {
  const { change, isBusy, fault } = useChange(SET_ALLOWLIST);
  const save = async (form: FormData): Promise<void> => {
    const cidrs = String(form.get("cidrs"))
      .split(/[\s,]+/)
      .filter((cidr) => cidr !== "");
    if ((await change({ input: { cidrs } })) === null) return;
    showToast(cidrs.length === 0 ? "Tokens are accepted from everywhere." : "The allowlist is saved.");
  };
  return (
    <Section
      title="Allowlist"
      lead="Networks from which tokens are accepted. A list that leaves out the address that you come from is refused."
    >
      <Form
        onSubmit={(form) => void save(form)}
        buttons={
          <Button type="submit" isBusy={isBusy}>
            Save the allowlist
          </Button>
        }
      >
        <TextAreaField
          className={styles["narrow"]}
          label="Networks"
          name="cidrs"
          rows={4}
          spellCheck={false}
          placeholder={"203.0.113.0/24\n2001:db8::/32"}
          hint="One a line, as CIDR. Leave it empty to accept tokens from everywhere."
          defaultValue={allowlist.join("\n")}
          error={fault}
        />
      </Form>
    </Section>
  );
}

function RevokeAll() {
  const { workspace } = useSession();
  const [isAsking, setAsking] = useState(false);
  const { change, isBusy, fault } = useChange(REVOKE_ALL, ["ApiKey"]);
  const revoke = async (): Promise<void> => {
    const counts = (await change({}))?.revokeAllTokens;
    if (!counts) return;
    setAsking(false);
    const { apiKeys, accessTokens, sessions } = counts;
    showToast(`Revoked: ${apiKeys} keys and ${accessTokens} access tokens. Ended: ${sessions} sessions.`);
    // This one has ended with the others.
    void loadSession();
  };
  return (
    <Section
      title="Revoke everything"
      lead="Ends every key and every access token of the workspace, at once and for good. For when one has leaked and nobody knows which."
      actions={
        <Button look="danger" onClick={() => setAsking(true)}>
          Revoke all tokens
        </Button>
      }
    >
      {isAsking && (
        <ConfirmDialog
          title="Revoke all tokens?"
          action="Revoke all tokens"
          typed={workspace.name}
          isBusy={isBusy}
          fault={fault}
          onConfirm={() => void revoke()}
          onClose={() => setAsking(false)}
        >
          Every program that calls this workspace is refused from its next request on, until it has a new token.
          Everybody who is logged in has to log in again, you too. Secrets of service accounts stay, so that these get
          new tokens by themselves.
        </ConfirmDialog>
      )}
    </Section>
  );
}
