/** What the pages of the settings have in common: the list of them beside the page. */
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";

import { useIsAdmin } from "../../app/session/use-session.ts";
import { useTitle } from "../../app/use-title.ts";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { Page } from "../../parts/page.tsx";
import styles from "./settings-page.module.css";

interface ListedPage {
  href: string;
  label: string;
  icon: IconName;
  /** Others cannot do anything there. */
  isForAdmins?: true;
}

const PAGES: readonly ListedPage[] = [
  { href: "/settings/api", label: "API", icon: "key" },
  { href: "/settings/people", label: "People", icon: "people", isForAdmins: true },
  { href: "/settings/audit", label: "Audit trail", icon: "history", isForAdmins: true },
  { href: "/settings/account", label: "Your account", icon: "user" },
];

interface SettingsPageProps {
  title: string;
  lead: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function SettingsPage({ title, lead, actions, children }: SettingsPageProps) {
  useTitle(`${title} · Settings`);
  const [path] = useLocation();
  const isAdmin = useIsAdmin();
  // A page that a link led to is listed in any case, so that one sees where one is.
  const pages = PAGES.filter(({ href, isForAdmins }) => isAdmin || !isForAdmins || path === href);
  return (
    <div className={styles["frame"]}>
      <nav className={styles["list"]} aria-label="Settings">
        <ul>
          {pages.map(({ href, label, icon }) => (
            <li key={href}>
              <Link href={href} className={styles["item"]} aria-current={path === href ? "page" : undefined}>
                <Icon name={icon} size={14} /> {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles["content"]}>
        <Page title={title} lead={lead} actions={actions}>
          {children}
        </Page>
      </div>
    </div>
  );
}
