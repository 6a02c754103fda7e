/** What the pages of the settings have in common: the list of them beside the page. */
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";

import { useTitle } from "../../app/use-title.ts";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { Page } from "../../parts/page.tsx";
import styles from "./settings-page.module.css";

const PAGES: readonly { href: string; label: string; icon: IconName }[] = [
  { href: "/settings/api", label: "API", icon: "key" },
  { href: "/settings/people", label: "People", icon: "people" },
  { href: "/settings/audit", label: "Audit trail", icon: "history" },
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
  return (
    <div className={styles["frame"]}>
      <nav className={styles["list"]} aria-label="Settings">
        <ul>
          {PAGES.map(({ href, label, icon }) => (
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
