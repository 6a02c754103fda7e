/** Why the asset is one asset: what its id is made from, who states it, and which others are nearly the same. */
import { useQuery } from "urql";
import { Link } from "wouter";

import { pathOfAsset } from "../../assets/asset-row.ts";
import { Badge, TypeIcon } from "../../parts/badge.tsx";
import { ErrorPanel } from "../../parts/panel.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { IDENTITY } from "./documents.ts";
import styles from "./identity-tab.module.css";

export function IdentityTab({ id }: { id: string }) {
  const [{ data, error }, again] = useQuery({ query: IDENTITY, variables: { id } });
  const identity = data?.asset?.identity;
  if (!identity) {
    if (error) return <ErrorPanel error={error} onRetry={() => again({ requestPolicy: "network-only" })} />;
    return <Skeleton rows={5} label="Loading the identity" />;
  }
  const { platform, instance, kind, key, sources, nearMisses } = identity;
  const parts = { Platform: platform, Instance: instance || "the only one", Kind: kind, Name: key, Id: id };
  return (
    <div className={styles["tab"]}>
      <p className={styles["lead"]}>
        Its id is made from these parts. All connectors that see them mean this one asset.
      </p>
      <dl className={styles["parts"]}>
        {Object.entries(parts).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{value}</code>
            </dd>
          </div>
        ))}
      </dl>
      <h2>Who states it</h2>
      {sources.length === 0 ? (
        <p className={styles["lead"]}>No connector. People defined it.</p>
      ) : (
        <Table label="Who states it">
          <thead>
            <tr>
              <th scope="col">Connector</th>
              <th scope="col">States it as</th>
              <th scope="col">Type</th>
              <th scope="col">How</th>
              <th scope="col">Since</th>
            </tr>
          </thead>
          <tbody>
            {sources.map((source) => (
              <tr key={`${source.connector} ${source.existence} ${source.name}`}>
                <th scope="row">{source.connector}</th>
                <td>
                  <code>{source.name}</code>
                </td>
                <td>{source.type}</td>
                <td>
                  {source.existence === "held" ? (
                    <Badge tone="good">holds it</Badge>
                  ) : (
                    <Badge tone="warn">names it</Badge>
                  )}
                </td>
                <td>
                  <Time at={source.since} />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {nearMisses.length > 0 && (
        <>
          <h2>Nearly the same</h2>
          <p className={styles["lead"]}>
            These have the same name, or a part of it. If one of them is the same thing, a connector needs another
            <code> instance</code> or database.
          </p>
          <ul className={styles["misses"]}>
            {nearMisses.map((asset) => (
              <li key={asset.id}>
                <TypeIcon type={asset.type} />
                <Link href={pathOfAsset(asset.id)}>{asset.fqn}</Link> {asset.platform}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
