/**
 * Removes a connector and everything that it stated. First it is marked, so that it never crawls again. Then its
 * statements are removed from the graph, step by step. At the end its record is deleted. If a removal stops in between,
 * repeating it or the next start of the service finishes it.
 */
import type { BaseLogger } from "pino";

import { change } from "../auth/change.ts";
import type { Origin } from "../auth/origin.ts";
import { notFound, unavailable } from "../errors.ts";
import type { ConnectorId } from "../ids.ts";
import type { Connector } from "../metadata/records.ts";
import { listMetrics } from "../metrics/list-metrics.ts";
import { recheckCertifications } from "../metrics/recheck-certifications.ts";
import type { LocalQueue } from "./queue/local.ts";
import { type ConnectorParts, syncName } from "./sync-name.ts";
import { stampOf } from "./stamp.ts";

export interface RemovalParts extends ConnectorParts {
  queue: Pick<LocalQueue, "nudge">;
  log: Pick<BaseLogger, "error">;
}

export function createConnectorRemoval(parts: RemovalParts) {
  const { graph, store, findConnectorType, clock, queue, log } = parts;
  /** Removals in progress in this process, by the connector's id. A second request waits for the same removal. */
  const running = new Map<string, Promise<number>>();
  let stopped = false;

  function finish(connector: Connector): Promise<number> {
    const { id } = connector;
    const removal = running.get(id) ?? removeFromGraph(connector).finally(() => running.delete(id));
    running.set(id, removal);
    return removal;
  }

  async function removeFromGraph(connector: Connector): Promise<number> {
    const { id, workspaceId, name, type } = connector;
    const stamp = stampOf(connector, findConnectorType(type), { id: `removal of ${id}`, run: 0 }, clock);
    const certifiedBefore = await listMetrics(graph, workspaceId, { certification: "certified" });
    let removed = 0;
    for (;;) {
      if (stopped) throw unavailable("The service is stopping: the removal continues at its next start.");
      const step = await graph.removeConnector(stamp);
      removed += step.removed;
      if (step.done) break;
    }
    await recheckCertifications({
      graph,
      audit: store.audit,
      workspace: workspaceId,
      actor: `removal of connector ${name}`,
      now: clock.now,
      certifiedBefore,
    });
    await store.connectors.endRemoval(workspaceId, id);
    return removed;
  }

  return {
    /**
     * @returns how many assets and metrics were removed with it
     * @throws AppError `not_found`
     */
    async remove(origin: Origin, id: ConnectorId): Promise<number> {
      const workspaceId = origin.workspace.id;
      const connector = await change(store, origin, async ({ connectors, syncs }, note) => {
        const found = await connectors.findById(workspaceId, id);
        if (found === null) throw notFound("connector", id);
        if (found.removingAt !== null) return found;
        const marked = await connectors.beginRemoval(workspaceId, id);
        await syncs.cancelAll(workspaceId, id);
        await note("connector_removed", id, { name: found.name, type: found.type });
        return marked;
      });
      // A worker of this process then learns at once that its sync is cancelled.
      queue.nudge();
      return finish(connector);
    },
    /** Finishes removals and changes of names that stopped before the end. Failures are logged. */
    async resume(): Promise<void> {
      for (const connector of await store.connectors.listUnfinished()) {
        const work = connector.removingAt === null ? syncName(parts, connector) : finish(connector);
        await work.catch((err: unknown) => {
          if (!stopped) log.error({ err, connectorId: connector.id }, "a change of a connector is not finished");
        });
      }
    },
    /** Stops after the current step. */
    async stop(): Promise<void> {
      stopped = true;
      await Promise.allSettled(running.values());
    },
  };
}
