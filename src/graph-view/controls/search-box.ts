import { make, makeMailText } from "../model/elements.ts";
import { type GraphModel, nameOf } from "../model/graph-model.ts";
import type { ChoosingView, GraphState } from "../model/graph-state.ts";
import { PICTURE_WORDS as words } from "../painting/picture-words.ts";

/** Contacts listed under the box; all that match are ringed in the graph. */
const LISTED = 8;

/** The search box: highlights matches while typing; Enter or a click selects one. */
export class SearchBox {
  private readonly model: GraphModel;
  private readonly state: GraphState;
  private readonly onChoose: (node: number) => void;
  private readonly keys: readonly string[];
  private found: readonly number[] = [];
  private active = 0;

  constructor(
    private readonly input: HTMLInputElement,
    private readonly list: HTMLElement,
    { model, state, onChoose }: ChoosingView,
  ) {
    this.model = model;
    this.state = state;
    this.onChoose = onChoose;
    const { nodes } = model.data;
    this.keys = nodes.name.map((name, node) =>
      searchKey([name, nodes.email[node]!, ...nodes.aliases[node]!].join("\n")),
    );
    input.addEventListener("input", () => this.search());
    input.addEventListener("focus", () => this.search());
    input.addEventListener("blur", () => this.close());
    input.addEventListener("keydown", (event) => this.press(event));
  }

  focus(): void {
    this.input.focus();
    this.input.select();
  }

  private search(): void {
    const wanted = searchKey(this.input.value)
      .split(/\s+/u)
      .filter((word) => word !== "");
    this.found =
      wanted.length === 0
        ? []
        : this.keys.flatMap((key, node) => (wanted.every((word) => key.includes(word)) ? [node] : []));
    this.active = 0;
    this.state.match(this.found);
    this.show();
  }

  private show(): void {
    const isOpen = this.input.value.trim() !== "";
    this.list.hidden = !isOpen;
    this.input.setAttribute("aria-expanded", String(isOpen));
    const rows = this.found.slice(0, LISTED).map((node, at) => this.row(node, at));
    const rest = this.found.length - rows.length;
    const note = this.found.length === 0 ? words.noneFound : rest > 0 ? words.moreFound(rest) : "";
    this.list.replaceChildren(...rows, ...(note === "" ? [] : [make("li", "note", note)]));
    if (isOpen && rows.length > 0) this.input.setAttribute("aria-activedescendant", `graph-found-${this.active}`);
    else this.input.removeAttribute("aria-activedescendant");
  }

  private row(node: number, at: number): HTMLElement {
    const row = make("li", `swatch-${this.model.slot[node]}`);
    row.id = `graph-found-${at}`;
    row.role = "option";
    row.setAttribute("aria-selected", String(at === this.active));
    const name = nameOf(this.model, node);
    const email = this.model.data.nodes.email[node]!;
    row.append(makeMailText("span", "name", name));
    if (email !== "" && email !== name) row.append(makeMailText("span", "address", email));
    // Runs before the box loses the focus, which closes the list.
    row.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      this.choose(node);
    });
    return row;
  }

  private press(event: KeyboardEvent): void {
    const listed = Math.min(LISTED, this.found.length);
    if (event.key === "Enter" && this.found[this.active] !== undefined) this.choose(this.found[this.active]!);
    else if (event.key === "Escape") this.clear();
    else if (event.key === "ArrowDown" && listed > 0) this.active = (this.active + 1) % listed;
    else if (event.key === "ArrowUp" && listed > 0) this.active = (this.active + listed - 1) % listed;
    else return;
    event.preventDefault();
    if (event.key.startsWith("Arrow")) this.show();
  }

  private choose(node: number): void {
    this.close();
    this.onChoose(node);
  }

  private clear(): void {
    this.input.value = "";
    this.search();
  }

  private close(): void {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }
}

/** Lower case without accents: `zoe` finds `Zoé`. */
function searchKey(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
