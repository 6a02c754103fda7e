/** What each person keeps: favourites, what they saw last, saved searches, their first steps, and when they were on a page. */
import { hasMoreCharacters } from "../characters.ts";
import type { CatalogNode } from "../catalog/asset.ts";
import { AppError, badField, notFound } from "../errors.ts";
import { toNodeId, type UserId, type WorkspaceId } from "../ids.ts";
import type { UserItem, UserList } from "../metadata/records.ts";
import { MAX_USER_ITEMS } from "../metadata/user-lists.ts";
import { findName } from "../plain-text.ts";
import { builder, objectType, requires, typed, typedOrNull, wordsType } from "./builder.ts";
import { getPrincipal, type GraphqlContext } from "./context.ts";
import { mutation, payload, shows, showsId } from "./mutation.ts";
import { CatalogNodeType, findNode } from "./refs.ts";

const MAX_QUERY_CHARACTERS = 2_000;

const MAX_NAME_CHARACTERS = 100;

const SEEN_PAGES = ["asset", "lineage", "impact"] as const;

const SeenPage = wordsType<(typeof SEEN_PAGES)[number]>("SeenPage", "A kind of page.", {
  asset: "The page of an asset or metric.",
  lineage: "Its lineage.",
  impact: "What a change of it breaks.",
});

const SavedSearch = objectType<UserItem>("SavedSearch", "A search of the catalog that a person saved.").with({
  id: (t) => t.exposeID("item", { description: "Its id: the same as its query." }),
  name: (t) => t.exposeString("label", { description: "The name that the person gave it." }),
  query: (t) => t.exposeString("item", { description: "The query of the catalog page's address." }),
  savedAt: (t) => t.expose("at", typed("DateTime", "When it was saved last.")),
});

/** The person who asks; null for a service account. */
function personOf(context: GraphqlContext): { workspaceId: WorkspaceId; userId: UserId } | null {
  const { actor, workspace } = getPrincipal(context);
  return actor.kind === "user" ? { workspaceId: workspace.id, userId: actor.id } : null;
}

export function requirePerson(context: GraphqlContext): { workspaceId: WorkspaceId; userId: UserId } {
  const person = personOf(context);
  if (person === null) throw new AppError("forbidden", "Only a person has lists, not a service account.");
  return person;
}

async function listItems(list: UserList, first: number, context: GraphqlContext) {
  if (first < 1 || first > MAX_USER_ITEMS) throw badField("first", `must be between 1 and ${MAX_USER_ITEMS}`);
  const person = personOf(context);
  return person === null ? [] : context.services.metadata.userLists.list(person, list, first);
}

async function listNodes(list: UserList, first: number, context: GraphqlContext): Promise<CatalogNode[]> {
  const items = await listItems(list, first, context);
  const nodes = await Promise.all(items.map(({ item }) => findNode(toNodeId(item), context)));
  return nodes.filter((node) => node !== null);
}

const firstArg = builder.args((t) => ({
  first: t.int({ required: true, defaultValue: 20, description: `How many, 1 to ${MAX_USER_ITEMS}.` }),
}));

builder.queryFields((t) => ({
  myRecent: t.field({
    ...typed([CatalogNodeType], "The assets and metrics that the person who asks opened last, the last one first."),
    extensions: requires("self"),
    args: firstArg,
    complexity: ({ first }) => ({ field: 1, multiplier: first }),
    resolve: (_root, { first }, context) => listNodes("seen", first, context),
  }),
  myFavourites: t.field({
    type: [CatalogNodeType],
    description: "The assets and metrics that the person who asks marked as favourites, the last one first.",
    extensions: requires("self"),
    args: firstArg,
    complexity: ({ first }) => ({ field: 1, multiplier: first }),
    resolve: (_root, { first }, context) => listNodes("favourite", first, context),
  }),
  isMyFavourite: t.boolean({
    description: "Whether the person who asks marked an asset or metric as a favourite.",
    extensions: requires("self"),
    args: { id: t.arg.id({ required: true, description: "The id of the asset or metric." }) },
    resolve: (_root, { id }, context) => {
      const person = personOf(context);
      return person !== null && context.services.metadata.userLists.has(person, "favourite", id);
    },
  }),
  mySearches: t.field({
    ...typed([SavedSearch], "The searches that the person who asks saved, the last one first."),
    extensions: requires("self"),
    resolve: (_root, _args, context) => listItems("search", MAX_USER_ITEMS, context),
  }),
  myFirstSteps: t.field({
    ...typed([SeenPage], "The kinds of pages that the person who asks has opened at least once."),
    extensions: requires("self"),
    resolve: async (_root, _args, context) => {
      const steps = await listItems("step", MAX_USER_ITEMS, context);
      return SEEN_PAGES.filter((page) => steps.some(({ item }) => item === page));
    },
  }),
}));

