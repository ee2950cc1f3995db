import { effect, type Signal, signal } from "@preact/signals";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** The theme last selected on this machine; changes are stored and applied at once. */
export function chosenTheme(): Signal<Theme> {
  const theme = signal<Theme>(THEMES.find((name) => name === kept("theme")) ?? "system");
  effect(() => {
    document.documentElement.dataset["theme"] = theme.value;
    keep("theme", theme.value);
  });
  return theme;
}

/** A choice of the reader that this browser keeps; null where it keeps none. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(`archivetool.${name}`);
  } catch {
    return null;
  }
}

/** Keeps a choice of the reader, where the browser allows it. */
export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`archivetool.${name}`, value);
  } catch {
    // A browser that keeps nothing forgets a choice, and all else works.
  }
}
