/** A mail for one person, as plain text and as simple HTML. */
import { escapeControls } from "../plain-text.ts";
import { escapeXml, type Lines, toHeadline } from "./lines.ts";

export interface Mail {
  subject: string;
  text: string;
  html: string;
  unsubscribeUrl: string;
}

export function toMail({ title, lines, more }: Lines, unsubscribeUrl: string): Mail {
  const subject = `${title}: ${toHeadline({ lines, more })}`;
  const rest = more > 0 ? [`and ${more} more`] : [];
  const end = "You get this from Tributary. To get no more of these mails";
  const plain = lines.flatMap(({ text, url, note }) => [
    `- ${text} ${note}`.trimEnd(),
    ...(url === null ? [] : [`  ${url}`]),
  ]);
  const items = lines.map(({ text, url, note }) => {
    const said = url === null ? escapeXml(text) : `<a href="${escapeXml(url)}">${escapeXml(text)}</a>`;
    return `<li>${said} ${escapeXml(note)}</li>`;
  });
  return {
    subject: escapeControls(subject),
    text: [title, "", ...plain, ...rest, "", `${end}: ${unsubscribeUrl}`].map(escapeControls).join("\n"),
    html: [
      `<h1 style="font-size:1.2em">${escapeXml(title)}</h1>`,
      `<ul>${items.join("")}</ul>`,
      ...rest.map((it) => `<p>${it}</p>`),
      `<p><small>${end}, <a href="${escapeXml(unsubscribeUrl)}">unsubscribe</a>.</small></p>`,
    ].join("\n"),
    unsubscribeUrl,
  };
}
