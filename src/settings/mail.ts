/** Settings of mail. */
import { z } from "zod";

import { printable, words } from "./values.ts";

/** The server that takes mails. */
interface MailServer {
  host: string;
  port: number;
  /** Whether the connection begins with TLS. */
  isSecure: boolean;
  /** "" if it needs none. */
  user: string;
  /** A secret. */
  password: string | null;
}

const SMTP_PORT = 587;
const SMTPS_PORT = 465;

const server = z.url({ protocol: /^smtps?$/ }).transform((text, { addIssue }): MailServer => {
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  if (hostname === "" || (pathname !== "" && pathname !== "/") || search !== "" || hash !== "") {
    addIssue("not only a server");
    return z.NEVER;
  }
  const isSecure = protocol === "smtps:";
  return {
    host: hostname,
    port: Number(port) || (isSecure ? SMTPS_PORT : SMTP_PORT),
    isSecure,
    user: decodeURIComponent(username),
    password: password === "" ? null : decodeURIComponent(password),
  };
});

export const mail = {
  SMTP_URL: server.optional().register(words, {
    about:
      "The server that sends the mails of notices: smtp:// (TLS by STARTTLS, which a password needs) or smtps://; none if not set.",
    mustBe: "a URL such as smtps://user@smtp.example.com:465, without a path or query",
    isSecret: true,
  }),
  SMTP_PASSWORD: printable(1_000)
    .optional()
    .register(words, { about: "The password of the user in SMTP_URL.", isSecret: true }),
  MAIL_FROM: z
    .string()
    .max(320)
    .regex(/^(?:[^<>@\p{Cc}]{1,100} <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/u)
    .optional()
    .register(words, {
      about: "Who the mails are from.",
      mustBe: "an address such as tributary@example.com or Tributary <tributary@example.com>",
    }),
};
