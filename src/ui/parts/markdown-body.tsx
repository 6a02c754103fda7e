/** Markdown as elements. The file is loaded with the first text that needs it. */
import { Markdown, type MarkdownToJSX } from "markdown-to-jsx/react";
import type { ReactNode } from "react";

interface Content {
  children?: ReactNode;
}

/** Without an id: the text could choose one that the page uses. */
const heading =
  (Tag: "h3" | "h4" | "h5" | "h6") =>
  ({ children }: Content) => <Tag>{children}</Tag>;

const OPTIONS: MarkdownToJSX.Options = {
  // Tags are text, and nothing of another origin is loaded.
  disableParsingRawHTML: true,
  forceBlock: true,
  overrides: {
    // The page has headings of its own above these.
    h1: heading("h3"),
    h2: heading("h3"),
    h3: heading("h4"),
    h4: heading("h5"),
    h5: heading("h6"),
    h6: heading("h6"),
    img: ({ alt }: { alt?: string }) => alt,
    a: ({ href, children }: Content & { href?: string }) => (
      <a href={href} target="_blank" rel="noreferrer">
        {children}
      </a>
    ),
  },
};

export function MarkdownBody({ text }: { text: string }) {
  return <Markdown options={OPTIONS}>{text}</Markdown>;
}
