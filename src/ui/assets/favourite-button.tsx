import { useQuery } from "urql";

import { gql, mutation } from "../graphql/graphql.ts";
import { useChange } from "../graphql/requests.ts";
import { IconButton } from "../parts/button.tsx";
import styles from "./favourite-button.module.css";

const IS_FAVOURITE = gql("query IsFavourite($id: ID!) { isMyFavourite(id: $id) }");

const SET_FAVOURITE = mutation("setFavourite", "id");

/** Marks an asset or metric as a favourite, or takes it from the favourites. */
export function FavouriteButton({ id }: { id: string }) {
  const [{ data }, again] = useQuery({ query: IS_FAVOURITE, variables: { id } });
  const { change, isBusy, fault } = useChange(SET_FAVOURITE);
  const isFavourite = data?.isMyFavourite ?? false;
  const toggle = async (): Promise<void> => {
    await change({ input: { id, favourite: !isFavourite } });
    again({ requestPolicy: "network-only" });
  };
  return (
    <>
      <IconButton
        icon="star"
        label={isFavourite ? "Remove from the favourites" : "Add to the favourites"}
        aria-pressed={isFavourite}
        className={styles["star"]}
        disabled={isBusy}
        onClick={() => void toggle()}
      />
      {fault && <span className="bad small">{fault}</span>}
    </>
  );
}
