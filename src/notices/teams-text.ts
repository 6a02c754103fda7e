/** An Adaptive Card, as a Teams workflow "when a webhook request is received" takes it. */
import { escapeControls } from "../plain-text.ts";
import type { Line, Lines } from "./lines.ts";

/** @see https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using */
export function toTeamsText({ title, lines, more }: Lines): object {
  const body = [
    toBlock(escape(title), { weight: "Bolder" }),
    ...lines.map((line) => toBlock(toMarkdown(line))),
    ...(more > 0 ? [toBlock(`and ${more} more`)] : []),
  ];
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
  };
  return {
    type: "message",
    attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", content: { ...content, body } }],
  };
}

function toBlock(text: string, look: object = {}): object {
  return { type: "TextBlock", text, wrap: true, ...look };
}

function toMarkdown({ text, url, note }: Line): string {
  const said = url === null ? escape(text) : `[${escape(text)}](${url})`;
  return note === "" ? said : `${said} ${escape(note)}`;
}

/** A card's text is Markdown. */
function escape(text: string): string {
  return escapeControls(text).replaceAll(/[\\`*_[\]()<>#~|!-]/g, (sign) => `\\${sign}`);
}
