/** Answers of the service in their four states: loading, failed, empty, and as they are. */
import { Fragment, type ReactNode, useEffect, useRef, useState } from "react";
import { type AnyVariables, type CombinedError, type TypedDocumentNode, useQuery, type UseQueryExecute } from "urql";

import { Button } from "./button.tsx";
import { ErrorPanel, Skeleton } from "./page.tsx";
import { type Heading, Table } from "./table.tsx";

/** What a query answers, if it has only one root field. */
type RootOf<Data> = NonNullable<Data[keyof Data]>;

interface LoadedProps<Data, Part> {
  /** What is loaded, such as `the limits`. */
  what: string;
  /** What `useQuery` returned. */
  asked: readonly [
    { data?: Data | undefined; error?: CombinedError | undefined; fetching: boolean },
    again: UseQueryExecute,
    ...unknown[],
  ];
  /** The part of the answer that is shown, if that is not its only root field. */
  pick?: (data: Data) => Part | null | undefined;
  /** How many rows the skeleton has. */
  rows?: number;
  /** True if the page has nothing else: the title of an error is the page's. */
  isPage?: boolean;
  /** Shown if the answer has no such part. */
  missing?: ReactNode;
  /** Around the skeleton; around an error, too, unless that is the page. */
  renderFrame?: (content: ReactNode) => ReactNode;
  children: (part: Part) => ReactNode;
}

function pickRoot<Data, Part>(data: Data): Part | null | undefined {
  // The type of `Part` is that of the root field if nothing is picked.
  return Object.values(data as Record<string, Part | null>)[0];
}

/** One answer. What is shown stays while it is asked for again. */
export function Loaded<Data, Part = RootOf<Data>>(props: LoadedProps<Data, Part>) {
  const { what, asked, pick = pickRoot, rows = 6, isPage = false, missing = null, renderFrame = (it) => it } = props;
  const [{ data, error, fetching }, again] = asked;
  const part = data && pick(data);
  if (part !== undefined && part !== null) return props.children(part);
  if (error) {
    const panel = <ErrorPanel isPage={isPage} error={error} onRetry={() => again({ requestPolicy: "network-only" })} />;
    return isPage ? panel : renderFrame(panel);
  }
  return fetching ? renderFrame(<Skeleton rows={rows} label={`Loading ${what}`} />) : missing;
}

interface Page {
  nodes: readonly object[];
  pageInfo: { nextCursor: string | null };
}

interface Shown {
  isFirst: boolean;
  again: () => void;
}

interface ListingProps<Data, Variables extends AnyVariables, P extends Page> {
  /** What is listed, such as `the connectors`. */
  what: string;
  query: TypedDocumentNode<Data, Variables>;
  /** Those besides the cursor. */
  variables?: Omit<NonNullable<Variables>, "after">;
  /** The list in the answer, if that is not its only root field. */
  pick?: (data: Data) => P | null | undefined;
  /** The types that are listed. An empty list has no object by which the cache could know that a new one changes it. */
  types: readonly string[];
  rows?: number;
  empty: ReactNode;
  /** Around the list, if there is anything. */
  renderFrame?: (list: ReactNode, first: P) => ReactNode;
  /** For a table. Each node is a row. */
  table?: { label: string; columns: readonly Heading[] };
  /** The classes of the `<ul>` around the lines of a page, and its name. Without it, the lines are no list. */
  list?: string;
  label?: string;
  /** True if the next page is loaded when the end of the list comes near the window. */
  loadsOnScroll?: boolean;
  /** A node of the list, as a line or a row. */
  renderLine?: (node: P["nodes"][number]) => ReactNode;
  /** The nodes of a page, if they are not shown one by one. */
  children?: (nodes: P["nodes"], shown: Shown) => ReactNode;
}

/** A list, page after page. Whenever it is opened, the first page is asked for again: crawls and people change it. */
export function Listing<Data, Variables extends AnyVariables, P extends Page = Extract<RootOf<Data>, Page>>(
  props: ListingProps<Data, Variables, P>,
) {
  return <PagesFrom of={props} after={null} />;
}

interface PagesFromProps<Data, Variables extends AnyVariables, P extends Page> {
  of: ListingProps<Data, Variables, P>;
  /** The cursor behind which it begins; null for the first page. */
  after: string | null;
}

/** A page, and those after it that were asked for. */
function PagesFrom<Data, Variables extends AnyVariables, P extends Page>(props: PagesFromProps<Data, Variables, P>) {
  const { of, after } = props;
  const { query, variables, pick, table, list, renderFrame = (all) => all } = of;
  const isFirst = after === null;
  const [showsNext, setShowsNext] = useState(false);
  // Another object would be asked for as another query.
  const [context] = useState({ additionalTypenames: [...of.types] });
  const requestPolicy = isFirst ? "cache-and-network" : "cache-first";
  const asked = useQuery<Data, AnyVariables>({ query, variables: { ...variables, after }, requestPolicy, context });
  const inTable = (content: ReactNode) => (table && !isFirst ? <tbody>{across(table, content)}</tbody> : content);
  return (
    <Loaded<Data, P>
      what={isFirst ? of.what : "more"}
      asked={asked}
      {...(pick && { pick })}
      rows={isFirst ? (of.rows ?? 6) : 3}
      renderFrame={inTable}
    >
      {(page) => {
        const { nextCursor } = page.pageInfo;
        // A page may end early, before anything is found.
        if (isFirst && page.nodes.length === 0 && nextCursor === null) return of.empty;
        const lines = of.children
          ? of.children(page.nodes, { isFirst, again: () => asked[1]({ requestPolicy: "network-only" }) })
          : page.nodes.map((node) => <Fragment key={keyOf(node)}>{of.renderLine?.(node)}</Fragment>);
        const more = nextCursor !== null && !showsNext && (
          <More isWatched={of.loadsOnScroll ?? false} onMore={() => setShowsNext(true)} />
        );
        const pages = (
          <>
            {table ? (
              <tbody>
                {lines}
                {more && across(table, more)}
              </tbody>
            ) : list === undefined ? (
              lines
            ) : (
              <ul className={list || undefined} aria-label={of.label}>
                {lines}
              </ul>
            )}
            {!table && more}
            {nextCursor !== null && showsNext && <PagesFrom of={of} after={nextCursor} />}
          </>
        );
        if (!isFirst) return pages;
        return renderFrame(table ? <Table {...table}>{pages}</Table> : pages, page);
      }}
    </Loaded>
  );
}

/** The id of an object that is listed, or of that to which an edge leads. */
function keyOf(listed: object): string | undefined {
  const { id, node } = listed as { id?: string; node?: { id: string } };
  return id ?? node?.id;
}

function across({ columns }: { columns: readonly unknown[] }, content: ReactNode) {
  return (
    <tr>
      <td colSpan={columns.length}>{content}</td>
    </tr>
  );
}

/** @param isWatched true if coming near the window is as good as a press */
function More({ isWatched, onMore }: { isWatched: boolean; onMore: () => void }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isWatched || element.current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onMore();
      },
      { rootMargin: "600px" },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  });
  return (
    <div ref={element} className={isWatched ? "stack padded center" : undefined}>
      <Button label="Show more" onClick={onMore} />
    </div>
  );
}
