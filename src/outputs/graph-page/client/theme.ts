import { COLOURED } from "./graph-model.ts";

/** Colours of the canvas, as the style sheet defines them for the mode in use. */
export interface Theme {
  /** By slot; the last is the grey of the other communities. */
  readonly nodes: readonly string[];
  readonly paper: string;
  readonly ink: string;
  readonly edge: string;
  readonly accent: string;
  readonly font: string;
}

function readTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const value = (name: string): string => style.getPropertyValue(name).trim();
  return {
    nodes: Array.from({ length: COLOURED + 1 }, (_, slot) => value(`--community-${slot}`)),
    paper: value("--paper"),
    ink: value("--ink"),
    edge: value("--edge"),
    accent: value("--accent"),
    font: style.fontFamily,
  };
}

/** Light or dark: as the system is, until the button says otherwise. */
export class ThemeSwitch {
  theme: Theme;
  private readonly system = matchMedia("(prefers-color-scheme: dark)");
  private readonly button: HTMLElement;
  private choice: boolean | null = null;

  constructor(button: HTMLElement, onChange: () => void) {
    this.button = button;
    this.theme = this.apply();
    const change = (): void => {
      this.theme = this.apply();
      onChange();
    };
    this.system.addEventListener("change", change);
    button.addEventListener("click", () => {
      this.choice = !this.isDark();
      change();
    });
  }

  private isDark(): boolean {
    return this.choice ?? this.system.matches;
  }

  private apply(): Theme {
    document.documentElement.dataset["theme"] = this.isDark() ? "dark" : "light";
    this.button.setAttribute("aria-pressed", String(this.isDark()));
    return readTheme();
  }
}
