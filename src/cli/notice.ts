/** `tributary notice`: the rules by which a workspace tells what happens, and what was sent by them. */
import { Argument, Option } from "commander";

import { CHANGE_ENTRY_KINDS } from "../catalog/changes/change.ts";
import { type Risk, RISKS } from "../catalog/impact.ts";
import { AppError } from "../errors.ts";
import {
  CHANNELS,
  NOTICE_CHANNELS,
  NOTICE_KINDS,
  NOTICE_SCOPES,
  type NoticeChannel,
  type NoticeKind,
  type NoticeScope,
} from "../metadata/notice-records.ts";
import type { Client } from "./client.ts";
import { type CommandBody, parseCount, send, sendAbout } from "./command.ts";
import { requireYes } from "./confirm.ts";
import type { Answer } from "./operations.ts";
import { printItems, printResult } from "./print.ts";

type ListedRule = Answer<"ListNoticeRules">["noticeRules"][number];
type Try = Answer<"TestNoticeRule">["testNoticeRule"]["notice"]["tries"][number];

interface AddOptions {
  name: string;
  channel: NoticeChannel;
  url?: string;
  to?: string;
  /** Commander has no null for a value. */
  digestHour?: number | "0" | "none";
  kind?: NoticeKind[];
  minRisk?: Risk;
  aboutBy?: NoticeScope;
  about?: string;
}

const USUAL_KINDS: readonly NoticeKind[] = ["certification_lapsed", "sync_failed", "connector_recovered"];
/** The word for the owners of what is told. */
const OWNERS = "owners";
const RULE = new Argument("<rule>", "its name or id");
const change = sendAbout(getRule);

/** What can be said when a rule is added, and later. */
const WORDS = [
  new Option("--url <url>", "where to post to; not for mails"),
  new Option(
    `--to <email|${OWNERS}>`,
    `who is told by mail or by a bell; ${OWNERS}: the owners of what is told; a new rule tells you, or the owners if you are no person who logs in`,
  ),
  new Option("--digest-hour <hour>", "mail once a day at this hour (UTC, 0 to 23); none to mail at once").argParser(
    (text) => (text === "none" || text === "0" ? text : parseCount(text)),
  ),
  new Option(
    "--kind <kind...>",
    `what it tells; a new rule ${USUAL_KINDS.join(", ")}, or all changes with --min-risk`,
  ).choices(NOTICE_KINDS),
  new Option("--min-risk <risk>", "of changes, only those with at least this risk").choices(RISKS),
  new Option("--about-by <scope>", "what it is about; a new rule everything").choices(NOTICE_SCOPES),
  new Option(
    "--about <value>",
    "the e-mail address, the tag, the name or id of the connector, or the id of the asset or metric",
  ),
];

export const noticeCommand: CommandBody = {
  reach: "access",
  commands: [
    {
      name: "add",
      description:
        "add a notice rule and print the secret of a webhook or the address of a feed, which cannot be shown again",
      options: [
        new Option("--name <name>", "what to call it").makeOptionMandatory(),
        new Option("--channel <channel>", "how it sends").choices(NOTICE_CHANNELS).makeOptionMandatory(),
        ...WORDS,
      ],
      run: addRule,
    },
    {
      name: "list",
      description: "list the notice rules, the oldest first",
      async run(client: Client) {
        const { noticeRules } = await client.ask("ListNoticeRules", {});
        printItems(
          noticeRules,
          {
            NAME: "name",
            ID: "id",
            SENDS: ({ channel, origin, to }) =>
              channel === "feed" ? channel : `${channel} ${origin || (to ?? "to owners")}`,
            TELLS: ({ kinds }) => kinds.join(", "),
            ABOUT: ({ aboutBy, about }) => [aboutBy, about].filter(Boolean).join(" "),
            STATUS: describeStatus,
          },
          "No notice rules. `tributary notice add` adds one.",
        );
      },
    },
    {
      name: "off",
      description: "switch a notice rule off; notices that wait are not sent",
      done: "The rule is off.",
      arguments: [RULE],
      run: change("UpdateNoticeRule", () => ({ disabled: true })),
    },
    {
      name: "on",
      description: "switch a notice rule on; it tells what happens from then on",
      done: "The rule is on.",
      arguments: [RULE],
      run: change("UpdateNoticeRule", () => ({ disabled: false })),
    },
    {
      name: "change",
      description: "change what is given about a notice rule",
      done: "The rule is changed.",
      arguments: [RULE],
      options: [new Option("--name <name>", "what to call it"), ...WORDS],
      run: change("UpdateNoticeRule", (_rule, { kind: kinds, ...given }: Partial<AddOptions>) => ({
        ...given,
        ...(given.to === OWNERS && { to: "" }),
        ...(given.digestHour !== undefined && { digestHour: toHour(given.digestHour) }),
        ...(kinds !== undefined && { kinds }),
      })),
    },
    {
      name: "test",
      description: "send a test now and print the answer",
      arguments: [RULE],
      run: testRule,
    },
    {
      name: "rotate",
      description:
        "give a webhook a new secret or a feed a new address and print it; the present secret stays valid for a day, an address ends",
      done: ({ secret }: { secret: string | null }) => secret ?? "",
      arguments: [RULE],
      run: change("RotateNoticeSecret", () => ({})),
    },
    {
      name: "sent",
      description: "list the last 50 notices of a rule, the newest first",
      arguments: [RULE],
      async run(client: Client, named: string) {
        const { id } = await getRule(client, named);
        const { rule } = await client.ask("ListNotices", { id, after: null });
        printItems(
          rule.notices.nodes,
          {
            ID: "id",
            CREATED: "createdAt",
            EVENTS: ({ isTest, eventsTotal }) => (isTest ? "test" : String(eventsTotal)),
            STATUS: "status",
            TRIES: ({ triesTotal }) => String(triesTotal),
            "LAST ANSWER": ({ tries }) => describeTry(tries.at(-1)),
          },
          "Nothing was sent yet. `tributary notice test` sends a test.",
        );
      },
    },
    {
      name: "resend",
      description: "send a notice again, with the same id",
      done: "The notice waits to be sent.",
      arguments: [new Argument("<id>", "as `notice sent` shows it")],
      run: send("ResendNotice", (_client, id: string) => ({ id })),
    },
    {
      name: "remove",
      description: "remove a notice rule and what was sent by it, permanently",
      done: "The rule is removed.",
      arguments: [RULE],
      options: [new Option("--yes", "do not ask")],
      run: change("RemoveNoticeRule", ({ name }, { yes = false }: { yes?: boolean }) =>
        requireYes(`Remove the notice rule ${name}? Notices that wait are not sent.`, yes, "remove"),
      ),
    },
  ],
};

