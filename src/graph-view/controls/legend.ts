import { make, makeButton, makeMailText } from "../model/elements.ts";
import { COLORED, type GraphModel } from "../model/graph-model.ts";
import type { GraphView } from "../model/graph-state.ts";
import { formatNumber } from "../model/wording.ts";
import { PICTURE_WORDS as words } from "../painting/picture-words.ts";

interface LegendRow {
  readonly slot: number;
  readonly name: string;
  readonly members: number;
}

/** Lists the communities with their colors; each can be hidden, or shown alone. */
export function showLegend(list: HTMLElement, showAll: HTMLElement, { model, state }: GraphView): void {
  const boxes = new Map<number, HTMLInputElement>();
  const apply = (): void => state.showSlots((slot) => boxes.get(slot)?.checked ?? true);
  state.listen(() => {
    for (const [slot, box] of boxes) box.checked = state.shownSlots[slot] === 1;
  });
  for (const { slot, name, members } of legendRows(model)) {
    const row = make("li", "");
    const label = make("label", "");
    const box = make("input", `swatch-${slot}`);
    box.type = "checkbox";
    box.checked = true;
    box.addEventListener("change", apply);
    boxes.set(slot, box);
    label.append(box, makeMailText("span", "name", name), make("span", "count", formatNumber(members)));
    label.title = words.members(name, members);
    const only = makeButton("plain-text", words.only, () => state.showSlots((other) => other === slot));
    only.setAttribute("aria-label", words.showOnly(name));
    row.append(label, only);
    list.append(row);
  }
  showAll.addEventListener("click", () => state.showSlots(() => true));
}

function legendRows({ data: { communities } }: GraphModel): readonly LegendRow[] {
  const colored = communities.slice(0, COLORED).map(({ name, members }, slot) => ({ slot, name, members }));
  const others = communities.slice(COLORED);
  if (others.length === 0) return colored;
  const members = others.reduce((sum, community) => sum + community.members, 0);
  return [
    ...colored,
    {
      slot: COLORED,
      name: words.smallerCommunities(others.length),
      members,
    },
  ];
}
