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

/** The only root field of an answer. */
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
  /** Asks for the page again. */
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
  /** Shown if there is nothing. */
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
  const { what, pick, rows = 6, empty, renderFrame = (list) => list, table } = props;
  const asked = usePage(props, null);
  return (
    <Loaded<Data, P> what={what} asked={asked} {...(pick && { pick })} rows={rows}>
      {(first) => {
        // A page may end early, before anything is found.
        if (first.nodes.length === 0 && first.pageInfo.nextCursor === null) return empty;
        const pages = <Pages of={props} first={first} again={asked[1]} isFirst />;
        return renderFrame(table ? <Table {...table}>{pages}</Table> : pages, first);
      }}
    </Loaded>
  );
}

function usePage<Data, Variables extends AnyVariables, P extends Page>(
  { query, variables, types }: ListingProps<Data, Variables, P>,
  after: string | null,
) {
  // Another object would be asked for as another query.
  const [context] = useState({ additionalTypenames: [...types] });
  const requestPolicy = after === null ? "cache-and-network" : "cache-first";
  return useQuery<Data, AnyVariables>({ query, variables: { ...variables, after }, requestPolicy, context });
}

interface PagesProps<Data, Variables extends AnyVariables, P extends Page> {
  of: ListingProps<Data, Variables, P>;
  first: P;
  isFirst: boolean;
  again: UseQueryExecute;
}

/** A page, and those after it that were asked for. */
function Pages<Data, Variables extends AnyVariables, P extends Page>(props: PagesProps<Data, Variables, P>) {
  const { of, first, isFirst, again } = props;
  const [showsNext, setShowsNext] = useState(false);
  const { nextCursor } = first.pageInfo;
  const lines = of.children
    ? of.children(first.nodes, { isFirst, again: () => again({ requestPolicy: "network-only" }) })
    : first.nodes.map((node) => <Fragment key={keyOf(node)}>{of.renderLine?.(node)}</Fragment>);
  const more = nextCursor !== null && !showsNext && (
    <More isWatched={of.loadsOnScroll ?? false} onMore={() => setShowsNext(true)} />
  );
  return (
    <>
      {of.table ? (
        <tbody>
          {lines}
          {more && across(of.table, more)}
        </tbody>
      ) : of.list === undefined ? (
        lines
      ) : (
        <ul className={of.list || undefined} aria-label={of.label}>
          {lines}
        </ul>
      )}
      {!of.table && more}
      {nextCursor !== null && showsNext && <NextPage of={of} after={nextCursor} />}
    </>
  );
}

/** The id of an object that is listed, or of that to which an edge leads. */
function keyOf(listed: object): string | undefined {
  const { id, node } = listed as { id?: string; node?: { id: string } };
  return id ?? node?.id;
}

interface NextPageProps<Data, Variables extends AnyVariables, P extends Page> {
  of: ListingProps<Data, Variables, P>;
  after: string;
}

function NextPage<Data, Variables extends AnyVariables, P extends Page>(props: NextPageProps<Data, Variables, P>) {
  const { of, after } = props;
  const asked = usePage(of, after);
  const frame = (content: ReactNode) => (of.table ? <tbody>{across(of.table, content)}</tbody> : content);
  return (
    <Loaded<Data, P> what="more" asked={asked} {...(of.pick && { pick: of.pick })} rows={3} renderFrame={frame}>
      {(page) => <Pages of={of} first={page} again={asked[1]} isFirst={false} />}
    </Loaded>
  );
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
