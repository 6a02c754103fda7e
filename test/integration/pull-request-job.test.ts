/** The jobs for pull requests: their steps run as they stand, against a real service and a code host that is made up. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

import { type RunningApp, startApp } from "../support/app.ts";
import { isFull } from "../support/depth.ts";
import { dropAmount, editShop, renameAmount, type ShopManifest } from "../support/edited-shop.ts";
import { createGraphqlClient } from "../support/graphql-client.ts";
import { type NotingServer, serveHttp } from "../support/http-server.ts";
import { present } from "../support/present.ts";

const ROOT = new URL("../../", import.meta.url);
const read = (path: string): unknown => parse(readFileSync(new URL(path, ROOT), "utf8"));

const action = z
  .object({
    runs: z.object({ using: z.literal("composite"), steps: z.tuple([z.object({ run: z.string() }).loose()]) }),
  })
  .loose()
  .parse(read("action.yml"));
const template = z
  .object({ "tributary-impact": z.object({ script: z.tuple([z.string()]) }).loose() })
  .parse(read("deploy/gitlab-impact.yml"));

const hasTools = ["bash", "sh", "curl", "gzip"].every((tool) => spawnSync("which", [tool]).status === 0);

interface Comment {
  id: number;
  body: string;
}

/** A code host with the comments of one pull request. */
interface Host extends NotingServer {
  comments: Comment[];
  /** The status with which the next comments are refused; 0: they are not. */
  refusal: number;
}

/** Others have written so many comments before, one of which quotes the mark and the fields of a comment. */
const OTHERS = 101;
const QUOTE =
  '{"url":"https://x/issues/comments/1","body":"<!-- tributary-impact: -->"}{"id":1,"type":null,"body":"<!--';

function tear({ nodes }: ShopManifest): void {
  present(nodes["model.shop.fct_refunds"]).compiled_code = "select ((";
}

