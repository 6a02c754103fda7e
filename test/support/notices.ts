/** Notice rules on a metadata store, and the process that sends by them. The test moves the clock. */
import type { IncomingHttpHeaders, RequestListener } from "node:http";

import { pino } from "pino";

import { systemRandom } from "../../src/clock.ts";
import { createSourceAddresses } from "../../src/connectors/http/source-addresses.ts";
import type { User, Workspace } from "../../src/metadata/records.ts";
import type { MetadataStore } from "../../src/metadata/store.ts";
import { createNoticeDeliverer } from "../../src/notices/deliverer.ts";
import type { NewRule } from "../../src/notices/parse-rule.ts";
import { addNoticeRule, type NoticeRuleParts } from "../../src/notices/rules.ts";
import type { TellParts } from "../../src/notices/tell-events.ts";
import { createMailSender } from "../../src/notices/send-mail.ts";
import { createUnsubscribe } from "../../src/notices/unsubscribe.ts";
import { createNoticeWatch } from "../../src/notices/watch.ts";
import type { MailSettings } from "../../src/settings/settings.ts";
import { sendNotice, type SendParts } from "../../src/notices/send.ts";
import type { TestClock } from "./clock.ts";
import { serveHttp } from "./http-server.ts";
import { PUBLIC_URL } from "./no-graph.ts";
import { originAs } from "./origin.ts";

interface Parts {
  store: MetadataStore;
  workspace: Workspace;
  admin: User;
  clock: TestClock;
  graph: TellParts["graph"];
}

export function openNotices(
  { store, workspace, admin, clock, graph }: Parts,
  network: Partial<SendParts> = {},
  mail: MailSettings | null = null,
) {
  const addresses = createSourceAddresses(["127.0.0.0/8"]);
  const sending: SendParts = {
    addresses,
    insecureHosts: [],
    clock,
    deadline: (ms) => AbortSignal.timeout(ms),
    ...network,
  };
  const sendMail = mail && createMailSender({ settings: mail, clock, deadline: sending.deadline });
  const parts: NoticeRuleParts = {
    store,
    clock,
    random: systemRandom,
    addresses: sending.addresses,
    send: (outgoing) => (outgoing.channel === "email" && sendMail ? sendMail(outgoing) : sendNotice(sending, outgoing)),
    publicUrl: () => PUBLIC_URL,
    unsubscribe: createUnsubscribe(store, Buffer.alloc(32)),
    hasMail: mail !== null,
    watch: createNoticeWatch(store),
  };
  const origin = originAs(workspace, admin, admin.email);
  const createWorker = (on: MetadataStore = store, send = parts.send) =>
    createNoticeDeliverer({ ...parts, store: on, graph, send, log: pino({ level: "silent" }) });
  const worker = createWorker();
  return {
    parts,
    origin,
    worker,
    createWorker,
    addRule: (rule: Partial<NewRule>) =>
      addNoticeRule(parts, origin, {
        name: "alerts",
        channel: "webhook",
        kinds: ["certification_lapsed", "sync_failed", "connector_recovered"],
        minRisk: null,
        to: "",
        aboutBy: "everything",
        about: "",
        url: "",
        digestHour: null,
        ...rule,
      }),
    /** Makes notices of what happened, and sends what is due. */
    async work(by = worker) {
      await by.tell();
      await by.tick();
      await by.idle();
    },
  };
}

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver, whose answers the test sets. It notes what arrived, also if it refuses it. */
export async function openReceiver() {
  const received: Received[] = [];
  const receiver = {
    received,
    /** What it answers after it has read the body. */
    answer: ((_request, response) => response.writeHead(204).end()) as RequestListener,
  };
  const server = await serveHttp((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      receiver.answer(request, response);
    });
  });
  return { ...server, receiver, received, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
