import { agent } from "../agent/session.ts";

export const Mark = () => (
  <p class="mark">
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <rect x="1" y="3" width="13" height="10" rx="4" class="mark-fill" />
      <rect x="10" y="10" width="12" height="11" rx="4" class="mark-line" />
    </svg>
    <strong>Parley</strong> <span class="muted">{agent}</span>
  </p>
);
