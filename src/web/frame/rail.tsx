import { useEffect, useRef } from "preact/hooks";
import { useAddress, useApplication, useRoute } from "../application.ts";
import { Icon, IconButton } from "../parts/icon.tsx";
import { BASE_PATH, type Place, VIEW_ROWS, type ViewName } from "../shell/addresses.ts";
import { WORDS } from "../words/words.ts";
import { ThemeTool } from "./theme-tool.tsx";

type RailView = Extract<(typeof VIEW_ROWS)[number], { readonly rail: string }>;

const RAIL = VIEW_ROWS.filter((row): row is RailView => "rail" in row);
/** Number of views in the bottom bar on phones; the others are under "More". */
const AT_HAND = 4;

/** Navigation to all views: a column on desktops, a bottom bar on phones. */
export function Rail() {
  const { shell } = useApplication();
  const place = useRoute();
  const address = useAddress();
  if (place.archive === "") return null;
  const shown = shell.hasNotebook ? RAIL : RAIL.filter(({ view }) => view !== "notebook");
  return (
    <nav class="rail" aria-label={WORDS.navigation}>
      <a class="brand" href={shell.server === "local" ? address("overview") : `${BASE_PATH}/`} title={WORDS.product}>
        <Icon name="archives" />
      </a>
      <ul>
        {shown.map((row, index) => (
          <li key={row.view} class={index < AT_HAND ? undefined : "further"}>
            <RailLink row={row} />
          </li>
        ))}
      </ul>
      <MoreViews shown={shown.slice(AT_HAND)} />
      <RailTools />
    </nav>
  );
}

function RailLink({ row: { view, rail } }: { readonly row: RailView }) {
  const address = useAddress();
  const place = useRoute();
  return (
    <a href={address(view)} aria-current={isWithin(place, view) ? "page" : undefined}>
      <Icon name={view} />
      <span>{rail}</span>
    </a>
  );
}

/** The views that do not fit the bottom bar. Closes when a view is selected. */
function MoreViews({ shown }: { readonly shown: readonly RailView[] }) {
  const place = useRoute();
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
        // Otherwise the key would also go back.
        if (event.key === "Escape" && close()) event.preventDefault();
      }}
    >
      <summary aria-label={WORDS.actions.menu}>
        <Icon name="more" />
        <span aria-hidden="true">{WORDS.actions.more}</span>
      </summary>
      <div>
        <ul>
          {shown.map((row) => (
            <li key={row.view}>
              <RailLink row={row} />
            </li>
          ))}
        </ul>
        <RailTools />
      </div>
    </details>
  );
}

function isWithin({ view }: Place, parent: ViewName): boolean {
  return VIEW_ROWS.some((row) => row.view === view && (view === parent || ("parent" in row && row.parent === parent)));
}

function RailTools() {
  const { overlay } = useApplication();
  return (
    <div class="tools">
      <ZoneTool />
      <ThemeTool />
      <IconButton
        icon="help"
        name={WORDS.actions.help}
        onClick={() => {
          overlay.value = "keys";
        }}
      />
    </div>
  );
}

/** Toggles between the reader's time zone and UTC. Days of queries and charts are always UTC days. */
function ZoneTool() {
  const { isUtc } = useApplication();
  const { utc, zone } = WORDS.actions;
  return (
    <button
      type="button"
      class="tool zone"
      aria-pressed={isUtc.value}
      aria-label={zone}
      title={zone}
      onClick={() => {
        isUtc.value = !isUtc.value;
      }}
    >
      {utc}
    </button>
  );
}
