import type { GraphData } from "../../../graph-view/model/graph-data.ts";
import { describeSize } from "../../../graph-view/model/wording.ts";
import { mountGraph } from "../../../graph-view/mount-graph.ts";

/** Light or dark: follows the system until the button is used. */
function startThemeSwitch(button: HTMLElement, onChange: () => void): void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  let choice: boolean | null = null;
  const apply = (): void => {
    const isDark = choice ?? system.matches;
    document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
    button.setAttribute("aria-pressed", String(isDark));
    onChange();
  };
  system.addEventListener("change", apply);
  button.addEventListener("click", () => {
    choice = !(choice ?? system.matches);
    apply();
  });
  apply();
}

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
