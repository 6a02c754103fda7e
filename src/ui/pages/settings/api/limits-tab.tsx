/** What holds for every token: how long it lives, from where and how often it may ask; and the end of all of them. */
import { useQuery } from "urql";

import { loadSession, useSession } from "../../../app/session/session-store.ts";
import { ChangeSection, ConfirmButton } from "../../../parts/change-form.tsx";
import { TextAreaField, TextField } from "../../../parts/field.tsx";
import { Loaded } from "../../../parts/listing.tsx";
import { Section } from "../../../parts/page.tsx";
import { REVOKE_ALL, SECURITY, SET_ALLOWLIST, SET_RATE_LIMIT } from "./documents.ts";
import { LifetimeForm } from "./lifetime-form.tsx";

export function LimitsTab() {
  const asked = useQuery({ query: SECURITY });
  return (
    <Loaded what="the limits" asked={asked} pick={({ securitySettings }) => securitySettings}>
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
