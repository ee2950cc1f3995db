import { effect, type Signal, signal } from "@preact/signals";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** The theme last selected on this machine; changes are stored and applied at once. */
export function chosenTheme(): Signal<Theme> {
  const theme = signal<Theme>(THEMES.find((name) => name === storedPreference("theme")) ?? "system");
  effect(() => {
    document.documentElement.dataset["theme"] = theme.value;
    keep("theme", theme.value);
  });
  return theme;
}

/** A stored user preference, or null. */
export function storedPreference(name: string): string | null {
  try {
    return localStorage.getItem(`archivetool.${name}`);
  } catch {
    return null;
  }
}

/** Stores a user preference, if the browser allows it. */
export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`archivetool.${name}`, value);
  } catch {
    // In a browser that stores nothing, preferences are lost, and everything else works.
  }
}
