/** `tributary token`: lists access tokens, and revokes access tokens and API keys. */
import { Argument, InvalidArgumentError, Option } from "commander";

import { MAX_TOKEN_LIFETIME_SECONDS } from "../auth/security-settings.ts";
import { AppError } from "../errors.ts";
import { getAccount } from "./account.ts";
import type { Client } from "./client.ts";
import { type CommandBody, parseCount, send } from "./command.ts";
import { requireYes } from "./confirm.ts";
import { listAll } from "./list-all.ts";
import { printError, printItems, printResult } from "./print.ts";

const DAY_SECONDS = 24 * 60 * 60;
const MAX_LIFETIME_DAYS = MAX_TOKEN_LIFETIME_SECONDS / DAY_SECONDS;

export const tokenCommand: CommandBody = {
  reach: "access",
  commands: [
    {
      name: "list",
      description: "list the access tokens that are neither revoked nor expired",
      options: [new Option("--account <account>", "only those of this service account, by its name or id")],
      async run(client: Client, { account }: { account?: string }) {
        const accountId = account === undefined ? null : (await getAccount(client, account)).id;
        printItems(
          await listAll(client, "ListTokens", { variables: { accountId } }),
          {
            ID: "id",
            BEGINS: ({ prefix }) => `${prefix}…`,
            ACCOUNT: ({ serviceAccount }) => serviceAccount?.name,
            SCOPES: "scopes",
            CREATED: "createdAt",
            EXPIRES: "expiresAt",
          },
          "No access tokens. A service account gets one at POST /oauth/token.",
        );
      },
    },
    {
      name: "revoke",
      description: "revoke an API key or access token immediately and permanently",
      done: "The token is revoked.",
      arguments: [new Argument("<id>", "as key list or token list shows it")],
      run: send("RevokeToken", (_client, id: string) => ({ id })),
    },
    {
      name: "revoke-all",
      description:
        "revoke all API keys and access tokens of the workspace immediately and permanently, and log everybody out",
      options: [new Option("--yes", "confirm; required at a terminal")],
      run: revokeAll,
    },
    {
      name: "lifetime",
      description: "set the maximum lifetime of tokens, also for existing ones",
      done: "The lifetime is set.",
      arguments: [
        new Argument("<days>", "counted from a token's creation; none for no bound").argParser(parseLifetime),
      ],
      options: [new Option("--yes", "do not ask for confirmation")],
      run: send("SetMaxTokenLifetime", async (client, days: number | null, { yes = false }: { yes?: boolean }) => {
        if (days !== null) await confirmLifetime(client, days, yes);
        return { seconds: days === null ? null : days * DAY_SECONDS };
      }),
    },
  ],
};

/** @throws AppError `bad_request` if tokens would end sooner and nobody confirms it */
async function confirmLifetime(client: Client, days: number, yes: boolean): Promise<void> {
  const { lifetimeForecast } = await client.ask("ForecastLifetime", { seconds: days * DAY_SECONDS });
  const { endNow, endSooner, firstEnd } = lifetimeForecast;
  if ([endNow, endSooner].every(({ apiKeys, accessTokens }) => apiKeys + accessTokens === 0)) return;
  const tell = ({ apiKeys, accessTokens }: typeof endNow): string =>
    `${plural(apiKeys, "API key")} and ${plural(accessTokens, "access token")}`;
  const first = firstEnd === null ? "" : `, the first on ${firstEnd.slice(0, 10)}`;
  printError(
    `With a lifetime of ${plural(days, "day")}, ${tell(endNow)} end now. ${tell(endSooner)} end sooner than they would ` +
      `have${first}. A longer lifetime, set later, does not bring them back.`,
  );
  await requireYes("Set it?", yes, "change");
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

async function revokeAll(client: Client, { yes = false }: { yes?: boolean }): Promise<void> {
  if (process.stdin.isTTY && !yes) {
    const { viewer } = await client.ask("WhoAsks", {});
    throw new AppError("bad_request", `This revokes all tokens of ${viewer.workspaceName}; confirm it with --yes.`);
  }
  const { revokeAllTokens } = await client.ask("RevokeAllTokens", {});
  const { apiKeys, accessTokens, sessions } = revokeAllTokens;
  printResult(
    `Revoked ${apiKeys} API keys and ${accessTokens} access tokens, and ended ${sessions} sessions.`,
    revokeAllTokens,
  );
}

/** @throws InvalidArgumentError if it is not `none` or a whole number of days up to ten years */
function parseLifetime(text: string): number | null {
  if (text === "none") return null;
  const days = parseCount(text);
  if (days <= MAX_LIFETIME_DAYS) return days;
  throw new InvalidArgumentError(`It must be at most ${MAX_LIFETIME_DAYS} days.`);
}
