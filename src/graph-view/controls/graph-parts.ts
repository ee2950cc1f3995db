import { createElementWithId } from "../model/elements.ts";
import { PICTURE_WORDS as words } from "../painting/picture-words.ts";

/** The elements of the graph and its controls. Contents from mail are filled in later. */
export interface GraphParts {
  /** Search and view switch, which may be placed elsewhere. */
  readonly toolbar: HTMLElement;
  readonly body: HTMLElement;
  readonly search: HTMLInputElement;
  readonly searchResults: HTMLElement;
  readonly graphButton: HTMLElement;
  readonly tableButton: HTMLElement;
  readonly filters: HTMLDetailsElement;
  readonly legend: HTMLElement;
  readonly allCommunities: HTMLElement;
  readonly time: HTMLElement;
  readonly timeFrom: HTMLInputElement;
  readonly timeTo: HTMLInputElement;
  readonly timeText: HTMLElement;
  readonly timeChart: HTMLCanvasElement;
  readonly allTimes: HTMLElement;
  readonly leftOut: HTMLElement;
  readonly graphView: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  readonly announcement: HTMLElement;
  readonly tooltip: HTMLElement;
  readonly zoomIn: HTMLElement;
  readonly zoomOut: HTMLElement;
  readonly zoomFit: HTMLElement;
  readonly zoomLevel: HTMLOutputElement;
  readonly shown: HTMLElement;
  readonly details: HTMLElement;
  readonly tableView: HTMLElement;
  readonly table: HTMLElement;
  readonly caption: HTMLElement;
  readonly tableHead: HTMLElement;
  readonly tableRows: HTMLElement;
}

const HIDDEN = { hidden: "" };
const button = (id: string, text: string, attributes: Readonly<Record<string, string>> = {}): HTMLElement =>
  createElementWithId("button", id, { type: "button", ...attributes }, text);

/** Creates all elements without attaching them. */
export function makeGraphParts(): GraphParts {
  const tools = makeTools();
  const filters = makeFilters();
  const picture = makePicture();
  const table = makeTable();
  const { toolbar, ...inTools } = tools;
  const { aside, ...inAside } = filters;
  const body = createElementWithId(
    "div",
    "",
    { class: "contact-graph graph-body" },
    aside,
    picture.graphView,
    table.tableView,
  );
  return { toolbar, body, ...inTools, ...inAside, ...picture, ...table };
}

function makeTools() {
  const search = createElementWithId("input", "graph-search", {
    type: "search",
    placeholder: words.findHint,
    autocomplete: "off",
    spellcheck: "false",
    role: "combobox",
    "aria-expanded": "false",
    "aria-controls": "graph-results",
    "aria-autocomplete": "list",
    "aria-label": words.find,
  });
  const searchResults = createElementWithId("ul", "graph-results", {
    role: "listbox",
    "aria-label": words.found,
    ...HIDDEN,
  });
  const graphButton = button("show-graph", words.graph, { "aria-pressed": "true" });
  const tableButton = button("show-table", words.table, { "aria-pressed": "false" });
  const toolbar = createElementWithId(
    "div",
    "",
    { class: "contact-graph graph-tools" },
    createElementWithId(
      "div",
      "",
      { class: "graph-search", role: "search", "aria-label": words.contacts },
      search,
      createElementWithId("kbd", "", { "aria-hidden": "true" }, "/"),
      searchResults,
    ),
    createElementWithId(
      "div",
      "",
      { class: "switch", role: "group", "aria-label": words.view },
      graphButton,
      tableButton,
    ),
  );
  return { toolbar, search, searchResults, graphButton, tableButton };
}

