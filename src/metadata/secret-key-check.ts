/** Makes sure that all processes that share a metadata store have the same secret key. */
import { hkdfSync } from "node:crypto";

import type { Kysely } from "kysely";

import { UnusableStore } from "../work/connecting.ts";
import type { Tables } from "./tables.ts";

/**
 * Gives a new store its id and notes its key. Compares the key with that of an older store.
 * @throws UnusableStore if the store was made with another key
 */
export async function checkSecretKey(
  trx: Kysely<Tables>,
  { secretKey, id, location }: { secretKey: Buffer; id: string; location: string },
): Promise<void> {
  const secretKeyCheck = toCheckValue(secretKey);
  const row = await trx.selectFrom("store").select("secretKeyCheck").executeTakeFirst();
  if (row === undefined) await trx.insertInto("store").values({ id, secretKeyCheck }).execute();
  else if (row.secretKeyCheck !== secretKeyCheck) {
    throw new UnusableStore(
      "The metadata store was made with another secret key: all processes that use it need the same SECRET_KEY.",
      { location },
    );
  }
}

/** Reveals nothing of the key, because it is derived from it by HKDF (RFC 5869) for this purpose only. */
function toCheckValue(secretKey: Buffer): string {
  return Buffer.from(hkdfSync("sha256", secretKey, "", "tributary secret key check", 32)).toString("base64url");
}