function describeHost(
  name: "GitHub" | "GitLab",
  parts: {
    shell: string;
    script: string;
    /** How the host lists a comment. */
    show: (comment: Comment) => object;
    /** The text in the body of a request. */
    readText: (body: string) => string;
    env: (urls: { service: string; host: string }, fromFork: boolean) => Record<string, string>;
  },
): void {
  describe.skipIf(!hasTools)(`pull requests on ${name}`, () => {
    let running: RunningApp;
    let host: Host;
    let folder: string;
    beforeAll(async () => {
      running = await startApp({ sample: true });
      folder = mkdtempSync(join(tmpdir(), "tributary-pull-request-job-"));
      mkdirSync(join(folder, "target"));
      const state: Pick<Host, "comments" | "refusal"> = { comments: [], refusal: 0 };
      const server = await serveHttp((request, response) => {
        void (async () => {
          const body = await text(request);
          const url = new URL(present(request.url), "http://host");
          if (state.refusal !== 0) return response.writeHead(state.refusal).end('{"message":"no"}');
          if (request.method === "GET") {
            const page = Number(url.searchParams.get("page"));
            const shown = state.comments.slice((page - 1) * 100, page * 100).map(parts.show);
            return response.end(JSON.stringify(shown));
          }
          const id = Number(/\d+$/.exec(url.pathname)?.[0]);
          const written = state.comments.find((comment) => comment.id === id);
          if (request.method !== "POST" && written !== undefined) written.body = parts.readText(body);
          else state.comments.push({ id: 7_000 + state.comments.length, body: parts.readText(body) });
          return response.writeHead(request.method === "POST" ? 201 : 200).end("{}");
        })();
      });
      host = Object.assign(state, server);
    });
    afterAll(async () => {
      await host[Symbol.asyncDispose]();
      await running.close();
      rmSync(folder, { recursive: true });
    });

    async function runJob(
      edit: ((manifest: ShopManifest) => void) | null,
      token: string,
      { fromFork = false, service = running.url, at = host.url } = {},
    ) {
      rmSync(join(folder, "target/manifest.json"), { force: true });
      if (edit !== null) writeFileSync(join(folder, "target/manifest.json"), editShop(edit));
      writeFileSync(join(folder, "summary.md"), "");
      const child = spawn(parts.shell, ["-c", parts.script], {
        cwd: folder,
        stdio: ["ignore", "pipe", "pipe"],
        env: {
          PATH: process.env["PATH"],
          TRIBUTARY_TOKEN: token,
          ...parts.env({ service, host: at }, fromFork),
        },
      });
      const [output, errors, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "close"),
      ]);
      return { code: Number(code), output: output + errors };
    }

    const ours = (): Comment[] => host.comments.filter(({ body }) => body.startsWith("<!-- tributary-impact"));
    const hostWithComments = (): void => {
      host.refusal = 0;
      host.comments = Array.from({ length: OTHERS }, (_, id) => ({ id, body: `${QUOTE} "\\ ${id}` }));
    };

    it(`The job of ${name} writes no comment if nothing changes`, async () => {
      hostWithComments();
      const token = await running.createToken(["read"]);
      expect((await runJob(() => {}, token)).code).toBe(0);
      expect(host.comments).toHaveLength(OTHERS);
    });

    it(`The job of ${name} warns of what could not be read, in its log and first in the comment, and passes`, async () => {
      hostWithComments();
      const token = await running.createToken(["read"]);
      const { code, output } = await runJob(tear, token);
      expect([code, output]).toEqual([0, expect.stringContaining("Not everything could be read")]);
      expect(ours().map(({ body }) => body)).toEqual([
        expect.stringMatching(
          /\n### ⚠ Passes as far as compared: 1 model could not be read: `shop\.finance\.fct_refunds`\n/,
        ),
      ]);
    });

    it(`The job of ${name} keeps one comment, which tells each time what the pull request breaks now`, async () => {
      hostWithComments();
      const token = await running.createToken(["read"]);
      expect((await runJob(dropAmount, token)).code).toBe(1);
      const [first] = ours();
      expect(present(first).body).toMatch(
        /\n### ❌ Fails: .*23 assets and metrics are at high risk.*\n\n`shop`: 1 change affects 27 assets and metrics \(23 high, /,
      );
      expect(present(first).body).toContain(
        "- **4 dashboards:** `Board revenue report` (high, `ines.moreau@example.com`), ",
      );
      expect(present(first).body).toContain("<details><summary>1 change</summary>\n\n| # |");
      const { id } = present(first);

      expect((await runJob(renameAmount, token)).code).toBe(1);
      expect(ours()).toEqual([{ id, body: expect.stringContaining("| column renamed |") }]);
      expect((await runJob(() => {}, token)).code).toBe(0);
      expect(ours()).toEqual([{ id, body: expect.stringContaining("No change was found.") }]);
      expect(host.comments).toHaveLength(OTHERS + 1);
    });

    it.runIf(isFull)(
      `The job of ${name} links to the whole answer, which only members of the workspace see`,
      async () => {
        hostWithComments();
        const token = await running.createToken(["read"]);
        await runJob(dropAmount, token);
        const [, link = "", id = ""] = present(
          /\]\((\S+\/impact\/saved\/(\w+))\), kept for 90 days/.exec(ours()[0]?.body ?? ""),
        );
        expect(link.startsWith(running.url)).toBe(true);
        const query =
          "query ($id: ID!) { savedImpact(id: $id) { impact { against assets { total } changes { fqn } } } }";
        const member = createGraphqlClient({ ...running, token });
        expect((await member(query, { id })).data).toEqual({
          savedImpact: {
            impact: {
              against: "shop",
              assets: { total: 27 },
              changes: [{ fqn: "shop.staging.stg_stripe__refunds.amount" }],
            },
          },
        });
        const other = createGraphqlClient(await running.openWorkspace());
        expect((await other(query, { id })).data).toEqual({ savedImpact: null });
      },
    );

    it(`The job of ${name} fails with the service's own words if it is refused`, async () => {
      const { code, output } = await runJob(() => {}, "svc_live_nobody");
      expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('"error":"unauthorized"') });
    });

    it(`The job of ${name} says what to do if it gets no answer, and no earlier verdict stays in its comment`, async () => {
      hostWithComments();
      const token = await running.createToken(["read"]);
      const nowhere = "http://127.0.0.1:1";
      expect((await runJob(null, token)).code).toBe(1);
      expect(host.comments).toHaveLength(OTHERS);
      host.comments.push({ id: 7_000, body: "<!-- tributary-impact: -->\n### ✅ Passes: no change was found" });
      const faults = [
        [await runJob(null, token), /manifest target\/manifest\.json could not be read \(.*No such file.*dbt compile/],
        [await runJob(() => {}, token, { service: nowhere }), /Tributary gave no answer \(curl: \(7\).*address/],
        [await runJob(() => {}, "svc_live_nobody"), /Tributary answered 401/],
      ] as const;
      for (const [{ code, output }, message] of faults) {
        expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(message) });
      }
      expect(ours()).toEqual([{ id: 7_000, body: expect.stringMatching(/\n### ❌ Not compared: the log/) }]);
      expect(host.comments).toHaveLength(OTHERS + 1);
      const { code, output } = await runJob(dropAmount, token, { at: nowhere });
      expect({ code, output }).toEqual({
        code: 1,
        output: expect.stringMatching(/not be written: \w+ gave no answer/),
      });
      expect(output).not.toMatch(/permissions|scope/);
    });

    it(`The job of ${name} says why a pull request from a fork is not compared, and passes`, async () => {
      const { code, output } = await runJob(dropAmount, "", { fromFork: true });
      expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/Not compared: .* from a fork/) });
      expect((await runJob(dropAmount, "")).code).toBe(1);
    });

    it(`The job of ${name} says that the comment was refused, and still gives its verdict`, async () => {
      hostWithComments();
      host.refusal = 403;
      const token = await running.createToken(["read"]);
      const { code, output } = await runJob(() => {}, token);
      expect({ code, output }).toEqual({
        code: 0,
        output: expect.stringMatching(/comment could not be written: \w+ answered 403/),
      });
    });
  });
}