function makeFilters() {
  const allCommunities = button("all-communities", words.showAll, { class: "plain-text" });
  const allTimes = button("all-times", words.wholeRange, { class: "plain-text" });
  const legend = createElementWithId("ul", "legend");
  const timeText = createElementWithId("p", "time-text", { "aria-live": "polite" });
  const timeChart = createElementWithId("canvas", "time-chart", { "aria-hidden": "true" });
  const slider = (id: string, label: string): HTMLInputElement =>
    createElementWithId("input", id, { type: "range", "aria-label": label, min: "0", step: "1" });
  const timeFrom = slider("time-from", words.fromMonth);
  const timeTo = slider("time-to", words.untilMonth);
  const leftOut = createElementWithId("p", "left-out", { class: "note" });
  const head = (title: HTMLElement, all: HTMLElement): HTMLElement =>
    createElementWithId("div", "", { class: "section-head" }, title, all);
  const communitiesTitle = createElementWithId("h2", "communities-title", {}, words.communities);
  const timeTitle = createElementWithId("h2", "time-title", {}, words.time);
  const time = createElementWithId(
    "section",
    "time",
    { "aria-labelledby": "time-title" },
    head(timeTitle, allTimes),
    timeText,
    timeChart,
    createElementWithId("div", "", { class: "range" }, timeFrom, timeTo),
  );
  const filters = createElementWithId(
    "details",
    "graph-filters",
    { open: "" },
    createElementWithId("summary", "", {}, words.filters),
    createElementWithId(
      "section",
      "",
      { "aria-labelledby": "communities-title" },
      head(communitiesTitle, allCommunities),
      legend,
    ),
    time,
    createElementWithId("p", "", { class: "note" }, words.legend),
    leftOut,
  );
  const aside = createElementWithId(
    "div",
    "",
    { class: "graph-aside", role: "group", "aria-label": words.filters, tabindex: "0" },
    filters,
  );
  return { aside, filters, legend, allCommunities, time, timeFrom, timeTo, timeText, timeChart, allTimes, leftOut };
}

function makePicture() {
  const canvas = createElementWithId("canvas", "graph", {
    tabindex: "0",
    role: "application",
    "aria-roledescription": words.role,
    "aria-label": words.picture,
    "aria-describedby": "graph-keys",
  });
  const announcement = createElementWithId("p", "announcement", {
    class: "unseen",
    role: "status",
    "aria-live": "polite",
  });
  const tooltip = createElementWithId("div", "tooltip", { role: "tooltip", ...HIDDEN });
  const zoomIn = button("zoom-in", "+", { "aria-label": words.zoomIn });
  const zoomOut = button("zoom-out", "−", { "aria-label": words.zoomOut });
  const zoomFit = button("zoom-fit", "⤢", { "aria-label": words.showEverything });
  const zoomLevel = createElementWithId("output", "zoom-level", { "aria-label": words.zoomLevel }, "100%");
  const shown = createElementWithId("p", "shown", { role: "status" });
  const details = createElementWithId("article", "details", { "aria-label": words.details, ...HIDDEN });
  const graphView = createElementWithId(
    "section",
    "graph-view",
    { "aria-label": words.graph },
    canvas,
    createElementWithId("p", "graph-keys", { class: "unseen" }, words.keys),
    announcement,
    tooltip,
    createElementWithId(
      "div",
      "",
      { class: "zoom", role: "group", "aria-label": words.zoom },
      zoomIn,
      zoomLevel,
      zoomOut,
      zoomFit,
    ),
    shown,
    details,
  );
  return { graphView, canvas, announcement, tooltip, zoomIn, zoomOut, zoomFit, zoomLevel, shown, details };
}

function makeTable() {
  const caption = createElementWithId("caption", "table-caption");
  const tableHead = createElementWithId("tr", "table-head");
  const tableRows = createElementWithId("tbody", "table-rows");
  const table = createElementWithId(
    "table",
    "contact-table",
    { tabindex: "-1" },
    caption,
    createElementWithId("thead", "", {}, tableHead),
    tableRows,
  );
  const tableView = createElementWithId(
    "section",
    "table-view",
    { "aria-label": words.table, tabindex: "0", ...HIDDEN },
    table,
  );
  return { tableView, table, caption, tableHead, tableRows };
}