mutation("noteSeen", {
  description: `Puts an asset or metric at the beginning of \`myRecent\`, which keeps the last ${MAX_USER_ITEMS}.`,
  requires: "self",
  input: "What the person opened.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The id of the asset or metric." }),
    page: t.field({ type: SeenPage, required: true, description: "The page that showed it." }),
  }),
  answer: showsId("The id of the asset or metric."),
  resolve: async ({ id, page }, context) => {
    const person = requirePerson(context);
    const { userLists } = context.services.metadata;
    const node = await requireNode(id, context);
    await userLists.put(person, "seen", node.id);
    if (!(await userLists.has(person, "step", page))) await userLists.put(person, "step", page);
    return node.id;
  },
});

mutation("setFavourite", {
  description: `Marks an asset or metric as a favourite of the person who asks, or takes it away. A person has at most ${MAX_USER_ITEMS}.`,
  requires: "self",
  input: "What to mark as a favourite, or to take from the favourites.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The id of the asset or metric." }),
    favourite: t.boolean({ required: true, description: "True to mark it, false to take it away." }),
  }),
  answer: showsId("The id of the asset or metric."),
  resolve: async ({ id, favourite }, context) => {
    const person = requirePerson(context);
    const { userLists } = context.services.metadata;
    // What is gone from the catalog can still be taken away.
    if (favourite) await userLists.put(person, "favourite", (await requireNode(id, context)).id);
    else await userLists.remove(person, "favourite", id);
    return id;
  },
});

mutation("saveSearch", {
  description: `Saves a search for the person who asks, who has at most ${MAX_USER_ITEMS}.`,
  requires: "self",
  input: "A search of the catalog to save.",
  fields: (t) => ({
    name: t.string({ required: true, description: `A name of at most ${MAX_NAME_CHARACTERS} characters.` }),
    query: t.string({
      required: true,
      description:
        "The query of the catalog page's address, such as `q=orders&type=model`. Saved again, it gets the new name.",
    }),
  }),
  answer: shows("search", SavedSearch, "The search."),
  resolve: async (input, context) => {
    const person = requirePerson(context);
    const label = findName(input.name, MAX_NAME_CHARACTERS);
    if (label === null) throw badField("name", `must be one line of 1 to ${MAX_NAME_CHARACTERS} characters`);
    const item = new URLSearchParams(input.query).toString();
    if (item === "" || hasMoreCharacters(item, MAX_QUERY_CHARACTERS)) {
      throw badField("query", `must have 1 to ${MAX_QUERY_CHARACTERS} characters`);
    }
    const { userLists } = context.services.metadata;
    await userLists.put(person, "search", item, label);
    return { item, label, at: context.services.auth.clock.now().toISOString() };
  },
});

mutation("removeSearch", {
  description: "Removes a saved search of the person who asks, if there is one.",
  requires: "self",
  input: "Which saved search to remove.",
  fields: (t) => ({ id: t.id({ required: true, description: "Its id." }) }),
  answer: showsId("The id of the search."),
  resolve: async ({ id }, context) => {
    await context.services.metadata.userLists.remove(requirePerson(context), "search", id);
    return id;
  },
});

async function requireNode(id: string, context: GraphqlContext): Promise<CatalogNode> {
  const node = await findNode(toNodeId(id), context);
  if (node === null) throw notFound("asset", id);
  return node;
}

/** A person who opens the page again within this time goes on with the same visit. */
const VISIT_MS = 30 * 60_000;

const VisitedPage = wordsType<"changes">("VisitedPage", "A page that lists what is new.", {
  changes: "The page of changes.",
});

mutation("noteVisit", {
  description:
    "Notes that the person who asks is on a page, and answers when they were there last. Within half an hour it is one visit.",
  requires: "self",
  input: "What the person opened.",
  fields: (t) => ({ page: t.field({ type: VisitedPage, required: true, description: "The page." }) }),
  answer: payload<{ before: string | null }>().with({
    before: typedOrNull("DateTime", "When the person was last there before this visit; null at the first one."),
  }),
  resolve: async ({ page }, context) => {
    const person = requirePerson(context);
    const { userLists } = context.services.metadata;
    const last = (await userLists.list(person, "visit")).find(({ item }) => item === page);
    const passed = context.services.auth.clock.now().getTime() - Date.parse(last?.at ?? "");
    // The label is the time of the visit before this one.
    const before = last === undefined || passed < VISIT_MS ? (last?.label ?? "") : last.at;
    await userLists.put(person, "visit", page, before);
    return { before: before === "" ? null : before };
  },
});
