/** Finds the connector of a workspace that takes messages of a type. The first message makes it. */
import { change } from "../auth/change.ts";
import type { Origin } from "../auth/origin.ts";
import type { AspectRow } from "../catalog/aspect.ts";
import type { ConnectorType } from "../connectors/connector.ts";
import { AppError } from "../errors.ts";
import type { WorkspaceId } from "../ids.ts";
import { MAX_ROWS } from "../metadata/aspects.ts";
import type { Connector } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { batchesOf } from "../work/batches.ts";
import type { Slicer } from "../work/slicer.ts";

/** How many connectors of a workspace are searched, and beyond which senders make no more of them. */
export const MANY = 1_000;

/** The connector of a sender as it is made. */
type Sender = Pick<Connector, "name" | "options">;

/**
 * @param sender each has a connector of its own; absent if all senders share one
 * @throws AppError `conflict` if the connector is disabled, if one of another type has its name, or if it would be one of
 * more than `MANY`
 */
export async function getReceivingConnector(
  store: MetadataStore,
  origin: Origin,
  { type, secretOptions }: Pick<ConnectorType, "type" | "secretOptions">,
  sender?: Sender,
): Promise<Connector> {
  const workspaceId = origin.workspace.id;
  const { name, options } = sender ?? { name: type, options: {} };
  const named = await store.connectors.findByName(workspaceId, name);
  if (named?.type === type) return requireOpen(named, type);
  const oldest = sender === undefined ? await findOldest(store, workspaceId, type) : null;
  if (oldest !== null) return requireOpen(oldest, type);
  const added = await change(store, origin, async ({ connectors }, note) => {
    // Another request may have added it in the meantime.
    const found = await connectors.findByName(workspaceId, name);
    if (found !== null) return found;
    if ((await connectors.count(workspaceId)) >= MANY) {
      throw new AppError(
        "conflict",
        `The workspace has ${MANY} connectors: remove one before another sender is added.`,
      );
    }
    const made = await connectors.create({ workspaceId, type, name, options, secretOptions });
    // What is not sent again stays. Only what its sender says is removed goes, and that is not by mistake.
    if (sender !== undefined) await connectors.setRemovalShare(workspaceId, made.id, 100);
    await note("connector_added", made.id, { name, type, options: Object.keys(options) });
    return made;
  });
  return requireOpen(added, type);
}

/** The oldest connector of the type, if somebody renamed it or added several. */
async function findOldest(
  { connectors }: Pick<MetadataStore, "connectors">,
  workspaceId: WorkspaceId,
  type: string,
): Promise<Connector | null> {
  const { items } = await connectors.list(workspaceId, { after: null, limit: MANY });
  const all = items.filter((each) => each.type === type);
  return all.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id))[0] ?? null;
}

function requireOpen(connector: Connector, wanted: string): Connector {
  const { name, type, disabledAt } = connector;
  if (type !== wanted) {
    throw new AppError(
      "conflict",
      `The connector ${name} is of type ${type}: rename it, so that events get their own.`,
    );
  }
  if (disabledAt !== null) throw new AppError("conflict", `The connector ${name} is disabled: it takes no events.`);
  return connector;
}

/** Characters of one transaction. Writing them takes the event loop for some milliseconds. */
const MAX_CHARACTERS = 1_000_000;

/**
 * Stores what others say about entities. A sync of the connector reads it when no more has come for some seconds.
 * @param sender has a connector of its own, which the first rows make
 * @throws AppError `conflict` if the connector is disabled, is being removed or is full, or if another one has its name
 */
export async function receiveAspects(
  { store, slicer }: { store: MetadataStore; slicer: Pick<Slicer, "next"> },
  origin: Origin,
  { type, sender }: { type: ConnectorType; sender: Sender },
  rows: readonly AspectRow[],
): Promise<void> {
  const { id } = await getReceivingConnector(store, origin, type, sender);
  for (const batch of batchesOf(rows, MAX_CHARACTERS, weightOf)) {
    await slicer.next();
    await store.aspects.add(id, batch);
  }
}

function weightOf({ body }: AspectRow): number {
  return MAX_CHARACTERS / MAX_ROWS + (body?.length ?? 0);
}
