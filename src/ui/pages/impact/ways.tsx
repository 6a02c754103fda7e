/** The two ways to ask: about one change, or about a whole pull request. */
import { Link, useLocation } from "wouter";

import { Icon } from "../../parts/marks.tsx";

const WAYS = [
  { href: "/impact", label: "One change", icon: "impact" },
  { href: "/impact/manifest", label: "A pull request", icon: "upload" },
] as const;

export function Ways() {
  const [path] = useLocation();
  return (
    <nav aria-label="What to assess" className="segments">
      {WAYS.map(({ href, label, icon }) => (
        <Link key={href} className="segment" href={href} aria-current={path === href ? "page" : undefined}>
          <Icon name={icon} size={14} /> {label}
        </Link>
      ))}
    </nav>
  );
}
