/** The identity of the asset: the parts of its id, its connectors, and assets with nearly the same name. */
import { useQuery } from "urql";
import { Link } from "wouter";

import { pathOfAsset } from "../../assets/asset-row.ts";
import { Badge, TypeIcon } from "../../parts/marks.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Loaded } from "../../parts/listing.tsx";
import { Row, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { IDENTITY } from "./documents.ts";

const COLUMNS = [
  { label: "Connector", isName: true },
  { label: "States it as" },
  { label: "Type" },
  { label: "How" },
  { label: "Since" },
];

export function IdentityTab({ id }: { id: string }) {
  const asked = useQuery({ query: IDENTITY, variables: { id } });
  return (
    <Loaded what="the identity" asked={asked} pick={({ asset }) => asset?.identity} rows={5}>
      {({ platform, instance, kind, key, sources, nearMisses }) => (
        <div className="stack">
          <p className="soft">Its id is made from these parts. All connectors that see them mean this one asset.</p>
          <Facts
            look="terms"
            of={{
              Platform: <code>{platform}</code>,
              Instance: <code>{instance || "the only one"}</code>,
              Kind: <code>{kind}</code>,
              Name: <code>{key}</code>,
              Id: <code>{id}</code>,
            }}
          />
          <h2 className="subheading">Who states it</h2>
          {sources.length === 0 ? (
            <p className="soft">No connector. People defined it.</p>
          ) : (
            <Table label="Who states it" columns={COLUMNS}>
              <tbody>
                {sources.map((source) => (
                  <Row key={`${source.connector} ${source.existence} ${source.name}`} columns={COLUMNS}>
                    {source.connector}
                    <code>{source.name}</code>
                    {source.type}
                    <Badge
                      label={source.existence === "held" ? "holds it" : "names it"}
                      tone={source.existence === "held" ? "good" : "warn"}
                    />
                    <Time at={source.since} />
                  </Row>
                ))}
              </tbody>
            </Table>
          )}
          {nearMisses.length > 0 && (
            <>
              <h2 className="subheading">Nearly the same</h2>
              <p className="soft">
                These have the same name, or a part of it. If one of them is the same thing, a connector needs another
                <code> instance</code> or database.
              </p>
              <ul className="stack snug">
                {nearMisses.map((asset) => (
                  <li key={asset.id} className="row soft">
                    <TypeIcon type={asset.type} />
                    <Link href={pathOfAsset(asset.id)}>{asset.fqn}</Link> {asset.platform}
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
    </Loaded>
  );
}
