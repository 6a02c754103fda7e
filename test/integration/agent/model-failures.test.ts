/** A language model that fails, in every way that an endpoint can: the question has the reader's own answer, and a note. */
import { Writable } from "node:stream";

import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";

import { type Answered, createAsk } from "../../support/agent.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { type ModelServer, type Reply, startModelServer } from "../../support/model-server.ts";

const KEY = "sk-a-secret-that-nobody-may-see";
const QUESTION = "show me deprecated models";
const GOOD: Reply = { text: '{"plans":[{"tell":"count","find":{"types":["model"]}}]}' };

let app: RunningApp;
let model: ModelServer;
let elsewhere: ModelServer;
let deadline: AbortController;
const logged: string[] = [];

beforeAll(async () => {
  model = await startModelServer();
  elsewhere = await startModelServer();
  const sink = new Writable({ write: (line, _encoding, done) => done(void logged.push(String(line))) });
  app = await startApp({
    sample: true,
    env: { AGENT_MODEL_URL: model.url, AGENT_MODEL: "m", AGENT_MODEL_KEY: KEY },
    overrides: { deadline: () => deadline.signal, log: pino({ level: "trace" }, sink) },
  });
});
afterAll(async () => {
  await app.close();
  await Promise.all([model.close(), elsewhere.close()]);
});
beforeEach(() => {
  deadline = new AbortController();
  logged.length = 0;
});

function expectOwn(answered: Answered, note: unknown): void {
  expect(answered).toMatchObject({ engine: "catalog", note });
  expect(answered.answer).toMatch(/^There is 1 deprecated model: `orders_wide`\./);
  expect(JSON.stringify(answered) + logged.join("")).not.toContain(KEY);
}

async function ask(...script: Reply[]): Promise<Answered> {
  model.script(...script);
  return createAsk(app)(QUESTION);
}

it.each<[what: string, reply: Reply, note: RegExp]>([
  ["an error of its own", { status: 500, body: `{"error":{"message":"bad key ${KEY}"}}` }, /with status 500\.$/],
  ["too many requests", { status: 429 }, /with status 429\.$/],
  ["a refused key", { status: 401, body: `Incorrect API key provided: ${KEY}` }, /with status 401\.$/],
  ["no JSON", { raw: "<html>welcome</html>" }, /could not be read\.$/],
  ["JSON of another form", { raw: '{"answer":"yes"}' }, /could not be read\.$/],
  ["no choices", { raw: '{"choices":[]}' }, /\.$/],
  ["half an answer", "break off", /\.$/],
  ["an empty text", { text: "  \n " }, /answered nothing\.$/],
  ["an answer without end", { raw: " ".repeat(1_100_000) }, /too long\.$/],
])("a model that answers %s leaves the reader's own answer", async (_what, reply, note) => {
  expectOwn(await ask(reply), expect.stringMatching(note));
  expect(model.received).toHaveLength(1);
});

it.each<Reply & string>(["hang", "slow"])(
  "a model that comes to no end (%s) is waited for until the deadline",
  async (reply) => {
    model.script(reply);
    const asked = createAsk(app)(QUESTION);
    await model.reached(1);
    if (reply === "slow") model.trickle();
    deadline.abort();
    expectOwn(await asked, "The language model did not answer in time.");
    await model.letGo();
    expect(model.received).toHaveLength(1);
  },
);

it("a model that refuses in words is asked once more, and no more", async () => {
  expectOwn(await ask({ refusal: "I cannot help with that." }), expect.stringMatching(/chose no plan/));
  expect(model.received).toHaveLength(2);
});

it("a model that hangs when it is asked again is not waited for either", async () => {
  model.script({ text: "no plan" }, "hang");
  const asked = createAsk(app)(QUESTION);
  await model.reached(2);
  deadline.abort();
  expectOwn(await asked, "The language model did not answer in time.");
  expect(model.received).toHaveLength(2);
});

it("a model that sends elsewhere is not followed", async () => {
  elsewhere.script(GOOD);
  const answered = await ask({ status: 307, location: `${elsewhere.url}/chat/completions` });
  expectOwn(answered, "The language model could not be reached.");
  expect(elsewhere.received).toEqual([]);
});

it("a model that may not read so many tokens is not asked", async () => {
  const small = await startApp({
    env: { AGENT_MODEL_URL: model.url, AGENT_MODEL: "m", AGENT_MODEL_TOKENS: "100" },
  });
  model.script(GOOD);
  const answered = await createAsk(small)("whose flibbers lean upon orders").finally(() => small.close());
  expect(answered.note).toBe("The language model used up what it may for one question.");
  expect(model.received).toEqual([]);
});

it("all prompts of a question share its tokens, and the note stays where the reader declines", async () => {
  const small = await startApp({
    env: { AGENT_MODEL_URL: model.url, AGENT_MODEL: "m", AGENT_MODEL_TOKENS: "2000" },
  });
  model.script({ text: "no plan" });
  const answered = await createAsk(small)("whose flibbers lean upon orders").finally(() => small.close());
  expect(answered).toMatchObject({
    engine: "catalog",
    note: "The language model used up what it may for one question.",
    readAs: null,
  });
  expect(answered.answer).toContain("`flibbers`");
  expect(model.received).toHaveLength(1);
});

const refuses = (name: string): Reply => ({
  status: 400,
  body: JSON.stringify({ error: { message: `Unsupported parameter: '${name}' is not supported with this model.` } }),
});

it("a parameter that the endpoint refuses is left out, for this question and all others", async () => {
  const fresh = await startApp({ sample: true, env: { AGENT_MODEL_URL: model.url, AGENT_MODEL: "m" } });
  try {
    model.script(refuses("max_tokens"), refuses("temperature"), refuses("response_format"), GOOD);
    expect(await createAsk(fresh)(QUESTION)).toMatchObject({ engine: "model", answer: "There are 51 models." });
    expect(model.received).toHaveLength(4);
    expect(Object.keys(model.received[0]?.body ?? {})).toEqual(
      expect.arrayContaining(["max_tokens", "temperature", "response_format"]),
    );
    const last = Object.keys(model.received[3]?.body ?? {});
    expect(last).toContain("max_completion_tokens");
    expect(last).not.toEqual(expect.arrayContaining(["max_tokens"]));
    expect(last.some((name) => name === "temperature" || name === "response_format")).toBe(false);
    model.script(GOOD);
    await createAsk(fresh)(QUESTION);
    expect(model.received).toHaveLength(1);
  } finally {
    await fresh.close();
  }
});

it("so many questions wait for a model at a time, and no more", async () => {
  model.script("hang");
  const asked = Array.from({ length: 8 }, () => createAsk(app)(QUESTION));
  await model.reached(8);
  expectOwn(await createAsk(app)(QUESTION), "Too many questions wait for the language model.");
  deadline.abort();
  for (const answered of await Promise.all(asked)) expect(answered.engine).toBe("catalog");
  deadline = new AbortController();
  expect(await ask(GOOD)).toMatchObject({ engine: "model", answer: "There are 51 models." });
});

it("without a model, the agent answers itself, with nothing to say of one", async () => {
  const alone = await startApp();
  const answered = await createAsk(alone)("how many metrics are there?").finally(() => alone.close());
  expect(answered).toMatchObject({ engine: "catalog", note: null });
});
