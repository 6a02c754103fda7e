import { useState } from "react";

import { Combobox } from "../parts/combobox.tsx";
import { type FoundNode, useFoundNodes } from "./find-nodes.tsx";

interface AssetPickerProps {
  label: string;
  placeholder?: string;
  autoFocus?: boolean;
  onPick: (node: FoundNode) => void;
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
