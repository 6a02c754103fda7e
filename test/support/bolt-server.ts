/** A server that speaks as much of Bolt 4.4 as a driver needs: every statement succeeds and returns no rows. */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";

import { onTestFinished } from "vitest";

const VERSION = Buffer.from([0, 0, 4, 4]);
const HANDSHAKE_BYTES = 20;
const HELLO = 0x01;
const RUN = 0x10;
const GOODBYE = 0x02;
const BEGIN = 0x11;
/** COMMIT, ROLLBACK and RESET. */
const ENDINGS: ReadonlySet<number> = new Set([0x12, 0x13, 0x0f]);

/** `SUCCESS` with a map in PackStream, each message in one chunk. */
const success = (map: readonly number[]): Buffer => {
  const message = [0xb1, 0x70, ...map];
  return Buffer.from([0, message.length, ...message, 0, 0]);
};
const text = (value: string): number[] => [0x80 + value.length, ...Buffer.from(value)];
const ANSWERS: ReadonlyMap<number, Buffer> = new Map([
  [HELLO, success([0xa1, ...text("server"), ...text("Test/1")])],
  [RUN, success([0xa1, ...text("fields"), 0x90])],
]);
const DONE = success([0xa0]);

/** The entry by which a driver marks a statement that a replica of a cluster may answer. */
const READ_MODE = Buffer.from([...text("mode"), ...text("r")]);

type Mode = "READ" | "WRITE";

/**
 * Listens until the test ends.
 * @returns the mode of each statement so far that ran in its own transaction
 */
export async function startBoltServer(port: number): Promise<{ modes: readonly Mode[] }> {
  const modes: Mode[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    converse(socket, modes);
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  return { modes };
}

function converse(socket: Socket, modes: Mode[]): void {
  let received = Buffer.alloc(0);
  let isOpen = false;
  let isManaged = false;
  let message: number[] = [];
  socket.on("data", (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    if (!isOpen && received.length >= HANDSHAKE_BYTES) {
      isOpen = true;
      received = received.subarray(HANDSHAKE_BYTES);
      socket.write(VERSION);
    }
    if (!isOpen) return;
    while (received.length >= 2) {
      const length = received.readUInt16BE();
      if (received.length < 2 + length) return;
      message.push(...received.subarray(2, 2 + length));
      received = received.subarray(2 + length);
      // An empty chunk ends a message, or keeps a connection alive between two.
      if (length > 0 || message.length === 0) continue;
      const [, tag = GOODBYE] = message;
      if (tag === BEGIN) isManaged = true;
      if (ENDINGS.has(tag)) isManaged = false;
      if (tag === RUN && !isManaged) modes.push(Buffer.from(message).includes(READ_MODE) ? "READ" : "WRITE");
      message = [];
      if (tag === GOODBYE) socket.end();
      else socket.write(ANSWERS.get(tag) ?? DONE);
    }
  });
}
