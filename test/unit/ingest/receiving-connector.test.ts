import { expect, test } from "vitest";

import { fromCommandLine } from "../../../src/auth/origin.ts";
import { dataHubConnector } from "../../../src/connectors/datahub/receive.ts";
import { getReceivingConnector, MANY } from "../../../src/ingest/receiving-connector.ts";
import { openTestMetadata } from "../../support/metadata-store.ts";

test("Senders make no more connectors than a workspace may have, and those that have one go on", async () => {
  const { store, workspace, admin } = await openTestMetadata();
  const { type, secretOptions } = dataHubConnector;
  const from = (name: string) =>
    getReceivingConnector(store, fromCommandLine(workspace, admin), dataHubConnector, { name, options: {} });
  await from("first");
  const others = { workspaceId: workspace.id, type, options: {}, secretOptions };
  for (let at = 1; at < MANY; at++) await store.connectors.create({ ...others, name: `other-${at}` });
  await expect(from("one more")).rejects.toThrow("The workspace has 1000 connectors");
  expect((await from("first")).name).toBe("first");
  expect(await store.connectors.count(workspace.id)).toBe(MANY);
});
