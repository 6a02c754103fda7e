import { gql, mutation, type ResultOf } from "../../../graphql/graphql.ts";

export const VIEWER = gql("query AccountViewer { viewer { id user { id hasPassword sso } } }");

export const MY_SESSIONS = gql(`query MySessions {
  mySessions { id current createdAt lastSeenAt source sso userAgent }
}`);

export type MySession = NonNullable<ResultOf<typeof MY_SESSIONS>["mySessions"]>[number];

export const END_SESSION = mutation("endSession", "id");
