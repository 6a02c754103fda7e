/** A crawl found so much gone that it removed nothing. Somebody has to confirm that it really is gone. */
import { useMayWrite } from "../../app/session/use-session.ts";
import { ConfirmButton } from "../../parts/change-form.tsx";
import { Icon } from "../../parts/icon.tsx";
import { TRIGGER_SYNC } from "./documents.ts";

/** @param message the service's, which says how many of how many */
export function HeldSweep({ connectorId, message }: { connectorId: string; message: string }) {
  const mayWrite = useMayWrite();
  // The end of the message is for the command line.
  const [what = message] = message.split(" If they are gone");
  return (
    <section className="notice warn stack" aria-label="Removal on hold">
      <p className="row inline">
        <Icon name="warning" /> <strong>A removal waits for you</strong>
      </p>
      <p>{what}</p>
      {mayWrite ? (
        <div>
          <ConfirmButton
            label="They are gone: remove them"
            look="plain"
            title="Remove what is gone?"
            action="Sync and remove"
            change={TRIGGER_SYNC}
            variables={{ input: { connectorId, confirmRemoval: true } }}
            types={["Connector"]}
          >
            The connector syncs again, and removes everything that its source no longer has, however much it is. Edits
            by people are kept, in case the assets come back.
          </ConfirmButton>
        </div>
      ) : (
        <p>Somebody who may write has to confirm it.</p>
      )}
    </section>
  );
}
