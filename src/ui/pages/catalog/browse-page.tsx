/** The schemas of the catalog as a tree. What is in a folder is asked for when somebody opens it. */
import { useState } from "react";
import { useQuery } from "urql";
import { Link } from "wouter";

import { formatCount } from "../../parts/count.ts";
import { Icon } from "../../parts/icon.tsx";
import { Listing, Loaded } from "../../parts/listing.tsx";
import { Page } from "../../parts/page.tsx";
import { Panel } from "../../parts/panel.tsx";
import { AssetLine } from "./asset-line.tsx";
import styles from "./browse-page.module.css";
import { ASSETS, SCHEMAS } from "./documents.ts";
import { BROWSED, toVariables } from "./filters.ts";

/** How many schemas are listed, the largest first. */
const MOST = 100;

interface Folder {
  /** The last part of the path. */
  name: string;
  /** As the filter by schema takes it. */
  path: string;
  /** How many assets are in it and in the folders within. */
  count: number;
  folders: Folder[];
}

export function BrowsePage() {
  const asked = useQuery({
    query: SCHEMAS,
    variables: { types: BROWSED, first: MOST },
    requestPolicy: "cache-and-network",
    context: NOTICES_CHANGES,
  });
  return (
    <Page above={{ href: "/catalog", label: "Catalog" }} title="Browse" lead="The assets by database and schema.">
      <Loaded what="the schemas" asked={asked} pick={({ assets }) => assets?.facets.schemas}>
        {(schemas) =>
          schemas.length === 0 ? (
            <Panel icon="catalog" title="No schemas yet">
              They come with the first sync of a source.
            </Panel>
          ) : (
            <>
              <Folders folders={toFolders(schemas)} />
              {schemas.length === MOST && (
                <p className="soft small">
                  These are the {MOST} largest schemas. <Link href="/catalog">Search</Link> for assets of the others.
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

/** Puts schemas such as `shop.marts` below their databases, in the order of names. */
function toFolders(schemas: readonly { value: string | null; count: number }[]): Folder[] {
  const root: Folder = { name: "", path: "", count: 0, folders: [] };
  for (const { value, count } of schemas) {
    let folder = root;
    for (const name of (value ?? "").split(".").filter((part) => part !== "")) {
      const path = folder.path === "" ? name : `${folder.path}.${name}`;
      let within = folder.folders.find((it) => it.name === name);
      if (within === undefined) folder.folders.push((within = { name, path, count: 0, folders: [] }));
      within.count += count;
      folder = within;
    }
  }
  return sort(root.folders);
}

function sort(folders: readonly Folder[]): Folder[] {
  return folders
    .map((folder) => ({ ...folder, folders: sort(folder.folders) }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

function Folders({ folders }: { folders: readonly Folder[] }) {
  return (
    <ul className={styles["folders"]}>
      {folders.map((folder) => (
        <li key={folder.path}>
          <OneFolder folder={folder} isOpenAtFirst={folders.length === 1} />
        </li>
      ))}
    </ul>
  );
}

function OneFolder({ folder, isOpenAtFirst }: { folder: Folder; isOpenAtFirst: boolean }) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const { name, path, count, folders } = folder;
  return (
    <>
      <div className="row">
        <button type="button" className="option medium grow" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name={isOpen ? "down" : "right"} size={12} /> {name} <span className="count">{formatCount(count)}</span>
        </button>
        <Link href={`/catalog?${new URLSearchParams({ schema: path })}`} className="small nowrap">
          Show all<span className="unseen"> of {path}</span>
        </Link>
      </div>
      {isOpen && (
        <div className={styles["within"]}>
          {folders.length > 0 ? <Folders folders={folders} /> : <Assets path={path} />}
        </div>
      )}
    </>
  );
}

function Assets({ path }: { path: string }) {
  return (
    <Listing
      what="the assets"
      query={ASSETS}
      variables={(after) => ({ ...toVariables({ search: "", chosen: { schema: path } }), after })}
      pick={({ assets }) => assets && { ...assets, nodes: assets.edges }}
      types={["Asset"]}
      rows={3}
      empty={<p className="soft">No assets.</p>}
    >
      {(found) => (
        <ul>
          {found.map(({ node }) => (
            <AssetLine key={node.id} asset={node} matched={null} search="" />
          ))}
        </ul>
      )}
    </Listing>
  );
}

/** Counts have no object by which the cache could know what changes them. */
const NOTICES_CHANGES = { additionalTypenames: ["Asset"] };
