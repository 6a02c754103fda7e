/** Puts the parts of notices together. */
import { createSourceAddresses } from "../connectors/http/source-addresses.ts";
import type { Settings } from "../settings/settings.ts";
import { createNoticeDeliverer, type DelivererOptions, type NoticeDeliverer } from "./deliverer.ts";
import type { NoticeRuleParts } from "./rules.ts";
import { sendNotice, type SendParts } from "./send.ts";

interface Given extends Omit<DelivererOptions, "send">, Pick<SendParts, "deadline"> {
  settings: Pick<Settings, "privateSources" | "insecureHosts">;
}

/** @returns what the use cases need, and the part that sends after it is started */
export function openNotices({ settings, deadline, ...parts }: Given): {
  noticeRules: NoticeRuleParts;
  notices: NoticeDeliverer;
} {
  const addresses = createSourceAddresses(settings.privateSources);
  const sending = { addresses, insecureHosts: settings.insecureHosts, clock: parts.clock, deadline };
  const send: DelivererOptions["send"] = (outgoing) => sendNotice(sending, outgoing);
  const { store, clock, random, publicUrl } = parts;
  return {
    noticeRules: { store, clock, random, publicUrl, addresses, send },
    notices: createNoticeDeliverer({ ...parts, send }),
  };
}
