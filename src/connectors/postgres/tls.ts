/** How a connection is encrypted, and how the server shows who it is. */
import { readFile, stat } from "node:fs/promises";
import type { ConnectionOptions } from "node:tls";

import { isLoopback } from "../../addresses/loopback.ts";
import { locateAnywhere, OUTSIDE_FOLDERS } from "../source-folders.ts";
import type { Network } from "./checked-socket.ts";
import { BadRootCertificate } from "./driver-faults.ts";
import { endpointOf, type PostgresOptions } from "./options.ts";

/** Files of all public authorities together have about 200 KiB. */
const MAX_CERTIFICATE_BYTES = 1024 ** 2;

/** The option, or its default. */
export function sslOf({ url, ssl }: Pick<PostgresOptions, "url" | "ssl">): NonNullable<PostgresOptions["ssl"]> {
  return ssl ?? (isLoopback(endpointOf({ url }).host) ? "disable" : "verify-full");
}

/**
 * Returns false for a connection without encryption.
 * @throws BadRootCertificate
 */
export async function toTls(
  options: Pick<PostgresOptions, "url" | "ssl" | "ssl_root_cert">,
  { locateFile = locateAnywhere }: Pick<Network, "locateFile">,
): Promise<ConnectionOptions | false> {
  const mode = sslOf(options);
  if (mode === "disable") return false;
  if (options.ssl_root_cert === undefined) return { rejectUnauthorized: mode === "verify-full" };
  const path = await locateFile(options.ssl_root_cert);
  if (path === null) throw new BadRootCertificate(OUTSIDE_FOLDERS);
  const ca = await readCertificate(path);
  // As with other clients: if an authority is named, `require` checks it, and only the name of the host is not checked.
  return { ca, ...(mode === "require" ? { checkServerIdentity: () => undefined } : {}) };
}

async function readCertificate(path: string): Promise<string> {
  const found = await stat(path).catch(unreadable);
  // A pipe or a device may never end.
  if (!found.isFile() || found.size > MAX_CERTIFICATE_BYTES) throw new BadRootCertificate("is no file of certificates");
  const text = await readFile(path, "utf8").catch(unreadable);
  if (!text.includes("-----BEGIN CERTIFICATE-----")) throw new BadRootCertificate("has no certificate in PEM");
  return text;
}

function unreadable({ code = "unknown" }: NodeJS.ErrnoException): never {
  throw new BadRootCertificate(`cannot be read (${code})`);
}
