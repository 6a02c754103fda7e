/** As much of OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1) as our document uses. */

export interface JsonSchema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  format?: string;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly JsonSchema[];
  items?: JsonSchema;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: boolean | JsonSchema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  default?: unknown;
  examples?: readonly unknown[];
}

export interface Reference {
  $ref: string;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description: string;
  schema: JsonSchema;
  example?: unknown;
}

interface MediaType {
  schema: JsonSchema;
  example?: unknown;
  examples?: Readonly<Record<string, { value: unknown }>>;
}

type Content = Readonly<
  Partial<Record<"application/json" | "text/markdown" | "text/html" | "application/atom+xml", MediaType>>
>;

export interface Response {
  description: string;
  headers: Readonly<Record<string, Reference>>;
  content: Content;
}

export interface RequestBody {
  required: boolean;
  content: Readonly<Partial<Record<"application/json" | "application/x-www-form-urlencoded", MediaType>>>;
}

/** A way to authenticate: the names of schemes, each with the required scopes. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export type SecurityScheme = { description: string } & (
  | { type: "http"; scheme: "bearer" | "basic" }
  | { type: "oauth2"; flows: { clientCredentials: { tokenUrl: string; scopes: Readonly<Record<string, string>> } } }
);

export interface Operation {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description: string;
  /** One of these is needed. Empty if the operation needs no authentication. */
  security: readonly SecurityRequirement[];
  parameters: readonly (Parameter | Reference)[];
  /** An example of the request, as the docs page shows it. */
  "x-codeSamples"?: readonly { lang: string; label: string; source: string }[];
  requestBody?: RequestBody;
  responses: Readonly<Record<string, Response | Reference>>;
}

export type PathItem = Readonly<Partial<Record<"get" | "post", Operation>>>;

export interface OpenapiDocument {
  openapi: "3.1.1";
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } };
  servers: readonly { url: string }[];
  tags: readonly { name: string; description: string }[];
  paths: Readonly<Record<string, PathItem>>;
  components: {
    schemas: Readonly<Record<string, JsonSchema>>;
    responses: Readonly<Record<string, Response>>;
    parameters: Readonly<Record<string, Parameter>>;
    headers: Readonly<Record<string, { description: string; schema: JsonSchema }>>;
    securitySchemes: Readonly<Record<string, SecurityScheme>>;
  };
}
