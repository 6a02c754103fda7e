/** A person or team by name, wherever one is named. */
import { Link } from "wouter";

import { pathOfOwner } from "./asset-row.ts";
import { type Person, usePerson } from "./person.ts";

interface PersonNameProps {
  of: Person | null;
  /** Shown if there is nobody. */
  none?: string;
  /** Whether it leads to the page of what the person owns. */
  isLink?: boolean;
}

/** The name, with the address on hover and for screen readers. */
export function PersonName({ of, none = "no owner", isLink = false }: PersonNameProps) {
  if (of === null) return none;
  const { address, name } = of;
  const shown = (
    <>
      {name}
      {address !== null && address !== name && <span className="unseen"> ({address})</span>}
    </>
  );
  return isLink ? (
    <Link href={pathOfOwner(address ?? name)} title={address ?? name}>
      {shown}
    </Link>
  ) : (
    <span title={address ?? name}>{shown}</span>
  );
}

/** The name of the person whom a filter or a rule means by an address. */
export function NamedPerson({ named }: { named: string }) {
  return <PersonName of={usePerson(named)} />;
}
