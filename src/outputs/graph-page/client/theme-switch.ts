/** Light or dark: follows the system until the button is used. */
export function startThemeSwitch(button: HTMLElement, onChange: () => void): void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  let choice: boolean | null = null;
  const apply = (): void => {
    const isDark = choice ?? system.matches;
    document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
    button.setAttribute("aria-pressed", String(isDark));
    onChange();
  };
  system.addEventListener("change", apply);
  button.addEventListener("click", () => {
    choice = !(choice ?? system.matches);
    apply();
  });
  apply();
}
