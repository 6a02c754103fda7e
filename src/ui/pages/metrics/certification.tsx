/** Whether people may rely on the metric, why not, and the buttons of those who decide it. */
import { useState } from "react";
import { type TypedDocumentNode, useQuery } from "urql";

import { PersonName } from "../../assets/names.tsx";
import type { VariablesOf } from "../../graphql/graphql.ts";
import { Button } from "../../parts/button.tsx";
import { ChangeDialog } from "../../parts/change-form.tsx";
import { TextField } from "../../parts/form.tsx";
import { Icon } from "../../parts/marks.tsx";
import { Prose } from "../../parts/prose.tsx";
import { Time } from "../../parts/time.tsx";
import { CERTIFY, MAY_CERTIFY, type MetricDetail, type Step, WITHDRAW } from "./documents.ts";

export function Certification({ metric, onChange }: { metric: MetricDetail; onChange: () => void }) {
  const [{ data }] = useQuery({ query: MAY_CERTIFY });
  const [isDeciding, setDeciding] = useState(false);
  const isCertified = metric.certification === "certified";
  const decision: TypedDocumentNode<unknown, VariablesOf<typeof CERTIFY>> = isCertified ? WITHDRAW : CERTIFY;
  return (
    <section
      className="card padded cluster roomy top"
      data-tone={isCertified ? "good" : "warn"}
      aria-label="Certification"
    >
      <Icon name={isCertified ? "certified" : "clock"} size={20} />
      <div className="stack tight grow soft wrap">
        <State metric={metric} />
      </div>
      {data?.viewer?.mayCertify && (
        <Button
          label={isCertified ? "Withdraw" : "Certify"}
          look={isCertified ? "plain" : "primary"}
          onClick={() => setDeciding(true)}
        />
      )}
      {isDeciding && (
        <ChangeDialog
          title={isCertified ? "Withdraw the certification" : `Certify ${metric.displayName}`}
          action={isCertified ? "Withdraw" : "Certify"}
          look={isCertified ? "danger" : "primary"}
          change={decision}
          variables={(form) => ({ input: { id: metric.id, note: String(form.get("note")).trim() } })}
          onDone={() => {
            onChange();
            return isCertified ? "The certification is withdrawn." : `${metric.displayName} is certified.`;
          }}
          onClose={() => setDeciding(false)}
        >
          <p>
            {isCertified
              ? "It stays pending until a person certifies it again. Its source cannot undo that."
              : "You confirm the metric as it is defined now, with everything that feeds it. If any of that changes, the certification lapses."}
          </p>
          <TextField label="Why" name="note" hint="One line, which stays in the trail." maxLength={1_000} autoFocus />
        </ChangeDialog>
      )}
    </section>
  );
}

function State({ metric: { certification, certifier, certifiedAt, audit } }: { metric: MetricDetail }) {
  const last = audit.at(-1);
  if (certification === "certified") {
    return (
      <>
        <h2 className="subheading name">
          Certified by <PersonName of={certifier} none="its source" />
        </h2>
        <p>
          {certifiedAt && (
            <>
              <Time at={certifiedAt} />.{" "}
            </>
          )}
          It lapses by itself when the definition, or something that feeds it, changes.
        </p>
        {last?.action === "certify" && last.note && <p className="name">“{last.note}”</p>}
      </>
    );
  }
  if (last?.action === "lapse") {
    return (
      <>
        <h2 className="subheading name">
          The certification lapsed <Time at={last.at} />
        </h2>
        <p>{last.note ? <Prose text={last.note} /> : "Something that feeds it changed."}</p>
        <p>Look at what changed, and certify it again if its numbers still mean the same.</p>
      </>
    );
  }
  if (last?.action === "withdraw") {
    return (
      <>
        <h2 className="subheading name">
          <PersonName of={last.by} none="Somebody" /> withdrew the certification <Time at={last.at} />
        </h2>
        {last.note && <p className="name">“{last.note}”</p>}
      </>
    );
  }
  return (
    <>
      <h2 className="subheading name">Nobody has certified it</h2>
      <p>Do not report it as a fact before somebody who knows has looked at its definition.</p>
    </>
  );
}

const ACTIONS = {
  certify: { icon: "certified", tone: "good", text: "certified it" },
  state: { icon: "certified", tone: "good", text: "stated that it is certified" },
  withdraw: { icon: "close", tone: "bad", text: "withdrew the certification" },
  retract: { icon: "close", tone: "warn", text: "no longer states that it is certified" },
  lapse: { icon: "clock", tone: "warn", text: "found a change, so that the certification lapsed" },
} as const;

/** The history of the certification, the newest step first. Steps never change. */
export function Trail({ steps }: { steps: readonly Step[] }) {
  if (steps.length === 0) return <p className="faint">Nobody has decided anything about it yet.</p>;
  return (
    <ol className="stack">
      {steps.toReversed().map(({ place, action, by, at, note }) => (
        <li key={place} className="beside-icon wrap" data-tone={ACTIONS[action].tone}>
          <Icon name={ACTIONS[action].icon} />
          <div>
            <strong>
              <PersonName of={by} none="Somebody" />
            </strong>{" "}
            {ACTIONS[action].text}{" "}
            <span className="faint">
              <Time at={at} />
            </span>
            {note && (
              <p className="soft">
                <Prose text={note} />
              </p>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}
