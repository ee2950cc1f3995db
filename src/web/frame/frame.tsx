import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Place, ViewName } from "../addresses.ts";
import { useAddress, useApplication, usePlace } from "../application.ts";
import { Icon, type IconName } from "../icon.tsx";
import { EmptyState, Skeleton } from "../states.tsx";
import { VIEWS, type View } from "../views.ts";
import { WORDS } from "../words.ts";
import { useGlobalKeys } from "./global-keys.ts";
import { KeyDialog } from "./key-dialog.tsx";
import { SignIn } from "./sign-in.tsx";
import { ThemeTool } from "./theme-tool.tsx";
import { ZoneTool } from "./zone-tool.tsx";

/** Views of the rail, and the drawing of each. */
const RAIL: readonly { readonly view: ViewName; readonly icon: IconName }[] = [
  { view: "overview", icon: "overview" },
  { view: "search", icon: "search" },
  { view: "people", icon: "people" },
  { view: "topics", icon: "topics" },
  { view: "calendar", icon: "calendar" },
  { view: "files", icon: "files" },
  { view: "mailboxes", icon: "mailboxes" },
  { view: "graph", icon: "graph" },
  { view: "notebook", icon: "notebook" },
  { view: "about", icon: "about" },
];

/** What stands around every view: the name of the archive, the way to the others, what is said in passing. */
export function Frame() {
  const { shell, navigation, answers, overlay } = useApplication();
  useGlobalKeys();
  if (navigation.place.value === null || !shell.isView) return <NoView />;
  if (answers.isSignedOut.value) return <SignIn />;
  return (
    <>
      <a class="skip" href="#content">
        {WORDS.skip}
      </a>
      <Rail />
      {answers.isOffline.value ? <OfflineBar /> : null}
      <main id="content" tabIndex={-1}>
        <ViewSlot />
      </main>
      {overlay.value === null ? null : <KeyDialog />}
      <Notice />
    </>
  );
}

function NoView() {
  return (
    <main id="content">
      <EmptyState title={WORDS.states.missing}>
        <p>{WORDS.states.missingHint}</p>
        <a class="button" href="/">
          {WORDS.product}
        </a>
      </EmptyState>
    </main>
  );
}

function Rail() {
  const { shell, views } = useApplication();
  const place = usePlace();
  const address = useAddress();
  if (place.archive === "") return null;
  return (
    <nav class="rail" aria-label={WORDS.navigation}>
      <a class="brand" href={shell.server === "local" ? address("overview") : "/"} title={WORDS.product}>
        <Icon name="archives" />
      </a>
      <ul>
        {RAIL.filter(({ view }) => views.has(view)).map(({ view, icon }) => (
          <li key={view}>
            <a href={address(view)} aria-current={isWithin(place, view) ? "page" : undefined}>
              <Icon name={icon} />
              <span>{WORDS.views[view]}</span>
            </a>
          </li>
        ))}
      </ul>
      <RailTools />
    </nav>
  );
}

/** Views that are reached through another one belong to it. */
const PARENTS: Partial<Readonly<Record<ViewName, ViewName>>> = {
  thread: "search",
  message: "search",
  permalink: "search",
  person: "people",
  between: "people",
  topic: "topics",
  warnings: "about",
};

function isWithin({ view }: Place, parent: ViewName): boolean {
  return view === parent || PARENTS[view] === parent;
}

function RailTools() {
  const { overlay } = useApplication();
  return (
    <div class="tools">
      <ZoneTool />
      <ThemeTool />
      <button
        type="button"
        class="tool"
        onClick={() => {
          overlay.value = "keys";
        }}
        aria-label={WORDS.actions.help}
        title={WORDS.actions.help}
      >
        <Icon name="help" />
      </button>
    </div>
  );
}

/** The view of the address; the one before stays until its code has come. */
function ViewSlot() {
  const { view } = usePlace();
  const shown = useSignal<{ readonly name: ViewName; readonly View: View } | null>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    let isWanted = true;
    void VIEWS[view]?.().then((Loaded) => {
      if (!isWanted) return;
      shown.value = { name: view, View: Loaded };
      if (!isFirst.current) document.getElementById("content")?.focus({ preventScroll: true });
      isFirst.current = false;
    });
    return () => {
      isWanted = false;
    };
  }, [view]);
  if (VIEWS[view] === undefined) return <EmptyState title={WORDS.states.missing} />;
  const { value } = shown;
  if (value === null || value.name !== view) return <Skeleton rows={6} height={72} />;
  return <value.View />;
}

function OfflineBar() {
  return (
    <div class="bar offline" role="alert">
      <Icon name="warning" />
      {WORDS.states.offline}. {WORDS.states.offlineHint}
    </div>
  );
}

/** Milliseconds that a notice is shown. */
const NOTICE_MS = 4000;

/** Says in passing what was done. */
function Notice() {
  const { notice } = useApplication();
  const text = notice.value;
  useEffect(() => {
    if (text === "") return undefined;
    const timer = setTimeout(() => {
      notice.value = "";
    }, NOTICE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div class={text === "" ? "notice" : "notice shown"} role="status">
      {text}
    </div>
  );
}
