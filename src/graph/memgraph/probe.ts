/** Asks whether anything speaks Bolt at an address, on a connection of its own, without the driver and its pool. */
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";

import type { Probe } from "../../work/store-watch.ts";
import { unreachable } from "./errors.ts";

const DEFAULT_PORT = 7687;
/** Asks which version of the protocol the server would choose. https://neo4j.com/docs/bolt/current/bolt/handshake/ */
const HANDSHAKE = Buffer.from([0x60, 0x60, 0xb0, 0x17, 0, 0, 0, 5, 0, 0, 4, 4, 0, 0, 0, 4, 0, 0, 0, 3]);

/** @param url a Bolt URL without credentials */
export function createProbe(url: string): Probe {
  const { protocol, hostname, port } = new URL(url);
  const address = { host: hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(port || DEFAULT_PORT) };
  const isEncrypted = protocol.includes("+s");
  // Nothing secret is sent, and the driver checks the certificate before it sends anything.
  const socket = isEncrypted ? connectTls({ ...address, rejectUnauthorized: false }) : connect(address);
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  socket.once("data", resolve);
  socket.on("error", ({ message }) => reject(unreachable(message)));
  socket.on("close", () => reject(unreachable("the connection was closed")));
  socket.write(HANDSHAKE);
  return { answer: promise, end: () => void socket.destroy() };
}
