/** The history of a metric's certification, the newest step first. Steps never change. */
import { PersonName } from "../../assets/person-name.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Prose } from "../../parts/prose.tsx";
import { Time } from "../../parts/time.tsx";
import type { Step } from "./documents.ts";

const ACTIONS = {
  certify: { icon: "certified", tone: "good", text: "certified it" },
  state: { icon: "certified", tone: "good", text: "stated that it is certified" },
  withdraw: { icon: "close", tone: "bad", text: "withdrew the certification" },
  retract: { icon: "close", tone: "warn", text: "no longer states that it is certified" },
  lapse: { icon: "clock", tone: "warn", text: "found a change, so that the certification lapsed" },
} as const;

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
