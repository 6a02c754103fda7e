/** The maximum lifetime of tokens. It says what that does to those that exist before it does it. */
import { useState } from "react";
import { useQuery } from "urql";

import type { ResultOf } from "../../../graphql/graphql.ts";
import { useChange } from "../../../graphql/use-change.ts";
import { Button } from "../../../parts/button.tsx";
import { ConfirmChange } from "../../../parts/change-form.tsx";
import { countOf } from "../../../parts/count.ts";
import { TextField } from "../../../parts/field.tsx";
import { Form } from "../../../parts/form.tsx";
import { Loaded } from "../../../parts/listing.tsx";
import { Section } from "../../../parts/page.tsx";
import { Time } from "../../../parts/time.tsx";
import { FORECAST, SET_LIFETIME } from "./documents.ts";

const DAY_SECONDS = 86_400;
const MAX_DAYS = 3_650;

/** @param seconds the maximum that is set; null: none */
export function LifetimeForm({ seconds }: { seconds: number | null }) {
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
    <Loaded what="how many tokens end" asked={asked} pick={({ lifetimeForecast }) => lifetimeForecast} rows={2}>
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