describeHost("GitHub", {
  shell: "bash",
  script: action.runs.steps[0].run,
  show: ({ id, body }) => ({
    url: `https://api.example/repos/o/r/issues/comments/${id}`,
    issue_url: "https://api.example/repos/o/r/issues/7",
    id,
    user: { login: "bot", url: "https://api.example/users/bot" },
    body,
  }),
  readText: (body) => z.object({ body: z.string() }).parse(JSON.parse(body)).body,
  env: ({ service, host }, fromFork) => ({
    TRIBUTARY_URL: service,
    MANIFEST: "target/manifest.json",
    CONNECTOR: "",
    FAIL_ON: "high",
    COMMENT_TOKEN: "secret",
    PULL_REQUEST: "7",
    COMES_FROM: fromFork ? "somebody/r" : "o/r",
    GITHUB_REPOSITORY: "o/r",
    GITHUB_API_URL: host,
    GITHUB_STEP_SUMMARY: "summary.md",
  }),
});

describeHost("GitLab", {
  shell: "sh",
  script: template["tributary-impact"].script[0],
  show: ({ id, body }) => ({ id, type: null, body, author: { id: 1, username: "bot" }, noteable_id: 9 }),
  readText: (body) => present(new URLSearchParams(body).get("body")),
  env: ({ service, host }, fromFork) => ({
    TRIBUTARY_URL: service,
    TRIBUTARY_MANIFEST: "target/manifest.json",
    TRIBUTARY_CONNECTOR: "",
    TRIBUTARY_FAIL_ON: "high",
    GITLAB_TOKEN: "secret",
    CI_API_V4_URL: host,
    CI_MERGE_REQUEST_IID: "7",
    CI_MERGE_REQUEST_PROJECT_ID: "1",
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: fromFork ? "2" : "1",
  }),
});
