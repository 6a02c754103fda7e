/** `tributary notice`: the rules by which a workspace tells what happens, and what was sent by them. */
import { Argument, Option } from "commander";
import { z } from "zod";

import { CHANGE_ENTRY_KINDS } from "../catalog/changes/change.ts";
import { type Risk, RISKS } from "../catalog/impact.ts";
import { AppError } from "../errors.ts";
import {
  NOTICE_CHANNELS,
  NOTICE_KINDS,
  NOTICE_SCOPES,
  type NoticeChannel,
  type NoticeKind,
  type NoticeScope,
} from "../metadata/notice-records.ts";
import type { Client } from "./client.ts";
import { type CommandBody, send } from "./command.ts";
import { requireYes } from "./confirm.ts";
import { printItems, printResult } from "./print.ts";

const listed = z.object({
  id: z.string(),
  name: z.string(),
  channel: z.string(),
  kinds: z.array(z.string()),
  aboutBy: z.string(),
  about: z.string().nullable(),
  origin: z.string(),
  to: z.string().nullable(),
  disabledAt: z.string().nullable(),
  disabledReason: z.string().nullable(),
  failingSince: z.string().nullable(),
});
type ListedRule = z.output<typeof listed>;
const rules = z.object({ noticeRules: z.array(listed) });

const tried = z.object({ at: z.string(), status: z.number().nullable(), answer: z.string() });
const sent = z.object({
  id: z.string(),
  status: z.string(),
  isTest: z.boolean(),
  eventsTotal: z.number(),
  createdAt: z.string(),
  triesTotal: z.number(),
  tries: z.array(tried),
});
const sentPage = z.object({ rule: z.object({ notices: z.object({ nodes: z.array(sent) }) }).nullable() });
const created = z.object({
  createNoticeRule: z.object({ noticeRule: z.object({ id: z.string() }), secret: z.string().nullable() }),
});
const rotated = z.object({ rotateNoticeSecret: z.object({ secret: z.string() }) });
const tested = z.object({
  testNoticeRule: z.object({ notice: z.object({ id: z.string(), status: z.string(), tries: z.array(tried) }) }),
});

interface AddOptions {
  name: string;
  channel: NoticeChannel;
  url?: string;
  to?: string;
  kind?: NoticeKind[];
  minRisk?: Risk;
  aboutBy?: NoticeScope;
  about?: string;
}

const USUAL_KINDS: readonly NoticeKind[] = ["certification_lapsed", "sync_failed", "connector_recovered"];
const RULE = new Argument("<rule>", "its name or id");

/** What can be said when a rule is added, and later. */
const WORDS = [
  new Option("--url <url>", "where to post to; not for mails"),
  new Option("--to <email>", "who gets the mails; without it, the owners of what is told"),
  new Option(
    "--kind <kind...>",
    `what it tells; a new rule ${USUAL_KINDS.join(", ")}, or all changes with --min-risk`,
  ).choices(NOTICE_KINDS),
  new Option("--min-risk <risk>", "of changes, only those with at least this risk").choices(RISKS),
  new Option("--about-by <scope>", "what it is about; a new rule everything").choices(NOTICE_SCOPES),
  new Option("--about <value>", "the e-mail address, the tag, or the id of the connector, asset or metric"),
];

