/** Asks PostgreSQL on a connection of its own whether it answers. */
import { Client, DatabaseError } from "pg";

import type { Probe } from "../../work/store-watch.ts";
import { toClientConfig } from "./options.ts";

/** The answer resolves if the server answers, whatever it says. It rejects with the error of the connection. */
export function createProbe(url: string): Probe {
  const client = new Client({ ...toClientConfig(url), application_name: "tributary look" });
  client.on("error", () => {});
  return { answer: ask(client), end: () => void client.connection.stream.destroy() };
}

async function ask(client: Client): Promise<void> {
  try {
    await client.connect();
    await client.query("select 1");
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
  }
}
