import { useEffect, useRef } from "preact/hooks";
import { useAddress, useApplication, usePlace } from "../application.ts";
import { Icon, type IconName } from "../parts/icon.tsx";
import { BASE_PATH, type Place, type ViewName } from "../shell/addresses.ts";
import { WORDS } from "../words/words.ts";
import { ThemeTool } from "./theme-tool.tsx";
import { ZoneTool } from "./zone-tool.tsx";

interface RailView {
  readonly view: ViewName;
  readonly icon: IconName;
}

/** Views of the rail, and the drawing of each. */
const RAIL: readonly RailView[] = [
  { view: "overview", icon: "overview" },
  { view: "search", icon: "search" },
  { view: "people", icon: "people" },
  { view: "topics", icon: "topics" },
  { view: "calendar", icon: "calendar" },
  { view: "files", icon: "files" },
  { view: "mailboxes", icon: "mailboxes" },
  { view: "items", icon: "items" },
  { view: "graph", icon: "graph" },
  { view: "hits", icon: "hits" },
  { view: "notebook", icon: "notebook" },
  { view: "about", icon: "about" },
];
/** Views that fit beside each other at the foot of a phone; the others stand behind "More". */
const AT_HAND = 4;

/** The way to every view: a column on a desk, a bar at the foot of a phone. */
export function Rail() {
  const { shell, views } = useApplication();
  const place = usePlace();
  const address = useAddress();
  if (place.archive === "") return null;
  const shown = RAIL.filter(({ view }) => views.has(view));
  return (
    <nav class="rail" aria-label={WORDS.navigation}>
      <a class="brand" href={shell.server === "local" ? address("overview") : `${BASE_PATH}/`} title={WORDS.product}>
        <Icon name="archives" />
      </a>
      <ul>
        {shown.map(({ view, icon }, index) => (
          <li key={view} class={index < AT_HAND ? undefined : "further"}>
            <RailLink view={view} icon={icon} />
          </li>
        ))}
      </ul>
      <MoreViews shown={shown.slice(AT_HAND)} />
      <RailTools />
    </nav>
  );
}

function RailLink({ view, icon }: RailView) {
  const address = useAddress();
  const place = usePlace();
  return (
    <a href={address(view)} aria-current={isWithin(place, view) ? "page" : undefined}>
      <Icon name={icon} />
      <span>{WORDS.rail[view] ?? WORDS.views[view]}</span>
    </a>
  );
}

/** What does not fit at the foot of a phone. It closes when a view was chosen. */
function MoreViews({ shown }: { readonly shown: readonly RailView[] }) {
  const place = usePlace();
  const menu = useRef<HTMLDetailsElement>(null);
  const close = (): boolean => {
    const wasOpen = menu.current?.open ?? false;
    if (wasOpen) menu.current!.open = false;
    return wasOpen;
  };
  useEffect(() => void close(), [place]);
  const isOneShown = shown.some(({ view }) => isWithin(place, view));
  return (
    <details
      ref={menu}
      class={isOneShown ? "more-views within" : "more-views"}
      onKeyDown={(event) => {
        // Else the key would go back a view.
        if (event.key === "Escape" && close()) event.preventDefault();
      }}
    >
      <summary aria-label={WORDS.actions.menu}>
        <Icon name="more" />
        <span aria-hidden="true">{WORDS.actions.more}</span>
      </summary>
      <div>
        <ul>
          {shown.map(({ view, icon }) => (
            <li key={view}>
              <RailLink view={view} icon={icon} />
            </li>
          ))}
        </ul>
        <RailTools />
      </div>
    </details>
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
