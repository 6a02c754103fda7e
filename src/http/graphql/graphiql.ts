/** GraphiQL's page at `GET /graphql`, and its two files. */
import type { RandomBytes } from "../../clock.ts";
import type { GraphqlHandler } from "../../graphql/yoga.ts";
import {
  answerNoncePage,
  answerPage,
  type PageWithFiles,
  printBrand,
  SCRIPT_TYPE,
  STYLE_TYPE,
} from "../answer/page.ts";

const FILES = { script: "/graphql/graphiql.js", style: "/graphql/graphiql.css" } as const;

export function answerGraphiql({ graphiql }: Pick<GraphqlHandler, "graphiql">, random: RandomBytes): PageWithFiles {
  const page = graphiql(FILES);
  return {
    html: answerNoncePage({
      toHtml: page.toHtml,
      // The editor makes workers from blobs, and has fonts and pictures in its style.
      sources: ["img-src 'self' data:", "font-src data:", "worker-src blob: data:"],
      random,
    }),
    files: [
      { path: FILES.script, answer: answerPage(page.script, SCRIPT_TYPE) },
      { path: FILES.style, answer: answerPage(async () => `${printBrand()}\n${await page.style()}`, STYLE_TYPE) },
    ],
  };
}
