/** A real browser, driven by playwright-core: the machine's own, because none comes with the packages. */
import { existsSync } from "node:fs";

import { type Browser, chromium } from "playwright-core";

const executablePath = ["/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) => existsSync(path));

export const hasBrowser = executablePath !== undefined;

let browser: Promise<Browser> | null = null;

/** The browser of all test files that this process runs. It ends with the process. */
export function getBrowser(): Promise<Browser> {
  return (browser ??= openBrowser());
}

/** A browser without sandbox, because tests may run as root, and without requests to its maker's hosts. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    timeout: 120_000,
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
