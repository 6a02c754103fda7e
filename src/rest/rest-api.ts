/** The REST API: a handler for each row of the table, and the document that describes the origin. */
import { type ArgumentNode, Kind, type ObjectFieldNode, type OperationDefinitionNode } from "graphql";
import { z } from "zod";

import type { RestApi, RouteTools } from "../http/app.ts";
import type { RefusalTrail } from "../auth/refusals.ts";
import { badFields, notFound, renameFields } from "../errors.ts";
import { authorize } from "../graphql/authorize.ts";
import type { OperationRunner } from "../graphql/run-operation.ts";
import { UploadedFile } from "../graphql/uploaded-file.ts";
import type { RestContext } from "../http/state.ts";
import { toFaults } from "../field-faults.ts";
import { readJsonBody } from "../http/body/json-body.ts";
import { parseQueryString } from "../http/body/query-string.ts";
import type { Answers } from "../http/answer/answers.ts";
import { buildOpenapi } from "./openapi/document.ts";
import { getAnswerFields, getOperation, getRequirement, getRootField, type OperationSources } from "./operation.ts";
import { ROUTES } from "./routes.ts";
import { createEmptyTexts } from "./absent-values.ts";
import type { Route } from "./route.ts";

/**
 * @param parts `version` is the service's
 * @throws Error if a route names an operation that does not exist or does not fit it
 */
export function createRestApi(parts: OperationParts & { version: string }): RestApi {
  return {
    openPaths: ROUTES.filter((route) => getRequirement(route, parts) === "nothing").map(({ path }) => path),
    createRoutes: (tools) =>
      ROUTES.map((route) => ({
        method: route.method,
        path: route.path,
        handle: createRouteHandler(route, { ...parts, ...tools }),
      })),
    printOpenapi: (origin) => JSON.stringify(buildOpenapi({ ...parts, routes: ROUTES, origin })),
  };
}

/** @param path the decoded parameters of the path */
type RouteHandler = (ctx: RestContext, path: Record<string, string>) => Promise<void>;

interface OperationParts extends OperationSources {
  runner: OperationRunner;
  refusals: RefusalTrail;
}

interface HandlerParts extends OperationParts, RouteTools {}

const NO_CONTENT = 204;

/**
 * @returns a handler, which throws AppErrors and other errors of the operation
 * @throws Error at the start, if the operation's variables are not the route's inputs
 */
function createRouteHandler(route: Route, parts: HandlerParts): RouteHandler {
  const { runner, refusals, lookAgain, answers, uploads, ...sources } = parts;
  const { absent, otherwise, report, reworded, status } = route;
  const readInput = createInputReader(route);
  const requirement = getRequirement(route, sources);
  const operation = getOperation(route, sources.operations);
  const inputNames = namesOfArguments(operation);
  const document = sources.operations.get(route.operation);
  if (document === undefined) throw new Error(`there is no operation ${route.operation}`);
  const writeEmptyTexts = createEmptyTexts(sources.schema, document, operation);
  const [, ...pathInRoot] = getAnswerFields(operation).map(({ alias, name }) => (alias ?? name).value);

  return async (ctx, path) => {
    // The root field checks this too. Here it is checked before the input is read.
    if (requirement !== "nothing") await authorize(ctx.state, requirement, refusals);
    const given = await readInput(ctx, path);
    const input = reworded === undefined ? given : reworded.toVariables(given);
    const run = async (name: string, variables: Record<string, unknown>): Promise<unknown> => {
      if (requirement !== "nothing") await lookAgain(ctx);
      const data = await runner.run(name, variables, ctx.state).catch((error: unknown) => {
        throw renameFields(error, (field) => inputNames.get(field) ?? field);
      });
      return findAt(Object.values(data)[0], pathInRoot);
    };
    const { upload } = route.input;
    const runWhole = (name: string): Promise<unknown> => {
      if (upload === undefined) return run(name, input);
      return uploads[upload.kind].receive(ctx, upload.name, (file) =>
        run(name, { ...input, [upload.name]: new UploadedFile(file) }),
      );
    };
    if (report !== undefined) return sendReport(ctx, report, { answers, operation: route.operation, run: runWhole });
    const answer = await runWhole(route.operation);
    if (answer === null && absent !== undefined) throw notFound(absent.noun, String(input[absent.namedBy]));
    writeEmptyTexts(answer);
    const other = otherwise?.appliesTo(answer) ? otherwise : undefined;
    ctx.status = other?.status ?? status;
    if (other?.retryAfterSeconds !== undefined) ctx.set("Retry-After", String(other.retryAfterSeconds));
    if (ctx.status !== NO_CONTENT) await answers.sendValue(ctx, answer);
  };
}

