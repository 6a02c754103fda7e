import { useState } from "react";

import { mutation } from "../../graphql/graphql.ts";
import { IconButton } from "../../parts/button.tsx";
import { ChangeDialog } from "../../parts/change-form.tsx";
import { TextField } from "../../parts/field.tsx";
import { useParameters } from "../../parts/use-parameters.ts";

const SAVE_SEARCH = mutation("saveSearch", "search { id name query }");

/** Saves the search and the filters of the address under a name. The home page lists what a person saved. */
export function SaveSearch() {
  const [isNaming, setNaming] = useState(false);
  const { parameters } = useParameters();
  const query = parameters.toString();
  if (query === "") return null;
  return (
    <>
      <IconButton icon="star" label="Save this search" onClick={() => setNaming(true)} />
      {isNaming && (
        <ChangeDialog
          title="Save this search"
          action="Save"
          change={SAVE_SEARCH}
          variables={(form) => ({ input: { name: String(form.get("name")), query } })}
          types={["SavedSearch"]}
          onDone={() => "It is on your home page."}
          onClose={() => setNaming(false)}
        >
          <TextField
            label="Name"
            name="name"
            defaultValue={parameters.get("q") ?? ""}
            autoFocus
            required
            maxLength={100}
          />
        </ChangeDialog>
      )}
    </>
  );
}
