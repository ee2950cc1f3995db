import type { PageData } from "../page-data.ts";
import type { Camera } from "./camera.ts";
import { ContactTable } from "./contact-table.ts";
import { showDetails } from "./details-card.ts";
import { find } from "./elements.ts";
import { Gestures } from "./gestures.ts";
import { GraphCanvas } from "./graph-canvas.ts";
import { type GraphModel, readModel } from "./graph-model.ts";
import { listenToKeys } from "./keyboard.ts";
import { showLegend } from "./legend.ts";
import { PageState } from "./page-state.ts";
import { SearchBox } from "./search-box.ts";
import { ThemeSwitch } from "./theme.ts";
import { TimeRange } from "./time-range.ts";
import { Tooltip } from "./tooltip.ts";
import { switchViews } from "./view-switch.ts";
import { countOf, formatDay, formatNumber } from "./wording.ts";

const ZOOM_STEP = 1.4;
/** Screens narrower than this start with the filters folded away. */
const NARROW_PX = 760;

function startPage(): void {
  const model = readModel(JSON.parse(find("page-data", HTMLScriptElement).text) as PageData);
  const state = new PageState(model);
  describeContent(model);
  find("filters", HTMLDetailsElement).open = innerWidth >= NARROW_PX;
  const canvas = startGraph(model, state);
  const table = new ContactTable(
    {
      head: find("table-head", HTMLElement),
      body: find("table-rows", HTMLElement),
      caption: find("table-caption", HTMLElement),
    },
    { model, state, onChoose: (node) => goTo(node) },
  );
  const showGraph = startViews(table);
  const allCommunities = find("all-communities", HTMLButtonElement);
  const allTimes = find("all-times", HTMLButtonElement);
  const goTo = (node: number): void => {
    showGraph();
    // What is asked for by name is shown, whatever the filters say.
    if (state.visible[node] === 0) for (const button of [allCommunities, allTimes]) button.click();
    state.select(node);
    canvas.centre(node);
  };
  showDetails(find("details", HTMLElement), { model, state, onChoose: goTo });
  new SearchBox(find("search", HTMLInputElement), find("search-results", HTMLUListElement), {
    model,
    state,
    onChoose: goTo,
  });
  showLegend(find("legend", HTMLUListElement), allCommunities, { model, state });
  listenToKeys({ canvas, model, state, announcement: find("announcement", HTMLElement) });
}

/** What is shown, and what is not. */
function describeContent({ data, size }: GraphModel): void {
  const { totals, ties, generator, extractedAt } = data;
  const edges = ties.a.reduce((sum, _, tie) => sum + Number(ties.there[tie]! > 0) + Number(ties.back[tie]! > 0), 0);
  const summary = `${formatNumber(size)} of ${countOf(totals.contacts, "contact")}, ${formatNumber(edges)} of ${countOf(totals.edges, "edge")}`;
  find("summary", HTMLElement).textContent = summary;
  const isWhole = size === totals.contacts && edges === totals.edges;
  find("left-out", HTMLElement).textContent = isWhole
    ? `Everything in the archive is shown. Written by ${generator} from mail extracted on ${formatDay(extractedAt)}.`
    : `Shown are the contacts with most messages and their strongest ties; left out: ${countOf(totals.contacts - size, "contact")} and ${countOf(totals.edges - edges, "edge")}. Written by ${generator} from mail extracted on ${formatDay(extractedAt)}.`;
  document.title = `Contact graph: ${summary}`;
}

function startGraph(model: GraphModel, state: PageState): GraphCanvas {
  const stillness = matchMedia("(prefers-reduced-motion: reduce)");
  const tooltip = new Tooltip(find("tooltip", HTMLElement), model, state);
  const time = startTime(model, state);
  const theme = new ThemeSwitch(find("theme", HTMLButtonElement), () => {
    canvas.repaint();
    time.paint(theme.theme);
  });
  const level = find("zoom-level", HTMLOutputElement);
  const onView = (camera: Camera): void => {
    const text = `${Math.round(camera.zoom * 100)} %`;
    if (level.value !== text) level.value = text;
    tooltip.place(camera);
  };
  const canvas = new GraphCanvas(
    find("graph", HTMLCanvasElement),
    { model, state },
    { theme: () => theme.theme, isStill: () => stillness.matches, onView },
  );
  new Gestures(canvas, state);
  const shown = find("shown", HTMLElement);
  state.listen((change) => {
    if (change !== "filter") return;
    time.paint(theme.theme);
    const { visibleCount } = state;
    shown.textContent =
      visibleCount === model.size
        ? ""
        : `${formatNumber(visibleCount)} of ${formatNumber(model.size)} pass the filters`;
  });
  new ResizeObserver(() => time.paint(theme.theme)).observe(find("time-chart", HTMLCanvasElement));
  startZoomButtons(canvas);
  return canvas;
}

function startTime(model: GraphModel, state: PageState): TimeRange {
  const parts = {
    section: find("time", HTMLElement),
    from: find("time-from", HTMLInputElement),
    to: find("time-to", HTMLInputElement),
    text: find("time-text", HTMLElement),
    chart: find("time-chart", HTMLCanvasElement),
    reset: find("all-times", HTMLButtonElement),
  };
  return new TimeRange(parts, model, state);
}

function startZoomButtons(canvas: GraphCanvas): void {
  const zoom = (factor: number) => (): void => {
    canvas.camera.zoomAt(factor, canvas.camera.width / 2, canvas.camera.height / 2);
    canvas.moved();
  };
  find("zoom-in", HTMLButtonElement).addEventListener("click", zoom(ZOOM_STEP));
  find("zoom-out", HTMLButtonElement).addEventListener("click", zoom(1 / ZOOM_STEP));
  find("zoom-fit", HTMLButtonElement).addEventListener("click", () => canvas.fit());
}

/** @returns a function that shows the graph. */
function startViews(table: ContactTable): () => void {
  const parts = {
    graphButton: find("show-graph", HTMLButtonElement),
    tableButton: find("show-table", HTMLButtonElement),
    graphView: find("graph-view", HTMLElement),
    tableView: find("table-view", HTMLElement),
  };
  find("skip-to-table", HTMLAnchorElement).addEventListener("click", (event) => {
    event.preventDefault();
    parts.tableButton.click();
    find("contact-table", HTMLTableElement).focus();
  });
  return switchViews(parts, () => table.show());
}

startPage();
