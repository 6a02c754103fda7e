/** Notes which assets and metrics a person opens, for the list of what the person saw last. */
import { useEffect } from "react";
import { useMutation } from "urql";
import { useLocation, useSearchParams } from "wouter";

import { mutation } from "../graphql/graphql.ts";

const NOTE = mutation("noteSeen", "id");

const PAGES = { assets: "asset", metrics: "asset", lineage: "lineage", impact: "impact" } as const;

/** The id and the page that a path shows; null for pages of something else. */
function readPath(path: string, impactOf: string | null) {
  const [, room = "", id = ""] = path.split("/");
  const page = Object.entries(PAGES).find(([name]) => name === room)?.[1];
  if (page === undefined) return null;
  if (page === "impact") return path === "/impact" && impactOf !== null ? { id: impactOf, page } : null;
  return id === "" || id === "new" ? null : { id: decodeURIComponent(id), page };
}

export function useNoteSeen(): void {
  const [path] = useLocation();
  const [parameters] = useSearchParams();
  const [, note] = useMutation(NOTE);
  const seen = readPath(path, parameters.get("id"));
  const [id, page] = [seen?.id, seen?.page];
  useEffect(() => {
    // A refusal changes nothing for the reader: the page itself says if there is no such asset.
    if (id !== undefined && page !== undefined) void note({ input: { id, page } });
  }, [id, page, note]);
}
