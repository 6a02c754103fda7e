/** Stores what others say about entities. A sync of the connector reads it when no more has come for some seconds. */
import type { Origin } from "../auth/origin.ts";
import type { AspectRow } from "../catalog/aspect.ts";
import type { ConnectorType } from "../connectors/connector.ts";
import { MAX_ROWS } from "../metadata/aspects.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { batchesOf } from "../work/batches.ts";
import type { Slicer } from "../work/slicer.ts";
import { getReceivingConnector, type Sender } from "./receiving-connector.ts";

/** Characters of one transaction. Writing them takes the event loop for some milliseconds. */
const MAX_CHARACTERS = 1_000_000;

/**
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
