/** What people and service accounts can be, from the least to the most. */
export const ROLES = [
  { value: "analyst", label: "Analyst: reads" },
  { value: "engineer", label: "Engineer: reads and writes" },
  { value: "admin", label: "Admin: manages the workspace too" },
] as const;

export type Role = (typeof ROLES)[number]["value"];

/** @param text what a form has */
export function toRole(text: unknown): Role {
  return ROLES.find(({ value }) => value === text)?.value ?? "analyst";
}
