/** The catalog as a tree of platforms, databases and schemas. A level is asked for when somebody opens it. */
import { Link, useSearchParams } from "wouter";

import type { ResultOf } from "../../graphql/graphql.ts";
import { formatCount } from "../../parts/count.ts";
import { Icon } from "../../parts/marks.tsx";
import { Listing } from "../../parts/listing.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import styles from "./browse-page.module.css";
import { FOLDERS } from "./documents.ts";

type Folder = NonNullable<ResultOf<typeof FOLDERS>["folders"]>["nodes"][number];

/** A place in the tree: nothing for the top, a platform, or a database of it. */
type Path = readonly string[];

export function BrowsePage() {
  return (
    <Page
      above={{ href: "/catalog", label: "Catalog" }}
      title="Browse"
      lead="The assets by platform, database and schema."
    >
      <Level path={[]} />
    </Page>
  );
}

function Level({ path }: { path: Path }) {
  const [platform = null, database = null] = path;
  return (
    <Listing
      what={["the platforms", "the databases", "the schemas"][path.length] ?? ""}
      query={FOLDERS}
      variables={{ platform, database }}
      types={["Asset"]}
      rows={3}
      empty={
        <Panel icon="catalog" title="Nothing here yet">
          Assets come with the first sync of a source.
        </Panel>
      }
    >
      {(folders, { isFirst }) => (
        <ul>
          {folders.map((folder) => (
            <li key={folder.schema ?? folder.platform}>
              {path.length === 2 || folder.schema === "" ? (
                <SchemaLine folder={folder} within={database} />
              ) : (
                <Branch folder={folder} above={path} isAlone={isFirst && folders.length === 1} />
              )}
            </li>
          ))}
        </ul>
      )}
    </Listing>
  );
}

interface BranchProps {
  /** A platform or a database. */
  folder: Folder;
  above: Path;
  /** Whether nothing else is on its level. It is then open at first. */
  isAlone: boolean;
}

function Branch({ folder, above, isAlone }: BranchProps) {
  const path = [...above, folder.schema ?? folder.platform];
  const [isOpen, toggle] = useOpen(path, isAlone);
  return (
    <>
      <div className="row">
        <button type="button" className="option medium grow" aria-expanded={isOpen} onClick={toggle}>
          <Icon name={isOpen ? "down" : "right"} size={12} /> {folder.name} <Count of={folder} />
        </button>
        <Link href={listOf(folder)} className="small nowrap">
          Show all<span className="unseen"> of {folder.name}</span>
        </Link>
      </div>
      {isOpen && (
        <div className={styles["within"]}>
          <Level path={path} />
        </div>
      )}
    </>
  );
}

/** A schema, whose assets the catalog lists. */
function SchemaLine({ folder, within }: { folder: Folder; within: string | null }) {
  return (
    <Link href={listOf(folder, folder.schema === "" ? "none" : "yes")} className="option medium">
      <Icon name="catalog" size={12} />{" "}
      {folder.name ?? <span className="soft">{within ? `directly in ${within}` : "without a database"}</span>}{" "}
      <Count of={folder} />
    </Link>
  );
}

const Count = ({ of }: { of: Folder }) => <span className="count">{formatCount(of.assetCount)}</span>;

/** The catalog's list of what a folder counts. */
function listOf({ platform, schema }: Folder, directly?: "yes" | "none"): string {
  return `/catalog?${new URLSearchParams({ platform, ...(schema && { schema }), ...(directly && { directly }) })}`;
}

/** Whether a folder is open. The address says so as soon as somebody has opened or closed one. */
function useOpen(path: Path, isAlone: boolean): [boolean, () => void] {
  const [parameters, setParameters] = useSearchParams();
  const all = path.map((_, i) =>
    path
      .slice(0, i + 1)
      .map(encodeURIComponent)
      .join("/"),
  );
  const own = all.at(-1) ?? "";
  const isOpen = parameters.has("open") ? parameters.getAll("open").includes(own) : isAlone;
  const toggle = (): void => {
    const before = parameters.has("open") ? parameters.getAll("open") : all.slice(0, -1);
    const after = isOpen ? before.filter((other) => other !== own) : [...before.filter((it) => it !== ""), own];
    setParameters(
      (after.length === 0 ? [""] : after).map((it) => ["open", it]),
      { replace: true },
    );
  };
  return [isOpen, toggle];
}
