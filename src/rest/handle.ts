/** Handles the requests of one route: reads the input, runs the operation, writes the body. */
import { type ArgumentNode, Kind, type ObjectFieldNode, type OperationDefinitionNode } from "graphql";

import type { RefusalTrail } from "../auth/refusals.ts";
import { notFound, renameFields } from "../errors.ts";
import { authorize } from "../graphql/authorize.ts";
import type { OperationRunner } from "../graphql/run-operation.ts";
import { UploadedFile } from "../graphql/uploaded-file.ts";
import { createEmptyTexts } from "./absent-values.ts";
import { createInputReader } from "./input.ts";
import { getAnswerFields, getOperation, getRequirement, getRootField, type OperationSources } from "./operation.ts";
import type { Route } from "./route.ts";
import { sendReport } from "./report.ts";
import type { RouteTools } from "../http/app.ts";
import type { RestContext } from "../http/state.ts";

/** @param path the decoded parameters of the path */
export type RouteHandler = (ctx: RestContext, path: Record<string, string>) => Promise<void>;

export interface OperationParts extends OperationSources {
  runner: OperationRunner;
  refusals: RefusalTrail;
}

interface HandlerParts extends OperationParts, RouteTools {}

const NO_CONTENT = 204;

/**
 * @returns a handler, which throws AppErrors and other errors of the operation
 * @throws Error at the start, if the operation's variables are not the route's inputs
 */
export function createRouteHandler(route: Route, parts: HandlerParts): RouteHandler {
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
