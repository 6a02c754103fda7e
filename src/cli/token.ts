/** `tributary token`: access tokens, and the end of tokens of either kind. */
import { type Command, InvalidArgumentError } from "commander";

import { forecastLifetime, type LifetimeForecast } from "../auth/lifetime-forecast.ts";
import { revokeAllTokens, revokeToken } from "../auth/revocation.ts";
import { MAX_TOKEN_LIFETIME_SECONDS, setMaxTokenLifetime } from "../auth/security-settings.ts";
import { AppError } from "../errors.ts";
import { confirm } from "./confirm.ts";
import { parseCount } from "./count.ts";
import { getAccount } from "./find.ts";
import { printError, printLine, printTable } from "./print.ts";
import { changeWorkspace, inWorkspace, type WorkspaceOption, workspaceOption } from "./session.ts";

const DAY_SECONDS = 24 * 60 * 60;
const MAX_LIFETIME_DAYS = MAX_TOKEN_LIFETIME_SECONDS / DAY_SECONDS;

export function addTokenCommands(program: Command): void {
  const token = program.command("token").description("list access tokens, revoke tokens and bound their lifetime");

  token
    .command("list")
    .description("list the access tokens that are neither revoked nor expired")
    .option("--account <account>", "only those of this service account, by its name or id")
    .addOption(workspaceOption())
    .action(listTokens);

  token
    .command("revoke")
    .description("revoke an API key or access token, at once and for good")
    .argument("<id>", "as key list or token list shows it")
    .addOption(workspaceOption())
    .action(async (id: string, options: WorkspaceOption) => {
      await changeWorkspace(options, (session, origin) => revokeToken(session, origin, id));
    });

  token
    .command("revoke-all")
    .description("revoke every API key and access token of the workspace, at once and for good")
    .option("--yes", "needed at a terminal, where a slip of the hand would be dear")
    .addOption(workspaceOption())
    .action(revokeAll);

  token
    .command("lifetime")
    .description("bound how long tokens live, those that are there included")
    .argument("<days>", "counted from a token's creation; none for no bound", parseLifetime)
    .option("--yes", "do not ask, whatever ends by it")
    .addOption(workspaceOption())
    .action(boundLifetime);
}

async function boundLifetime(
  days: number | null,
  { yes = false, ...options }: WorkspaceOption & { yes?: boolean },
): Promise<void> {
  await changeWorkspace(options, async (session, origin) => {
    const seconds = days === null ? null : days * DAY_SECONDS;
    if (days !== null) await requireMeant(days, await forecastLifetime(session, origin.workspace, seconds ?? 0), yes);
    return setMaxTokenLifetime(session, origin, seconds);
  });
}

/** @throws AppError `bad_request` where tokens would end by it, and nobody says that this is meant */
async function requireMeant(days: number, { endNow, endSooner, firstEnd }: LifetimeForecast, yes: boolean) {
  const tell = ({ keys, accessTokens }: LifetimeForecast["endNow"]): string =>
    `${plural(keys, "API key")} and ${plural(accessTokens, "access token")}`;
  const touched = [endNow, endSooner].some(({ keys, accessTokens }) => keys + accessTokens > 0);
  if (!touched) return;
  const first = firstEnd === null ? "" : `, the first on ${firstEnd.slice(0, 10)}`;
  printError(
    `With a lifetime of ${plural(days, "day")}, ${tell(endNow)} end now. ${tell(endSooner)} end sooner than they would ` +
      `have${first}. A longer lifetime, set later, does not bring them back.`,
  );
  if (yes || (process.stdin.isTTY && (await confirm("Set it?")))) return;
  throw new AppError("bad_request", "Nothing was changed: say --yes if you mean it.");
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

async function listTokens({ account, ...options }: WorkspaceOption & { account?: string }): Promise<void> {
  const rows = await inWorkspace(options, async ({ store }, { id: workspaceId }) => {
    const only = account === undefined ? undefined : (await getAccount(store, workspaceId, account)).id;
    const tokens = await store.accessTokens.listLive(workspaceId, only);
    const accounts = await store.accounts.loadByIds(
      workspaceId,
      tokens.map(({ accountId }) => accountId),
    );
    return tokens.map(({ id, prefix, scopes, createdAt, expiresAt }, index) => {
      return [id, `${prefix}…`, accounts[index]?.name ?? "", scopes.join(","), createdAt, expiresAt];
    });
  });
  printTable(["ID", "BEGINS", "ACCOUNT", "SCOPES", "CREATED", "EXPIRES"], rows);
}

async function revokeAll({ yes = false, ...options }: WorkspaceOption & { yes?: boolean }): Promise<void> {
  if (process.stdin.isTTY && !yes) {
    throw new AppError("bad_request", `This revokes every token of ${options.workspace}; say --yes if you mean it.`);
  }
  const { keys, accessTokens } = await changeWorkspace(options, revokeAllTokens);
  printLine(`Revoked ${keys} API keys and ${accessTokens} access tokens.`);
}

/** @throws InvalidArgumentError for anything but a whole number of days up to ten years, or `none` */
function parseLifetime(text: string): number | null {
  if (text === "none") return null;
  const days = parseCount(text);
  if (days <= MAX_LIFETIME_DAYS) return days;
  throw new InvalidArgumentError(`It must be at most ${MAX_LIFETIME_DAYS} days.`);
}
