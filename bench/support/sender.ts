/** Sends requests from another thread, so that their cost is not the service's. */
import { parentPort } from "node:worker_threads";

export interface SentRequest {
  url: string;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer>;
}

export interface SentAnswer {
  status: number;
  text: string;
}

parentPort?.on("message", async ({ url, headers, body }: SentRequest) => {
  const response = await fetch(url, { method: "POST", headers, body });
  const answer: SentAnswer = { status: response.status, text: await response.text() };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(answer);
});
