import { signal } from "@preact/signals";

export const themes = ["system", "light", "dark"] as const;

export type Theme = (typeof themes)[number];

const storageName = "parley-theme";

/** Kept by this browser; what it cannot read is the system's. */
export const theme = signal<Theme>(themes.find((one) => one === localStorage.getItem(storageName)) ?? "system");

const show = (chosen: Theme): void => {
  if (chosen === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = chosen;
};

export const setTheme = (chosen: Theme): void => {
  theme.value = chosen;
  localStorage.setItem(storageName, chosen);
  show(chosen);
};

/** In every tab at once. */
window.addEventListener("storage", ({ key, newValue }) => {
  if (key !== storageName) return;
  theme.value = themes.find((one) => one === newValue) ?? "system";
  show(theme.value);
});

show(theme.value);