function findAt(data: unknown, path: readonly string[]): unknown {
  return path.reduce((value, key) => (value as Record<string, unknown> | null)?.[key] ?? null, data);
}

/** The route's inputs by the names of GraphQL's arguments, such as `cursor` for `after`. */
function namesOfArguments(operation: OperationDefinitionNode): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const note = ({ name, value }: ArgumentNode | ObjectFieldNode): void => {
    if (value.kind === Kind.VARIABLE) names.set(name.value, value.name.value);
    if (value.kind === Kind.OBJECT) value.fields.forEach(note);
  };
  getRootField(operation).arguments?.forEach(note);
  return names;
}

type Input = Record<string, unknown>;

/**
 * Reads and checks the input of a route.
 * @param path the decoded parameters of the path
 * @throws AppError `bad_request` with all faults at once, and the errors of `readJsonBody`
 */
type InputReader = (ctx: RestContext, path: Record<string, string>) => Promise<Input>;

function createInputReader({ input }: Route): InputReader {
  const pathSchema = z.strictObject(input.path ?? {});
  const querySchema = z.strictObject(input.query ?? {});
  const bodySchema = input.body && z.strictObject(input.body);
  return async (ctx, path) => {
    const body = bodySchema && (await readJsonBody(ctx));
    const query = parseQueryString(ctx.querystring);
    const parts = [
      pathSchema.safeParse(path),
      querySchema.safeParse(query.values),
      ...(bodySchema ? [bodySchema.safeParse(body === undefined ? {} : body)] : []),
    ];
    const faults = [
      ...query.faults,
      ...parts.flatMap((part) => part.error?.issues.flatMap((issue) => toFaults(issue)) ?? []),
    ];
    if (faults.length > 0) throw badFields(faults);
    return Object.assign({}, ...parts.map((part) => part.data));
  };
}

const MARKDOWN_TYPE = "text/markdown";

const flags = { failed: z.boolean(), isEmpty: z.boolean(), isPartial: z.boolean() };
const asJson = z.object({ ...flags, json: z.custom<object>((value) => typeof value === "object") });
const asMarkdown = z.object({ ...flags, markdown: z.string() });

interface Sending {
  answers: Answers;
  /** The operation for JSON. */
  operation: string;
  /** Runs one of the route's operations and returns the value of its root field. */
  run: (operation: string) => Promise<unknown>;
}

/** A client that accepts neither format gets JSON. */
async function sendReport(
  ctx: RestContext,
  { markdown, headers }: NonNullable<Route["report"]>,
  { answers, operation, run }: Sending,
): Promise<void> {
  const setHeaders = (report: Record<(typeof headers)[number]["field"], boolean>): void => {
    for (const { name, field, words } of headers) ctx.set(name, words[report[field] ? 0 : 1]);
  };
  if (ctx.accepts("application/json", MARKDOWN_TYPE) === MARKDOWN_TYPE) {
    const report = asMarkdown.parse(await run(markdown.operation));
    setHeaders(report);
    ctx.set("Content-Type", `${MARKDOWN_TYPE}; charset=utf-8`);
    ctx.body = report.markdown;
  } else {
    const report = asJson.parse(await run(operation));
    setHeaders(report);
    ctx.status = 200;
    await answers.sendValue(ctx, report.json);
  }
}