async function addRule(
  client: Client,
  { name, channel, url, to, digestHour, kind, minRisk, aboutBy, about }: AddOptions,
): Promise<void> {
  const isForPeople = CHANNELS[channel].isForPeople;
  const reader = to ?? (isForPeople ? await findReader(client) : OWNERS);
  const input = {
    name,
    url: url ?? null,
    to: reader === OWNERS ? null : reader,
    digestHour: toHour(digestHour),
    channel,
    kinds: kind ?? (minRisk === undefined ? USUAL_KINDS : CHANGE_ENTRY_KINDS),
    minRisk: minRisk ?? null,
    aboutBy: aboutBy ?? "everything",
    about: about ?? null,
  };
  const { createNoticeRule } = await client.ask("CreateNoticeRule", { input });
  const told = isForPeople ? ` It tells ${reader === OWNERS ? "the owners of what is told" : reader}.` : "";
  printResult(createNoticeRule.secret ?? `The rule is added.${told}`, createNoticeRule);
}

/** The person who asks, or the owners of what is told for the operator, a service account, and who has never logged in. */
async function findReader(client: Client): Promise<string> {
  const { user } = (await client.ask("WhoAsks", {})).viewer;
  return user?.lastLoginAt == null ? OWNERS : user.email;
}

function toHour(given: AddOptions["digestHour"]): number | null {
  return given === undefined || given === "none" ? null : Number(given);
}

/** @throws AppError `unavailable` if the test did not arrive, so that a script notices */
async function testRule(client: Client, named: string): Promise<void> {
  const { id } = await getRule(client, named);
  const { notice } = (await client.ask("TestNoticeRule", { input: { id } })).testNoticeRule;
  const answer = describeTry(notice.tries.at(-1));
  if (notice.status !== "delivered") {
    throw new AppError("unavailable", `The test did not arrive: ${answer}.`);
  }
  printResult(`The test arrived: ${answer}.`, notice);
}

/** @throws AppError `not_found` */
async function getRule(client: Client, nameOrId: string): Promise<ListedRule> {
  const { noticeRules } = await client.ask("ListNoticeRules", {});
  const found = noticeRules.find(({ id, name }) => id === nameOrId || name === nameOrId);
  if (found !== undefined) return found;
  throw new AppError("not_found", `There is no notice rule ${nameOrId}; tributary notice list shows all of them.`);
}

function describeStatus({ disabledAt, disabledReason, failingSince }: ListedRule): string {
  if (disabledAt !== null) return `off since ${disabledAt}${disabledReason === null ? "" : `: ${disabledReason}`}`;
  return failingSince === null ? "on" : `failing since ${failingSince}`;
}

function describeTry(last: Try | undefined): string {
  if (last === undefined) return "";
  return [last.status, last.answer].filter((part) => part !== null && part !== "").join(" ");
}