export const noticeCommands: CommandBody = {
  reach: "access",
  commands: [
    {
      name: "add",
      description: "add a notice rule and print the secret of a webhook, which cannot be shown again",
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
        const { noticeRules } = await client.ask("ListNoticeRules", {}, rules);
        printItems(noticeRules, {
          NAME: "name",
          ID: "id",
          SENDS: ({ channel, origin, to }) => `${channel} ${channel === "email" ? (to ?? "to owners") : origin}`,
          TELLS: ({ kinds }) => kinds.join(", "),
          ABOUT: ({ aboutBy, about }) => [aboutBy, about].filter(Boolean).join(" "),
          STATUS: describeStatus,
        });
      },
    },
    {
      name: "off",
      description: "switch a notice rule off; notices that wait are not sent",
      done: "The rule is off.",
      arguments: [RULE],
      run: send("UpdateNoticeRule", async (client, named: string) => ({
        id: (await getRule(client, named)).id,
        disabled: true,
      })),
    },
    {
      name: "on",
      description: "switch a notice rule on; it tells what happens from then on",
      done: "The rule is on.",
      arguments: [RULE],
      run: send("UpdateNoticeRule", async (client, named: string) => ({
        id: (await getRule(client, named)).id,
        disabled: false,
      })),
    },
    {
      name: "change",
      description: "change what is given about a notice rule",
      done: "The rule is changed.",
      arguments: [RULE],
      options: [new Option("--name <name>", "what to call it"), ...WORDS],
      run: send("UpdateNoticeRule", async (client, named: string, { kind: kinds, ...given }: Partial<AddOptions>) => ({
        id: (await getRule(client, named)).id,
        ...given,
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
      description: "give a webhook a new secret and print it; the present one stays valid for a day",
      arguments: [RULE],
      async run(client: Client, named: string) {
        const { id } = await getRule(client, named);
        const { rotateNoticeSecret } = await client.ask("RotateNoticeSecret", { input: { id } }, rotated);
        printResult(rotateNoticeSecret.secret, rotateNoticeSecret);
      },
    },
    {
      name: "sent",
      description: "list the last 50 notices of a rule, the newest first",
      arguments: [RULE],
      async run(client: Client, named: string) {
        const { id } = await getRule(client, named);
        const { rule } = await client.ask("ListNotices", { id, after: null }, sentPage);
        printItems(rule?.notices.nodes ?? [], {
          ID: "id",
          CREATED: "createdAt",
          EVENTS: ({ isTest, eventsTotal }) => (isTest ? "test" : String(eventsTotal)),
          STATUS: "status",
          TRIES: ({ triesTotal }) => String(triesTotal),
          "LAST ANSWER": ({ tries }) => describeTry(tries.at(-1)),
        });
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
      run: send("RemoveNoticeRule", async (client, named: string, { yes = false }: { yes?: boolean }) => {
        const { id, name } = await getRule(client, named);
        await requireYes(`Remove the notice rule ${name}? Notices that wait are not sent.`, yes, "remove");
        return { id };
      }),
    },
  ],
};

async function addRule(
  client: Client,
  { name, channel, url, to, kind, minRisk, aboutBy, about }: AddOptions,
): Promise<void> {
  const input = {
    name,
    url: url ?? null,
    to: to ?? null,
    channel,
    kinds: kind ?? (minRisk === undefined ? USUAL_KINDS : CHANGE_ENTRY_KINDS),
    minRisk: minRisk ?? null,
    aboutBy: aboutBy ?? "everything",
    about: about ?? null,
  };
  const { createNoticeRule } = await client.ask("CreateNoticeRule", { input }, created);
  printResult(createNoticeRule.secret ?? "The rule is added.", createNoticeRule);
}

/** @throws AppError `unavailable` if the test did not arrive, so that a script notices */
async function testRule(client: Client, named: string): Promise<void> {
  const { id } = await getRule(client, named);
  const { notice } = (await client.ask("TestNoticeRule", { input: { id } }, tested)).testNoticeRule;
  const answer = describeTry(notice.tries.at(-1));
  if (notice.status !== "delivered") {
    throw new AppError("unavailable", `The test did not arrive: ${answer}.`);
  }
  printResult(`The test arrived: ${answer}.`, notice);
}

/** @throws AppError `not_found` */
async function getRule(client: Client, nameOrId: string): Promise<ListedRule> {
  const { noticeRules } = await client.ask("ListNoticeRules", {}, rules);
  const found = noticeRules.find(({ id, name }) => id === nameOrId || name === nameOrId);
  if (found !== undefined) return found;
  throw new AppError("not_found", `There is no notice rule ${nameOrId}; tributary notice list shows all of them.`);
}

function describeStatus({ disabledAt, disabledReason, failingSince }: ListedRule): string {
  if (disabledAt !== null) return `off since ${disabledAt}${disabledReason === null ? "" : `: ${disabledReason}`}`;
  return failingSince === null ? "on" : `failing since ${failingSince}`;
}

function describeTry(last: z.output<typeof tried> | undefined): string {
  if (last === undefined) return "";
  return [last.status, last.answer].filter((part) => part !== null && part !== "").join(" ");
}
