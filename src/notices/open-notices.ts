/** Puts the parts of notices together. */
import { createSourceAddresses } from "../connectors/http/source-addresses.ts";
import type { Settings } from "../settings/settings.ts";
import { createNoticeDeliverer, type DelivererOptions, type NoticeDeliverer } from "./deliverer.ts";
import type { NoticeRuleParts } from "./rules.ts";
import { sendNotice, type SendParts } from "./send.ts";
import type { MailParts, MailSender } from "./send-mail.ts";
import { createUnsubscribe } from "./unsubscribe.ts";
import { createNoticeWatch } from "./watch.ts";

interface Given
  extends Omit<DelivererOptions, "send" | "unsubscribe" | "hasMail" | "watch">, Pick<SendParts, "deadline"> {
  settings: Pick<Settings, "privateSources" | "insecureHosts" | "mail">;
  keep: { secretKey: Buffer };
}

/** @returns what the use cases need, and the part that sends after it is started */
export async function openNotices({ settings, deadline, keep, ...parts }: Given): Promise<{
  noticeRules: NoticeRuleParts;
  notices: NoticeDeliverer;
}> {
  const { store, clock, random, publicUrl } = parts;
  const addresses = createSourceAddresses(settings.privateSources);
  const sending = { addresses, insecureHosts: settings.insecureHosts, clock, deadline };
  const sendMail = settings.mail && (await openMailSender({ settings: settings.mail, clock, deadline }));
  const unsubscribe = createUnsubscribe(store, keep.secretKey);
  const send: DelivererOptions["send"] = async (outgoing) => {
    if (outgoing.channel !== "email") return sendNotice(sending, outgoing);
    if (sendMail !== null) return sendMail(outgoing);
    return { at: clock.now().toISOString(), status: null, answer: "gets no mails, because SMTP_URL is not set" };
  };
  const common = { unsubscribe, hasMail: sendMail !== null, send, watch: createNoticeWatch(store) };
  return {
    noticeRules: { store, clock, random, publicUrl, addresses, ...common },
    notices: createNoticeDeliverer({ ...parts, ...common }),
  };
}

/** Loads the client of SMTP only if a server for mails is configured. */
async function openMailSender(parts: MailParts): Promise<MailSender> {
  const { createMailSender } = await import("./send-mail.ts");
  return createMailSender(parts);
}
