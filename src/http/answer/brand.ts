/** The product's colours and font as one style sheet, for pages that others made. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const TOKENS = new URL("../../ui/theme/tokens.css", import.meta.url);

/** Prints the tokens of the workspace, with the font in the sheet itself. */
export function printBrand(): string {
  return readFileSync(TOKENS, "utf8").replaceAll(/url\("(@fontsource[^"]+)"\)/g, (_, name: string) => {
    const font = readFileSync(fileURLToPath(import.meta.resolve(name)));
    return `url("data:font/woff2;base64,${font.toString("base64")}")`;
  });
}
