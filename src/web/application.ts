import { type Signal, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { UploadManager } from "./archives/upload-manager.ts";
import { Marks } from "./notebook/marks.ts";
import { NoteDrafts } from "./notebook/note-drafts.ts";
import { addressOf, BASE_PATH, type Parameters, type PathNames, type Place, type ViewName } from "./shell/addresses.ts";
import { Answers } from "./shell/answers.ts";
import type { Fault } from "./shell/fault.ts";
import { Keyboard } from "./shell/keyboard.ts";
import { Navigation, type Step } from "./shell/navigation.ts";
import { OpenedMessages } from "./shell/opened-messages.ts";
import type { ShellData } from "./shell/shell-data.ts";
import { chosenTheme, keep, storedPreference, type Theme } from "./shell/theme.ts";

/** A link to an unavailable original, and the reason. */
export interface RefusedOriginal {
  readonly link: HTMLAnchorElement;
  readonly fault: Fault;
}

/** State shared by all views. */
export interface Application {
  readonly shell: ShellData;
  readonly navigation: Navigation;
  readonly answers: Answers;
  readonly keyboard: Keyboard;
  /** The notebook of an archive; null if it is read-only. */
  readonly marksOf: (archive: string) => Marks | null;
  readonly drafts: NoteDrafts;
  /** Messages of an archive that were opened. */
  readonly openedIn: (archive: string) => OpenedMessages;
  readonly theme: Signal<Theme>;
  /** True to show times in UTC instead of the reader's zone. */
  readonly isUtc: Signal<boolean>;
  /** Uploads in progress, which continue while an archive is open; null before the first use. */
  readonly desk: Signal<UploadManager | null>;
  /** Words shown for a moment, and announced to screen readers. */
  readonly notice: Signal<string>;
  /** A requested original that is not available. */
  readonly refused: Signal<RefusedOriginal | null>;
  /** The overlay over the page. */
  readonly overlay: Signal<"keys" | "commands" | null>;
}

/** Created once, after the page has loaded. */
export function createApplication(shell: ShellData): Application {
  const isUtc = signal(storedPreference("zone") === "utc");
  isUtc.subscribe((isOn) => keep("zone", isOn ? "utc" : "own"));
  const answers = new Answers(shell.answers);
  const navigation = new Navigation();
  const notebooks = new Map<string, Marks>();
  const drafts = new NoteDrafts(answers, shell.needsToken);
  // The sign-in form replaces the view.
  answers.isSignedOut.subscribe((isOut) => {
    if (!isOut) return;
    navigation.remember();
    if (!answers.hasEnded) drafts.clear();
  });
  const opened = new Map<string, OpenedMessages>();
  return {
    shell,
    navigation,
    answers,
    drafts,
    marksOf(archive) {
      if (!shell.hasNotebook) return null;
      const marks = notebooks.get(archive) ?? new Marks(answers, `${apiOf(shell, archive)}/explore`);
      notebooks.set(archive, marks);
      return marks;
    },
    openedIn(archive) {
      const known = opened.get(archive) ?? new OpenedMessages(archive);
      opened.set(archive, known);
      return known;
    },
    keyboard: new Keyboard(),
    theme: chosenTheme(),
    isUtc,
    desk: signal(null),
    notice: signal(""),
    refused: signal(null),
    overlay: signal(null),
  };
}

export const ApplicationContext = createContext<Application | null>(null);

export function useApplication(): Application {
  return useContext(ApplicationContext)!;
}

/** The current route. Views are only rendered if there is one. */
export function useRoute(): Place {
  return useApplication().navigation.place.value!;
}

/** URLs of views of the current archive. */
export function useAddress(): (view: ViewName, names?: PathNames, parameters?: Parameters, anchor?: string) => string {
  const { archive } = useRoute();
  return (view, names = {}, parameters = {}, anchor = "") => addressOf(view, { archive, ...names }, parameters, anchor);
}

/** Changes parameters of the current URL; removes empty ones. */
export function useParameters(): (changed: Parameters, step?: Step) => void {
  const { navigation } = useApplication();
  return (changed, step = "push") => {
    const place = navigation.place.peek()!;
    const parameters = { ...Object.fromEntries(place.parameters), ...changed };
    navigation.go(addressOf(place.view, place, parameters, place.anchor), step);
  };
}

/** Paths of the JSON routes of an archive. */
export function useApi(): (path: string) => string {
  const { shell } = useApplication();
  const { archive } = useRoute();
  return (path) => `${apiOf(shell, archive)}/explore${path}`;
}

/** Base path of an archive's JSON routes. */
export function apiOf({ server }: ShellData, archive: string): string {
  return `${BASE_PATH}${server === "local" ? "/api" : `/uploads/${encodeURIComponent(archive)}`}`;
}
