/** How a connection is encrypted, and how the server shows who it is. */
import { readFile, stat } from "node:fs/promises";
import type { ConnectionOptions } from "node:tls";

import { isLoopback } from "../../addresses/loopback.ts";
import { locateAnywhere, OUTSIDE_FOLDERS } from "../source-folders.ts";
import type { Network } from "./checked-socket.ts";
import { type Source, SourceFailure } from "./driver-faults.ts";
import { endpointOf, type PostgresOptions } from "./options.ts";

/** Files of all public authorities together have about 200 KiB. */
const MAX_CERTIFICATE_BYTES = 1024 ** 2;

/** The option, or its default. */
export function sslOf({ url, ssl }: Pick<PostgresOptions, "url" | "ssl">): NonNullable<PostgresOptions["ssl"]> {
  return ssl ?? (isLoopback(endpointOf({ url }).host) ? "disable" : "verify-full");
}

/**
 * Returns false for a connection without encryption.
 * @throws SourceFailure if the file with the certificate authority cannot be used
 */
export async function toTls(
  options: Pick<PostgresOptions, "url" | "ssl" | "ssl_root_cert">,
  { locateFile = locateAnywhere }: Pick<Network, "locateFile">,
  source: Source,
): Promise<ConnectionOptions | false> {
  const mode = sslOf(options);
  if (mode === "disable") return false;
  if (options.ssl_root_cert === undefined) return { rejectUnauthorized: mode === "verify-full" };
  const path = await locateFile(options.ssl_root_cert);
  const refuse = (why: string): never => {
    const whole = `cannot be verified: the file of ssl_root_cert ${why}`;
    throw new SourceFailure(source, { code: "unreadable", option: "ssl_root_cert", why: whole });
  };
  const ca = path === null ? refuse(OUTSIDE_FOLDERS) : await readCertificate(path, refuse);
  // As with other clients: if an authority is named, `require` checks it, and only the name of the host is not checked.
  return { ca, ...(mode === "require" ? { checkServerIdentity: () => undefined } : {}) };
}

async function readCertificate(path: string, refuse: (why: string) => never): Promise<string> {
  const unreadable = ({ code = "unknown" }: NodeJS.ErrnoException): never => refuse(`cannot be read (${code})`);
  const found = await stat(path).catch(unreadable);
  // A pipe or a device may never end.
  if (!found.isFile() || found.size > MAX_CERTIFICATE_BYTES) refuse("is no file of certificates");
  const text = await readFile(path, "utf8").catch(unreadable);
  if (!text.includes("-----BEGIN CERTIFICATE-----")) refuse("has no certificate in PEM");
  return text;
}
