/** Sends mails by SMTP. The server is the operator's, and recipients are people of the workspace. */
import { createTransport } from "nodemailer";

import { excerpt } from "../characters.ts";
import type { Clock } from "../clock.ts";
import type { NoticeTry } from "../metadata/notice-records.ts";
import { escapeControls } from "../plain-text.ts";
import type { MailSettings } from "../settings/settings.ts";
import type { Mail } from "./mail-text.ts";
import type { Outgoing } from "./send.ts";

/** How long one step of the conversation may take. */
const STEP_MS = 10_000;
/** How long all of it may take: less than the lease of a rule. */
const TIMEOUT_MS = 25_000;
const ANSWER_CHARACTERS = 200;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

export interface MailParts {
  settings: MailSettings;
  clock: Pick<Clock, "now">;
  deadline: (ms: number) => AbortSignal;
}

export type MailSender = ReturnType<typeof createMailSender>;

/**
 * @returns a sender that never rejects. The status is the server's code; null if it did not speak about this mail, so
 * that another try may go well.
 */
export function createMailSender({ settings, clock, deadline }: MailParts) {
  const { host, port, isSecure, user, password, from } = settings;
  const transport = createTransport({
    host,
    port,
    secure: isSecure,
    // A password must not be read on its way.
    requireTLS: !isSecure && user !== "" && !LOOPBACK.has(host),
    ...(user !== "" && { auth: { user, pass: password ?? "" } }),
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async ({ id, recipient, body }: Pick<Outgoing, "id" | "recipient" | "body">): Promise<NoticeTry> => {
    const at = clock.now().toISOString();
    const { unsubscribeUrl, ...content } = JSON.parse(body) as Mail;
    const sending = transport.sendMail({
      ...content,
      from,
      // As an object it is one address, whatever it contains.
      to: { name: "", address: recipient ?? "" },
      messageId: `<${id}@${new URL(unsubscribeUrl).hostname}>`,
      headers: {
        "Auto-Submitted": "auto-generated",
        "List-Unsubscribe": `<${unsubscribeUrl}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      },
    });
    try {
      const { response } = await Promise.race([sending, rejectAt(deadline(TIMEOUT_MS))]);
      return { at, status: Number.parseInt(response, 10) || 250, answer: toAnswer(response) };
    } catch (error) {
      sending.catch(() => {});
      return { at, ...toFault(error) };
    }
  };
}

function rejectAt(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("it took too long")), { once: true });
  });
}

function toFault(error: unknown): Pick<NoticeTry, "status" | "answer"> {
  const {
    responseCode,
    command,
    message = "",
  } = error as { responseCode?: number; command?: string; message?: string };
  const isAboutMail = command === "RCPT TO" || command === "DATA";
  const answer = toAnswer(message);
  return isAboutMail
    ? { status: responseCode ?? null, answer }
    : { status: null, answer: `was not reached: ${answer}` };
}

function toAnswer(text: string): string {
  return excerpt(escapeControls(text.trim()), ANSWER_CHARACTERS);
}
