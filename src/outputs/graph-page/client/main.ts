import type { GraphData } from "../../../graph-view/model/graph-data.ts";
import { describeSize } from "../../../graph-view/model/wording.ts";
import { mountGraph } from "../../../graph-view/mount-graph.ts";
import { startThemeSwitch } from "./theme-switch.ts";

/** The element of the fixed markup with that id. */
function find(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new TypeError(`the page has no #${id}`);
  return element;
}

const data = JSON.parse(find("page-data").textContent ?? "") as GraphData;
const summary = describeSize(data);
find("summary").textContent = summary;
document.title = `Contact graph: ${summary}`;
const graph = mountGraph(find("graph-page"), data, { links: null, onChoice: () => undefined });
const themeButton = find("theme");
themeButton.before(graph.toolbar);
startThemeSwitch(themeButton, () => graph.repaint());
find("skip-to-table").addEventListener("click", (event) => {
  event.preventDefault();
  graph.showTable();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  graph.focusSearch();
});
