/** `tributary token`: lists access tokens, and revokes access tokens and API keys. */
import { type Command, InvalidArgumentError } from "commander";
import { z } from "zod";

import { MAX_TOKEN_LIFETIME_SECONDS } from "../auth/security-settings.ts";
import { AppError } from "../errors.ts";
import { getAccount } from "./account.ts";
import { addClientOptions, type Client, type ClientOptions, withAccessClient } from "./client.ts";
import { confirm } from "./confirm.ts";
import { parseCount } from "./count.ts";
import { listAll } from "./list-all.ts";
import { printError, printLine, printTable } from "./print.ts";

const DAY_SECONDS = 24 * 60 * 60;
const MAX_LIFETIME_DAYS = MAX_TOKEN_LIFETIME_SECONDS / DAY_SECONDS;

const listed = z.object({
  id: z.string(),
  prefix: z.string(),
  serviceAccount: z.object({ name: z.string() }).nullable(),
  scopes: z.array(z.string()),
  createdAt: z.string(),
  expiresAt: z.string(),
});
const revoked = z.object({ revokeAllTokens: z.object({ apiKeys: z.int(), accessTokens: z.int(), sessions: z.int() }) });
const counts = z.object({ apiKeys: z.int(), accessTokens: z.int() });
const forecast = z.object({
  lifetimeForecast: z.object({ endNow: counts, endSooner: counts, firstEnd: z.string().nullable() }),
});
type Forecast = z.output<typeof forecast>["lifetimeForecast"];
const asker = z.object({ viewer: z.object({ workspaceName: z.string() }) });

export function addTokenCommands(program: Command): void {
  const token = program.command("token").description("list access tokens, revoke tokens and limit their lifetime");

  addClientOptions(token.command("list"))
    .description("list the access tokens that are neither revoked nor expired")
    .option("--account <account>", "only those of this service account, by its name or id")
    .action(printTokens);

  addClientOptions(token.command("revoke"))
    .description("revoke an API key or access token immediately and permanently")
    .argument("<id>", "as key list or token list shows it")
    .action(async (id: string, options: ClientOptions) => {
      await withAccessClient(options, (client) => client.ask("RevokeToken", { input: { id } }, z.unknown()));
    });

  addClientOptions(token.command("revoke-all"))
    .description(
      "revoke all API keys and access tokens of the workspace immediately and permanently, and log everybody out",
    )
    .option("--yes", "confirm; required at a terminal")
    .action(async ({ yes = false, ...options }: ClientOptions & { yes?: boolean }) => {
      await withAccessClient(options, (client) => revokeAll(client, yes));
    });

  addClientOptions(token.command("lifetime"))
    .description("set the maximum lifetime of tokens, also for existing ones")
    .argument("<days>", "counted from a token's creation; none for no bound", parseLifetime)
    .option("--yes", "do not ask for confirmation")
    .action(async (days: number | null, { yes = false, ...options }: ClientOptions & { yes?: boolean }) => {
      await withAccessClient(options, (client) => boundLifetime(client, days, yes));
    });
}

async function boundLifetime(client: Client, days: number | null, yes: boolean): Promise<void> {
  const seconds = days === null ? null : days * DAY_SECONDS;
  if (days !== null) {
    const { lifetimeForecast } = await client.ask("ForecastLifetime", { seconds }, forecast);
    await requireMeant(days, lifetimeForecast, yes);
  }
  await client.ask("SetMaxTokenLifetime", { input: { seconds } }, z.unknown());
}

/** @throws AppError `bad_request` if tokens would end sooner and nobody confirms it */
async function requireMeant(days: number, { endNow, endSooner, firstEnd }: Forecast, yes: boolean) {
  const tell = ({ apiKeys, accessTokens }: z.output<typeof counts>): string =>
    `${plural(apiKeys, "API key")} and ${plural(accessTokens, "access token")}`;
  const touched = [endNow, endSooner].some(({ apiKeys, accessTokens }) => apiKeys + accessTokens > 0);
  if (!touched) return;
  const first = firstEnd === null ? "" : `, the first on ${firstEnd.slice(0, 10)}`;
  printError(
    `With a lifetime of ${plural(days, "day")}, ${tell(endNow)} end now. ${tell(endSooner)} end sooner than they would ` +
      `have${first}. A longer lifetime, set later, does not bring them back.`,
  );
  if (yes || (process.stdin.isTTY && (await confirm("Set it?")))) return;
  throw new AppError("bad_request", "Nothing was changed. Use --yes to change it.");
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

function listTokens(client: Client, accountId: string | null): Promise<z.output<typeof listed>[]> {
  return listAll(client, "ListTokens", listed, { variables: { accountId } });
}

async function printTokens({ account, ...options }: ClientOptions & { account?: string }): Promise<void> {
  const tokens = await withAccessClient(options, async (client) => {
    const only = account === undefined ? null : (await getAccount(client, account)).id;
    return listTokens(client, only);
  });
  printTable(
    ["ID", "BEGINS", "ACCOUNT", "SCOPES", "CREATED", "EXPIRES"],
    tokens.map(({ id, prefix, serviceAccount, scopes, createdAt, expiresAt }) => {
      return [id, `${prefix}…`, serviceAccount?.name ?? "", scopes.join(","), createdAt, expiresAt];
    }),
  );
}

async function revokeAll(client: Client, yes: boolean): Promise<void> {
  if (process.stdin.isTTY && !yes) {
    const { viewer } = await client.ask("WhoAsks", {}, asker);
    throw new AppError("bad_request", `This revokes all tokens of ${viewer.workspaceName}; confirm it with --yes.`);
  }
  const { revokeAllTokens } = await client.ask("RevokeAllTokens", {}, revoked);
  const { apiKeys, accessTokens, sessions } = revokeAllTokens;
  printLine(`Revoked ${apiKeys} API keys and ${accessTokens} access tokens, and ended ${sessions} sessions.`);
}

/** @throws InvalidArgumentError if it is not `none` or a whole number of days up to ten years */
function parseLifetime(text: string): number | null {
  if (text === "none") return null;
  const days = parseCount(text);
  if (days <= MAX_LIFETIME_DAYS) return days;
  throw new InvalidArgumentError(`It must be at most ${MAX_LIFETIME_DAYS} days.`);
}
