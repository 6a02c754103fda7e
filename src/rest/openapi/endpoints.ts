/** Describes the endpoints that are no rows of the REST table. */
import type { Endpoint, EndpointAnswer } from "../../http/endpoint.ts";
import {
  type ErrorAnswerName,
  EVERYWHERE,
  headerRefs,
  oauthErrorRefs,
  QUOTA_HEADERS,
  toErrorRefs,
  WITH_BODY,
  WITH_TOKEN,
} from "./errors.ts";
import { toJsonSchema } from "./input-schema.ts";
import { toSecurity } from "./security.ts";
import type { JsonSchema, Operation, Reference, RequestBody, Response, SecurityRequirement } from "./types.ts";

/** @param components gets the schemas that have names */
export function describeEndpoint(
  operationId: string,
  endpoint: Endpoint,
  components: Record<string, JsonSchema>,
  parameters: Operation["parameters"],
): Operation {
  const { tag, summary, description, body, answers } = endpoint;
  const toAnswer = ({
    description: words,
    schema,
    type = "application/json",
    name,
    example,
  }: EndpointAnswer): Response => {
    const json = schema && toJsonSchema(schema, "input");
    if (json && name !== undefined) components[name] = json;
    const shown = name === undefined ? json : { $ref: `#/components/schemas/${name}` };
    return {
      description: words,
      headers: headerRefs(isCounted(endpoint) ? QUOTA_HEADERS : []),
      content: shown === undefined ? {} : { [type]: { schema: shown, ...(example !== undefined && { example }) } },
    };
  };
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: securityOf(endpoint),
    parameters,
    ...(body && { requestBody: toBody(body) }),
    responses: {
      ...errorsOf(endpoint),
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, toAnswer(answer)])),
    },
  };
}

function toBody({ type, schema, example }: NonNullable<Endpoint["body"]>): RequestBody {
  const mediaType = type === "form" ? "application/x-www-form-urlencoded" : "application/json";
  const media = { schema: toJsonSchema(schema, "input"), ...(example !== undefined && { example }) };
  return { required: true, content: { [mediaType]: media } };
}

/** Whether the request counts against a rate limit, which the headers of the answer show. */
function isCounted({ access }: Endpoint): boolean {
  return access !== "exempt" && access !== "public" && access !== "login";
}

function securityOf({ access }: Endpoint): SecurityRequirement[] {
  if (access === "exempt" || access === "public" || access === "login" || access === "session") return [];
  // The empty entry is for credentials in the form.
  return access === "client" ? [{ client: [] }, {}] : toSecurity(access);
}

function errorsOf({ access, absent, body }: Endpoint): Record<string, Reference> {
  if (access === "client") return oauthErrorRefs();
  const further: readonly ErrorAnswerName[] =
    access === "exempt" ? [] : access === "public" ? ["RateLimited"] : WITH_TOKEN;
  const mayBeAbsent = absent || access === "login" || access === "session";
  return toErrorRefs([
    ...EVERYWHERE,
    ...further,
    ...(mayBeAbsent ? (["NotFound"] as const) : []),
    ...(body ? WITH_BODY : []),
  ]);
}
