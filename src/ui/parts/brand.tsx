/** Three streams that become one. */
export function Brand({ size = 18 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <path
        d="M5 4c0 11 11 9 11 24M27 4c0 11-11 9-11 24M16 4v24"
        stroke="var(--accent)"
        strokeWidth={4}
        strokeLinecap="round"
      />
    </svg>
  );
}
