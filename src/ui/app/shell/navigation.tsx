/** The side navigation. */
import { Link, useLocation } from "wouter";

import { Brand } from "../../parts/brand.tsx";
import { Icon } from "../../parts/icon.tsx";
import { isCurrent, OTHER_PAGES, PAGES } from "../pages.ts";
import { NOTICES } from "../home.ts";
import { useSession } from "../session/session-store.ts";
import { UnreadBadge } from "../unread.tsx";
import styles from "./navigation.module.css";
import { UserMenu } from "./user-menu.tsx";

export function Navigation({ onSearch }: { onSearch: () => void }) {
  const [path] = useLocation();
  return (
    <div className={styles["navigation"]}>
      <WorkspaceName />
      <button type="button" className={`option soft ${styles["search"]}`} onClick={onSearch}>
        <Icon name="search" size={14} /> Search <kbd className="push">/</kbd>
      </button>
      <nav aria-label="Workspace">
        <ul>
          {PAGES.map(
            (page) =>
              page.icon && (
                <li key={page.path}>
                  <Link
                    href={page.path}
                    className={`option soft medium ${styles["item"]}`}
                    aria-current={isCurrent(page, path) ? "page" : undefined}
                  >
                    <Icon name={page.icon} /> {page.label}
                    {page.path === NOTICES && (
                      <span className="push">
                        <UnreadBadge />
                      </span>
                    )}
                  </Link>
                </li>
              ),
          )}
        </ul>
        <h2 className="caption">For programs</h2>
        <ul>
          {OTHER_PAGES.map(({ href, label, icon }) => (
            <li key={href}>
              <a href={href} className={`option soft medium ${styles["item"]}`} target="_blank" rel="noreferrer">
                <Icon name={icon} /> {label}
                <span className="row push faint">
                  <Icon name="external" size={12} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <UserMenu />
    </div>
  );
}

export function WorkspaceName() {
  const { workspace } = useSession();
  return (
    <p className={`row strong ${styles["workspace"]}`}>
      <Brand />
      <span className="cut" title={workspace.name}>
        {workspace.name}
      </span>
    </p>
  );
}
