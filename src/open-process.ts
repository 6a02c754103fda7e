/** Opens what a server or a worker needs: the data folder, the stores and the services. */
import { existsSync } from "node:fs";

import type { Logger } from "pino";

import { systemCountdown } from "./clock.ts";
import { becomeServer, shareFolder } from "./data-folder/server-lock.ts";
import { openServices, type ServiceParts } from "./services.ts";
import { isShared, openDataFolderKeys } from "./stores.ts";
import { openTelemetry } from "./telemetry/open.ts";

/** How parts are closed: in the opposite order of their opening, also if a later one fails to open. */
export interface Closing extends AsyncDisposable {
  /** Closes a part at the end. */
  whenClosed: ServiceParts["whenClosed"];
  /** Closes parts at the end, all at the same time. */
  togetherWhenClosed(parts: Readonly<Record<string, () => Promise<void>>>): void;
  /** The names of the parts that are being closed. */
  closing(): string[];
  /** From now on, only `close` closes the parts. */
  keep(): () => Promise<void>;
}

export function createClosing(): Closing {
  const opened = new AsyncDisposableStack();
  const closing = new Set<string>();
  const close = async (what: string, closeIt: () => void | Promise<void>): Promise<void> => {
    closing.add(what);
    await closeIt();
    closing.delete(what);
  };
  return {
    whenClosed: (what, closeIt) => opened.defer(() => close(what, closeIt)),
    togetherWhenClosed: (parts) =>
      opened.defer(async () => {
        await Promise.all(Object.entries(parts).map(([what, closeIt]) => close(what, closeIt)));
      }),
    closing: () => [...closing],
    keep() {
      const kept = opened.move();
      return () => kept.disposeAsync();
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

type ProcessParts = Omit<ServiceParts, "keep" | "whenClosed" | "waitsFor" | "metrics" | "tracer"> & { log: Logger };

/**
 * Opens everything, and waits for no store on another machine.
 * @throws AppError `unavailable` if the data folder or a store cannot be used, or another server uses them
 */
export async function openProcess(parts: ProcessParts, { whenClosed }: Pick<Closing, "whenClosed">) {
  const { settings, clock, random, countdown = systemCountdown, deadline, log } = parts;
  const keep = openDataFolderKeys(settings, random);
  const lock = isShared(settings) ? shareFolder(keep.folder) : becomeServer(keep.folder);
  whenClosed("the data folder's lock", () => lock.release());
  if (keep.folder.isOpenToOthers) {
    log.warn(
      { location: keep.folder.path },
      "other users can read the data folder: make it private to this user (chmod 700)",
    );
  }
  for (const location of settings.connectorFolders ?? []) {
    // It may come later, with a disk that is mounted.
    if (!existsSync(location)) log.warn({ location }, "CONNECTOR_FOLDERS names a folder that does not exist");
  }
  const telemetry = await openTelemetry(settings, { clock, random, countdown, deadline, log });
  whenClosed("traces", () => telemetry.close());
  const { metrics, tracer } = telemetry;
  const services = await openServices({ ...parts, keep, whenClosed, waitsFor: "both", metrics, tracer });
  const { health, metadata } = services;
  /** Null: nobody reads metrics. */
  const metricsServer = telemetry.serveMetrics({ health, metadata, folder: keep.folder });
  whenClosed("metrics", async () => metricsServer?.close());
  return { folder: keep.folder, services, telemetry, metricsServer };
}
