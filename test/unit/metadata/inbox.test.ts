/** What a subject of the inbox says to others. */
import { expect, it } from "vitest";

import { openTestMetadata } from "../../support/metadata-store.ts";
import { present } from "../../support/present.ts";

it("What a subject said to others before stays while it only asks, and goes once it says something else", async () => {
  const { store, workspace, addConnector } = await openTestMetadata();
  const { id } = await addConnector("events");
  const owner = { workspaceId: workspace.id, connectorId: id };
  let messages = 0;
  const say = async (to: Readonly<Record<string, string>>, keepsNotes: boolean): Promise<void> => {
    await store.inbox.add(owner, [{ subject: "job", key: `run ${++messages}`, body: "{}" }]);
    const open = present(await store.inbox.begin({ ...owner, subject: "job" }, "this process"));
    const notes = Object.entries(to).map(([subject, body]) => ({ subject, body }));
    await store.inbox.end(open, { notes, keepsNotes, expiresAt: null, errors: [], errorsTotal: 0 });
  };
  const heardBy = async (subject: string): Promise<string[]> => {
    await store.inbox.add(owner, [{ subject, key: `own ${++messages}`, body: "{}" }]);
    const open = present(await store.inbox.begin({ ...owner, subject }, "this process"));
    await store.inbox.end(open, { notes: [], expiresAt: null, errors: [], errorsTotal: 0 });
    return open.messages.filter(({ isNote }) => isNote).map(({ body }) => body);
  };
  await say({ table: "filled", path: "is it a table?" }, false);
  await say({ "other path": "is it a table?" }, true);
  expect([await heardBy("table"), await heardBy("path"), await heardBy("other path")]).toEqual([
    ["filled"],
    ["is it a table?"],
    ["is it a table?"],
  ]);
  await say({ "other path": "is it a table?" }, false);
  expect([await heardBy("table"), await heardBy("path"), await heardBy("other path")]).toEqual([
    [],
    [],
    ["is it a table?"],
  ]);
});
