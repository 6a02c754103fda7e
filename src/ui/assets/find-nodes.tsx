/** Finds assets and metrics by what somebody types, as options to choose from. */
import { useQuery } from "urql";
import { useState } from "react";

import { using } from "../graphql/graphql.ts";
import { CertificationBadge, TypeIcon } from "../parts/marks.tsx";
import { type Option, Combobox } from "../parts/combobox.tsx";
import { describeError } from "../parts/page.tsx";
import { useDebounced } from "../parts/use-search.ts";
import type { AssetType } from "../parts/node-types.ts";
import { NODE, type NodeRow, parentOf } from "./asset-row.ts";
import { Highlight } from "./names.tsx";

const FIND = using(NODE).gql(`query FindNodes($search: String!, $types: [AssetType!]) {
  assets(search: $search, types: $types, first: 8) { pageInfo { hasNextPage } nodes { ...Node } }
  metrics(search: $search, first: 3) { pageInfo { hasNextPage } nodes { ...Node } }
}`);

const REST_MS = 120;

/**
 * @param text if it is empty, nothing is asked for
 * @param types of the assets that are found; all if it is left out
 */
export function useFoundNodes(text: string, types: readonly AssetType[] | null = null) {
  const search = useDebounced(text, REST_MS);
  const [{ data, error, fetching }] = useQuery({
    query: FIND,
    variables: { search, types: types && [...types] },
    pause: search === "",
  });
  const isAsked = text !== "" && search !== "";
  const found = isAsked ? merge(data?.assets?.nodes ?? [], data?.metrics?.nodes ?? [], search) : [];
  const words = text.toLowerCase().split(/[\s.]+/);
  const options = found.map((node): Option & { node: NodeRow } => ({
    key: node.id,
    node,
    content: (
      <>
        <TypeIcon type={node.type} />
        <span className="medium nowrap">
          <Highlight text={node.name} words={words} />
        </span>
        <span className="soft small cut grow">{parentOf(node)}</span>
        <CertificationBadge certification={node.certification} />
      </>
    ),
  }));
  /** True while the options belong to an earlier text. */
  const isPending = text !== "" && (search !== text || fetching);
  const hasMore = Boolean(isAsked && (data?.assets?.pageInfo.hasNextPage || data?.metrics?.pageInfo.hasNextPage));
  return { options, hasMore, isPending, fault: error && isAsked ? describeError(error) : null };
}

/** Metrics come last. Those whose names begin with the text come before all assets whose names do not. */
function merge(assets: readonly NodeRow[], metrics: readonly NodeRow[], search: string): NodeRow[] {
  const begin = simplify(search);
  const isMeant = ({ name }: NodeRow): boolean => simplify(name).startsWith(begin);
  const [meant, others] = [metrics.filter(isMeant), metrics.filter((metric) => !isMeant(metric))];
  const before = assets.findIndex((asset) => asset.type === "column" || !isMeant(asset));
  return [...assets.toSpliced(before === -1 ? assets.length : before, 0, ...meant), ...others];
}

/** Underscores and blanks separate words alike. */
function simplify(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

interface AssetPickerProps {
  label: string;
  placeholder?: string;
  autoFocus?: boolean;
  onPick: (node: NodeRow) => void;
}

/** A field that finds an asset or metric by its name. */
export function AssetPicker({ label, placeholder = "Find an asset by name", autoFocus, onPick }: AssetPickerProps) {
  const [text, setText] = useState("");
  const { options, isPending, fault } = useFoundNodes(text.trim());
  return (
    <div>
      <Combobox
        floats
        label={label}
        placeholder={placeholder}
        text={text}
        onType={setText}
        options={options}
        isPending={isPending}
        isOpen={options.length > 0}
        autoFocus={autoFocus ?? false}
        onChoose={({ node }) => {
          setText("");
          onPick(node);
        }}
      />
      {fault && <p className="bad small">{fault}</p>}
    </div>
  );
}
