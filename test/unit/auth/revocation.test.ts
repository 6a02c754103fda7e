import { expect, it } from "vitest";

import { revokeAllTokens, revokeToken } from "../../../src/auth/revocation.ts";
import { toTokenId } from "../../../src/ids.ts";
import { openTestAuth, SOURCE } from "../../support/auth.ts";

it("Revoking all tokens ends every key and access token of the workspace, including the one that asks", async () => {
  const { createClient, createKey, enter, parts, requestBy, openAgain, trail, clock, workspace, admin } =
    await openTestAuth();
  const { issue } = await createClient("engineer");
  const asking = await createKey({ scopes: ["read", "admin"] });
  const tokens = [asking.token, (await createKey()).token, await issue(), await issue()];
  const request = await requestBy(asking.token);
  clock.advance(1);
  expect(await revokeAllTokens(parts, request)).toEqual({ keys: 2, accessTokens: 2, sessions: 0 });
  for (const token of tokens) await expect(enter(token)).rejects.toMatchObject({ code: "unauthorized" });
  const replica = await openAgain();
  expect((await replica.keys.list(workspace.id)).every(({ revokedAt }) => revokedAt !== null)).toBe(true);
  expect((await trail()).at(-1)).toEqual({
    action: "all_tokens_revoked",
    actor: admin.email,
    source: SOURCE,
    subject: workspace.id,
    details: { keys: 2, accessTokens: 2, sessions: 0 },
  });
  await expect(revokeAllTokens(parts, request)).rejects.toMatchObject({ code: "unauthorized" });
  // A token that is created afterwards works.
  await expect(enter((await createKey()).token)).resolves.toBeDefined();
  await expect(enter(await issue())).resolves.toBeDefined();
});

it("Revoking all tokens leaves other workspaces unchanged", async () => {
  const { createKey, enter, parts, origin, store } = await openTestAuth();
  const { token } = await createKey();
  const other = await store.workspaces.create({ name: "other", kind: "live" });
  expect(await revokeAllTokens(parts, { ...origin, workspace: other })).toEqual({
    keys: 0,
    accessTokens: 0,
    sessions: 0,
  });
  await expect(enter(token)).resolves.toBeDefined();
});

it("A key is revoked by its id in the same way as an access token", async () => {
  const { createKey, enter, parts, origin } = await openTestAuth();
  const { key, token } = await createKey();
  expect(await revokeToken(parts, origin, key.id)).toMatchObject({ id: key.id, revokedAt: expect.any(String) });
  await expect(enter(token)).rejects.toMatchObject({ code: "unauthorized" });
  await expect(revokeToken(parts, origin, toTokenId("key_0"))).rejects.toMatchObject({ code: "not_found" });
});
