import { useApplication } from "../application.ts";
import { IconButton, type IconName } from "../parts/icon.tsx";
import { THEMES, type Theme } from "../shell/theme.ts";
import { WORDS } from "../words/words.ts";

const ICONS: Readonly<Record<Theme, IconName>> = { system: "system", light: "sun", dark: "moon" };

/** Switches to the next theme. */
export function ThemeTool() {
  const { theme } = useApplication();
  const name = WORDS.themes[theme.value];
  const turn = (): void => {
    theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length]!;
  };
  return <IconButton icon={ICONS[theme.value]} name={name} onClick={turn} />;
}
