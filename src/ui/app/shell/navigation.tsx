/** The side navigation. */
import { Link, useLocation } from "wouter";

import { Brand } from "../../parts/brand.tsx";
import { classNames } from "../../parts/class-names.ts";
import { Icon } from "../../parts/icon.tsx";
import { ELSEWHERE, PAGES } from "../pages.ts";
import { useSession } from "../session/use-session.ts";
import styles from "./navigation.module.css";
import { UserMenu } from "./user-menu.tsx";

export function Navigation({ onSearch }: { onSearch: () => void }) {
  const [path] = useLocation();
  const { workspace } = useSession();
  return (
    <div className={styles["navigation"]}>
      <p className={styles["workspace"]}>
        <Brand />
        <span className={styles["name"]} title={workspace.name}>
          {workspace.name}
        </span>
      </p>
      <button type="button" className={styles["search"]} onClick={onSearch}>
        <Icon name="search" size={14} /> Search <kbd>/</kbd>
      </button>
      <nav aria-label="Workspace">
        <ul>
          {PAGES.map(
            ({ path: target, label, icon, covers }) =>
              label &&
              icon && (
                <li key={target}>
                  <Link
                    href={target}
                    className={classNames(styles["item"])}
                    aria-current={(covers?.test(path) ?? path === target) ? "page" : undefined}
                  >
                    <Icon name={icon} /> {label}
                  </Link>
                </li>
              ),
          )}
        </ul>
        <h2>For programs</h2>
        <ul>
          {ELSEWHERE.map(({ href, label, icon }) => (
            <li key={href}>
              <a href={href} className={styles["item"]} target="_blank" rel="noreferrer">
                <Icon name={icon} /> {label}
                <span className={styles["away"]}>
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
