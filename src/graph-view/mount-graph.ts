import { ContactTable } from "./controls/contact-table.ts";
import { showDetails } from "./controls/details-card.ts";
import { Gestures } from "./controls/gestures.ts";
import type { GraphChoice, GraphListeners } from "./controls/graph-choice.ts";
import { type GraphParts, makeGraphParts } from "./controls/graph-parts.ts";
import { listenToKeys } from "./controls/keyboard.ts";
import { showLegend } from "./controls/legend.ts";
import { SearchBox } from "./controls/search-box.ts";
import { TimeRange } from "./controls/time-range.ts";
import { Tooltip } from "./controls/tooltip.ts";
import { switchViews, type ViewSwitch } from "./controls/view-switch.ts";
import type { GraphData } from "./model/graph-data.ts";
import { type GraphModel, NO_NODE, readModel } from "./model/graph-model.ts";
import { GraphState } from "./model/graph-state.ts";
import { readTheme, type Theme } from "./model/graph-theme.ts";
import { describeCut } from "./model/wording.ts";
import type { Camera } from "./painting/camera.ts";
import { GraphCanvas } from "./painting/graph-canvas.ts";
import { PICTURE_WORDS as words } from "./painting/picture-words.ts";

const ZOOM_STEP = 1.4;
/** On screens narrower than this, the filters start collapsed. */
const NARROW_PX = 760;

/** A graph that is shown. */
export interface MountedGraph {
  /** Search box and view switch, which may be placed elsewhere. */
  readonly toolbar: HTMLElement;
  /** Restores a selection. */
  choose(choice: GraphChoice): void;
  focusSearch(): void;
  showTable(): void;
  /** Repaints after a change of colors. */
  repaint(): void;
  unmount(): void;
}

/** Shows the contact graph in an element, with its controls, a table of the same contacts, and details of each. */
export function mountGraph(element: HTMLElement, data: GraphData, listeners: GraphListeners): MountedGraph {
  const model = readModel(data);
  const state = new GraphState(model);
  const parts = makeGraphParts();
  element.append(parts.toolbar, parts.body);
  parts.filters.open = innerWidth >= NARROW_PX;
  parts.leftOut.textContent = describeCut(data);
  const time = new TimeRange(parts, model, state);
  const painting = startPainting(parts, { model, state, time });
  const { canvas } = painting;
  const table = new ContactTable(parts, { model, state, onChoose: (node) => goTo(node) });
  const views = switchViews(parts, () => table.show());
  const goTo = (node: number): void => {
    views.show("graph");
    // A selected contact is shown, whatever the filters.
    if (state.visible[node] === 0) {
      state.showSlots(() => true);
      time.reset();
    }
    state.select(node);
    canvas.center(node);
  };
  showDetails(parts.details, { model, state, onChoose: goTo, links: listeners.links });
  const search = new SearchBox(parts.search, parts.searchResults, { model, state, onChoose: goTo });
  showLegend(parts.legend, parts.allCommunities, { model, state });
  listenToKeys({ canvas, model, state, announcement: parts.announcement, details: parts.details });
  reportChoices({ model, state, time, views }, listeners);
  return {
    toolbar: parts.toolbar,
    choose({ contact, isTable, from, to, hidden }) {
      const slots = new Set(hidden.split(",").filter((slot) => slot !== ""));
      state.showSlots((slot) => !slots.has(String(slot)));
      time.choose(from, to);
      views.show(isTable ? "table" : "graph");
      const node = data.nodes.id.indexOf(contact);
      state.select(node);
      if (node !== NO_NODE) canvas.center(node);
    },
    focusSearch: () => search.focus(),
    showTable() {
      views.show("table");
      parts.table.focus();
    },
    repaint: painting.repaint,
    unmount() {
      painting.stop();
      parts.toolbar.remove();
      parts.body.remove();
    },
  };
}

interface Painted {
  readonly model: GraphModel;
  readonly state: GraphState;
  readonly time: TimeRange;
}

interface Painting {
  readonly canvas: GraphCanvas;
  repaint(): void;
  stop(): void;
}

function startPainting(parts: GraphParts, { model, state, time }: Painted): Painting {
  const stillness = matchMedia("(prefers-reduced-motion: reduce)");
  const darkness = matchMedia("(prefers-color-scheme: dark)");
  const tooltip = new Tooltip(parts.tooltip, model, state);
  let theme: Theme = readTheme(parts.body);
  const onView = (camera: Camera): void => {
    const text = `${Math.round(camera.zoom * 100)}%`;
    if (parts.zoomLevel.value !== text) parts.zoomLevel.value = text;
    tooltip.place(camera);
  };
  const environment = { theme: () => theme, isStill: () => stillness.matches, onView };
  const canvas = new GraphCanvas(parts.canvas, { model, state }, environment);
  new Gestures(canvas, state);
  state.listen((change) => {
    if (change !== "filter") return;
    time.paint(theme);
    const { visibleCount } = state;
    parts.shown.textContent = visibleCount === model.size ? "" : words.passing(visibleCount, model.size);
  });
  const repaint = (): void => {
    theme = readTheme(parts.body);
    canvas.repaint();
    time.paint(theme);
  };
  darkness.addEventListener("change", repaint);
  const sizes = new ResizeObserver(() => time.paint(theme));
  sizes.observe(parts.timeChart);
  startZoomButtons(parts, canvas);
  return {
    canvas,
    repaint,
    stop() {
      darkness.removeEventListener("change", repaint);
      sizes.disconnect();
      canvas.stop();
    },
  };
}

function startZoomButtons({ zoomIn, zoomOut, zoomFit }: GraphParts, canvas: GraphCanvas): void {
  const zoom = (factor: number) => (): void => {
    canvas.camera.zoomAt(factor, canvas.camera.width / 2, canvas.camera.height / 2);
    canvas.moved();
  };
  zoomIn.addEventListener("click", zoom(ZOOM_STEP));
  zoomOut.addEventListener("click", zoom(1 / ZOOM_STEP));
  zoomFit.addEventListener("click", () => canvas.fit());
}

/** Reports the selection whenever it changes. */
function reportChoices(
  { model, state, time, views }: Painted & { readonly views: ViewSwitch },
  { onChoice }: GraphListeners,
): void {
  let reported = "";
  const report = (): void => {
    const hidden = Array.from(state.shownSlots.keys()).filter((slot) => state.shownSlots[slot] === 0);
    const choice: GraphChoice = {
      contact: state.selected === NO_NODE ? "" : model.data.nodes.id[state.selected]!,
      isTable: views.isTable(),
      ...time.chosen(),
      hidden: hidden.join(","),
    };
    const text = JSON.stringify(choice);
    if (text !== reported && reported !== "") onChoice(choice);
    reported = text;
  };
  report();
  state.listen(report);
  views.listen(report);
}
