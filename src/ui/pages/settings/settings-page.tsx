/** What the pages of the settings have in common: the list of them beside the page. */
import type { ReactNode } from "react";
import { Link, Redirect, useLocation } from "wouter";

import { AdminsOnly } from "../../app/session/admins-only.tsx";
import { useIsAdmin } from "../../app/session/session.ts";
import { Icon, type IconName } from "../../parts/marks.tsx";
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
  { href: "/settings/notices", label: "Notifications", icon: "bell" },
  { href: "/settings/audit", label: "Audit trail", icon: "history", isForAdmins: true },
  { href: "/settings/account", label: "Your account", icon: "user" },
];

interface SettingsPageProps {
  title: string;
  lead: ReactNode;
  actions?: ReactNode;
  /** If only admins see the page: what they do there, such as `read the audit trail`. */
  forAdmins?: string;
  children: ReactNode;
}

export function SettingsPage({ title, lead, actions, forAdmins, children }: SettingsPageProps) {
  const [path] = useLocation();
  const isAdmin = useIsAdmin();
  // The open page is always listed.
  const pages = PAGES.filter(({ href, isForAdmins }) => isAdmin || !isForAdmins || path === href);
  const mayOpen = forAdmins === undefined || isAdmin;
  return (
    <div className={`columns ${styles["frame"]}`}>
      <nav className={`pinned ${styles["list"]}`} aria-label="Settings">
        <ul>
          {pages.map(({ href, label, icon }) => (
            <li key={href}>
              <Link href={href} className="option soft medium nowrap" aria-current={path === href ? "page" : undefined}>
                <Icon name={icon} size={14} /> {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="shrink">
        <Page title={title} tab={`${title} · Settings`} lead={lead} actions={mayOpen && actions}>
          {forAdmins === undefined ? children : <AdminsOnly what={forAdmins}>{children}</AdminsOnly>}
        </Page>
      </div>
    </div>
  );
}

/** Leads to the first page of the settings that the user has a use for. */
export function SettingsHome() {
  return <Redirect to={useIsAdmin() ? "/settings/api" : "/settings/account"} replace />;
}
