import { type Application, useApplication } from "../application.ts";
import { copyLink } from "../parts/copy-link.ts";
import { addressOf, BASE_PATH, type ViewName } from "../shell/addresses.ts";
import type { KeyName } from "../shell/key-table.ts";
import type { KeyHandlers } from "../shell/keyboard.ts";
import { useKeys } from "../shell/use-keys.ts";
import { closeWhatIsOpen } from "./open-menus.ts";

/** Keys that open a view. */
const DESTINATIONS: Partial<Readonly<Record<KeyName, ViewName>>> = {
  overview: "overview",
  goSearch: "search",
  people: "people",
  topics: "topics",
  files: "files",
  calendar: "calendar",
  graph: "graph",
  notebook: "notebook",
};

/** Keys that work in every view. */
export function useGlobalKeys(): void {
  useKeys(globalKeys(useApplication()));
}

function globalKeys(application: Application): KeyHandlers {
  const { navigation, overlay, shell } = application;
  const destinations = Object.entries(DESTINATIONS).map(([key, view]) => [key, () => goTo(application, view)]);
  return {
    ...(Object.fromEntries(destinations) as KeyHandlers),
    // Without uploads, there is only one archive.
    archives: () => (shell.server === "local" ? goTo(application, "overview") : navigation.go(`${BASE_PATH}/`)),
    search() {
      const box = document.getElementById("q");
      if (box === null) return goTo(application, "search");
      box.focus();
      return box instanceof HTMLInputElement ? box.select() : undefined;
    },
    help() {
      overlay.value = "keys";
    },
    commands() {
      overlay.value = "commands";
    },
    back() {
      // A requested dialog may still be loading.
      const wasOpen = closeWhatIsOpen() || overlay.peek() !== null;
      overlay.value = null;
      if (!wasOpen) navigation.back();
    },
    copyLink: () => copyLink(application),
  };
}

/** Returns false if there is no such view, and the key does nothing. */
function goTo({ navigation, shell }: Application, view: ViewName): boolean {
  const place = navigation.place.peek();
  if (place === null || place.archive === "" || (view === "notebook" && !shell.hasNotebook)) return false;
  navigation.go(addressOf(view, { archive: place.archive }));
  return true;
}
