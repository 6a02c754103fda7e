import { graphql, mutation, type ResultOf } from "../../../graphql/graphql.ts";

export const VIEWER = graphql("query AccountViewer { viewer { id user { id hasPassword sso } } }");

export const MY_SESSIONS = graphql(`
  query MySessions {
    mySessions {
      id
      current
      createdAt
      lastSeenAt
      source
      sso
      userAgent
    }
  }
`);

export type MySession = NonNullable<ResultOf<typeof MY_SESSIONS>["mySessions"]>[number];

export const END_SESSION = mutation("endSession", "id");
