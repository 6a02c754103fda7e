/** A proxy to a server on loopback that can fall silent: connections stay open, and no byte passes. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface SilentProxy {
  port: number;
  /** From now on no byte passes and no connection is closed, whether open or new. */
  fallSilent(): void;
  /** All held bytes pass. */
  speak(): void;
  /** Open connections stay silent for ever, and new ones are answered. */
  replace(): void;
  close(): Promise<void>;
}

export async function startSilentProxy(target: number): Promise<SilentProxy> {
  const sockets = new Set<Socket>();
  let isSilent = false;
  let lost = new Set<Socket>();
  const add = (socket: Socket, other: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("data", (bytes) => other.write(bytes));
    socket.on("end", () => other.end());
    socket.on("close", () => {
      sockets.delete(socket);
      if (!isSilent && !lost.has(socket)) other.destroy();
    });
    if (isSilent) socket.pause();
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const there = connect({ port: target, host: "127.0.0.1", allowHalfOpen: true });
    add(client, there);
    add(there, client);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    fallSilent() {
      isSilent = true;
      for (const socket of sockets) socket.pause();
    },
    speak() {
      isSilent = false;
      for (const socket of sockets) if (!lost.has(socket)) socket.resume();
    },
    replace() {
      lost = new Set(sockets);
      isSilent = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
