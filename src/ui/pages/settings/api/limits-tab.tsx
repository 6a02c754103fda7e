/** What holds for every token: how long it lives, from where and how often it may ask; and the end of all of them. */
import { useQuery } from "urql";
import { useState } from "react";

import { loadSession, useSession } from "../../../app/session/session.ts";
import { ChangeSection, ConfirmButton, ConfirmChange } from "../../../parts/change-form.tsx";
import { TextAreaField, TextField, Form } from "../../../parts/form.tsx";
import { Loaded } from "../../../parts/listing.tsx";
import { Section } from "../../../parts/page.tsx";
import type { ResultOf } from "../../../graphql/graphql.ts";
import { useChange } from "../../../graphql/requests.ts";
import { Button } from "../../../parts/button.tsx";
import { countOf } from "../../../parts/count.ts";
import { Time } from "../../../parts/time.tsx";
import { FORECAST, REVOKE_ALL, SECURITY, SET_ALLOWLIST, SET_LIFETIME, SET_RATE_LIMIT } from "./documents.ts";

export function LimitsTab() {
  const asked = useQuery({ query: SECURITY });
  return (
    <Loaded what="the limits" asked={asked}>
      {({ maxTokenLifetimeSeconds, rateLimitPerMinute, allowlist }) => (
        <div className="stack roomy">
          <LifetimeForm seconds={maxTokenLifetimeSeconds} />
          <ChangeSection
            title="Rate limit"
            lead="How many requests each key and each service account may send in any 60 seconds."
            action="Save the rate limit"
            change={SET_RATE_LIMIT}
            variables={(form) => ({ input: { perMinute: Number(form.get("perMinute")) } })}
            onDone={() => "The rate limit is saved."}
          >
            <TextField
              className="narrow"
              label="Requests a minute"
              name="perMinute"
              type="number"
              min={1}
              max={10_000}
              required
              defaultValue={rateLimitPerMinute}
            />
          </ChangeSection>
          <ChangeSection
            title="Allowlist"
            lead="Networks from which tokens are accepted. A list that leaves out the address that you come from is refused."
            action="Save the allowlist"
            change={SET_ALLOWLIST}
            variables={(form) => ({ input: { cidrs: readCidrs(form) } })}
            onDone={({ setAllowlist }) =>
              setAllowlist?.securitySettings.allowlist.length === 0
                ? "Tokens are accepted from everywhere."
                : "The allowlist is saved."
            }
          >
            <TextAreaField
              className="narrow"
              label="Networks"
              name="cidrs"
              rows={4}
              spellCheck={false}
              placeholder={"203.0.113.0/24\n2001:db8::/32"}
              hint="One a line, as CIDR. Leave it empty to accept tokens from everywhere."
              defaultValue={allowlist.join("\n")}
            />
          </ChangeSection>
          <RevokeAll />
        </div>
      )}
    </Loaded>
  );
}

function readCidrs(form: FormData): string[] {
  return String(form.get("cidrs"))
    .split(/[\s,]+/)
    .filter((cidr) => cidr !== "");
}

function RevokeAll() {
  const { workspace } = useSession();
  const button = (
    <ConfirmButton
      label="Revoke all tokens"
      title="Revoke all tokens?"
      action="Revoke all tokens"
      typed={workspace.name}
      change={REVOKE_ALL}
      variables={{}}
      types={["ApiKey"]}
      onDone={({ revokeAllTokens: counts }) => {
        // This session has ended with the others.
        void loadSession();
        const { apiKeys = 0, accessTokens = 0, sessions = 0 } = counts ?? {};
        return `Revoked: ${apiKeys} keys and ${accessTokens} access tokens. Ended: ${sessions} sessions.`;
      }}
    >
      Every program that calls this workspace is refused from its next request on, until it has a new token. Everybody
      who is logged in has to log in again, you too. Secrets of service accounts stay, so that these get new tokens by
      themselves.
    </ConfirmButton>
  );
  return (
    <Section
      title="Revoke everything"
      lead="Ends every key and every access token of the workspace, at once and for good. For when one has leaked and nobody knows which."
      actions={button}
    />
  );
}

const DAY_SECONDS = 86_400;
const MAX_DAYS = 3_650;

/**
 * The maximum lifetime of tokens. It says what that does to those that exist before it does it.
 * @param seconds the maximum that is set; null: none
 */
function LifetimeForm({ seconds }: { seconds: number | null }) {
  const [asked, setAsked] = useState<number | null>(null);
  const { change, isBusy, fault } = useChange(SET_LIFETIME, {
    onDone: () => "Tokens have no maximum lifetime any more.",
  });
  return (
    <Section
      title="Maximum lifetime"
      lead="How long a key or access token works at most, counted from when it was made. It holds for those that exist, too."
    >
      <Form
        fault={fault}
        onSubmit={(form) => setAsked(Number(form.get("days")) * DAY_SECONDS)}
        buttons={
          <>
            <Button label="See what it does" type="submit" />
            {seconds !== null && (
              <Button
                label="Remove the maximum"
                look="quiet"
                isBusy={isBusy}
                onClick={() => void change({ input: { seconds: null } })}
              />
            )}
          </>
        }
      >
        <TextField
          className="narrow"
          label="Days"
          name="days"
          type="number"
          min={1}
          max={MAX_DAYS}
          required
          placeholder="No maximum"
          defaultValue={seconds === null ? "" : Math.max(1, Math.round(seconds / DAY_SECONDS))}
          hint={
            seconds === null
              ? "There is no maximum: only a token's own expiry counts."
              : "A longer one does not bring back tokens that have ended."
          }
        />
      </Form>
      {asked !== null && (
        <ConfirmChange
          title={`At most ${countOf(asked / DAY_SECONDS, "day")}?`}
          action="Set it"
          change={SET_LIFETIME}
          variables={{ input: { seconds: asked } }}
          onDone={() => "The maximum lifetime is set."}
          onClose={() => setAsked(null)}
        >
          <Forecast seconds={asked} />
        </ConfirmChange>
      )}
    </Section>
  );
}

function Forecast({ seconds }: { seconds: number }) {
  const asked = useQuery({ query: FORECAST, variables: { seconds }, requestPolicy: "network-only" });
  return (
    <Loaded what="how many tokens end" asked={asked} rows={2}>
      {({ endNow, endSooner, firstEnd }) =>
        sum(endNow) + sum(endSooner) === 0 ? (
          <p>No key or token that exists now ends sooner than it would have.</p>
        ) : (
          <ul className="stack">
            <li>
              <strong>{tell(endNow)}</strong> would end at once. A longer maximum, set later, does not bring them back.
            </li>
            <li>
              <strong>{tell(endSooner)}</strong> would end sooner than planned
              {firstEnd !== null && ", the first "}
              <Time at={firstEnd} none="" />.
            </li>
          </ul>
        )
      }
    </Loaded>
  );
}

type Counts = NonNullable<ResultOf<typeof FORECAST>["lifetimeForecast"]>["endNow"];

const sum = ({ apiKeys, accessTokens }: Counts): number => apiKeys + accessTokens;

const tell = ({ apiKeys, accessTokens }: Counts): string =>
  `${countOf(apiKeys, "key")} and ${countOf(accessTokens, "access token")}`;
