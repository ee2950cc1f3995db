import { make, makeButton, makeMailText } from "./elements.ts";
import { communityOf, type GraphModel, NO_NODE, nameOf, otherEnd, tiesOf } from "./graph-model.ts";
import type { ChoosingView } from "./page-state.ts";
import { countOf, formatDay, formatNumber, formatScore } from "./wording.ts";

/** Correspondents listed. */
const LISTED_TIES = 12;

/** Shows the selected contact and who it writes to. */
export function showDetails(element: HTMLElement, { model, state, onChoose }: ChoosingView): void {
  let shown = NO_NODE;
  state.listen(() => {
    if (state.selected === shown) return;
    shown = state.selected;
    element.hidden = shown === NO_NODE;
    if (shown !== NO_NODE)
      element.replaceChildren(
        ...describe(model, shown, () => state.select(NO_NODE)),
        correspondents(model, shown, onChoose),
      );
  });
}

function describe(model: GraphModel, node: number, onClose: () => void): readonly HTMLElement[] {
  const { nodes } = model.data;
  const close = makeButton("close", "×", onClose);
  close.setAttribute("aria-label", "Close details");
  const name = nameOf(model, node);
  const addresses = [nodes.email[node]!, ...nodes.aliases[node]!].filter(
    (address) => address !== "" && address !== name,
  );
  const facts = make("dl", "");
  const rows: readonly (readonly [string, string])[] = [
    [
      "Messages",
      `${formatNumber(nodes.messages[node]!)} (${formatNumber(nodes.sent[node]!)} sent, ${formatNumber(nodes.received[node]!)} received)`,
    ],
    ["Contacts", formatNumber(nodes.degree[node]!)],
    ["Seen", `${formatDay(nodes.firstSeen[node] ?? null)} to ${formatDay(nodes.lastSeen[node] ?? null)}`],
    ["Hub score", `${formatScore(nodes.hub[node]!)}, ${rankOf(nodes.hub, node)}`],
    ["Authority", `${formatScore(nodes.authority[node]!)}, ${rankOf(nodes.authority, node)}`],
    ["PageRank", `${formatScore(nodes.pagerank[node]!)}, ${rankOf(nodes.pagerank, node)}`],
  ];
  for (const [term, value] of rows) facts.append(make("dt", "", term), make("dd", "", value));
  return [
    close,
    makeMailText("h2", "", name),
    ...addresses.map((address) => makeMailText("p", "address", address)),
    makeMailText("p", `community swatch-${model.slot[node]}`, communityOf(model, node)),
    facts,
  ];
}

function rankOf(scores: readonly number[], node: number): string {
  const better = scores.reduce((count, score) => count + Number(score > scores[node]!), 0);
  return `no. ${formatNumber(better + 1)} of ${formatNumber(scores.length)}`;
}

function correspondents(model: GraphModel, node: number, onChoose: (node: number) => void): HTMLElement {
  const { ties } = model.data;
  const own = Array.from(tiesOf(model, node), (tie) => {
    const isA = ties.a[tie] === node;
    return {
      other: otherEnd(model, tie, node),
      sent: (isA ? ties.there : ties.back)[tie]!,
      received: (isA ? ties.back : ties.there)[tie]!,
    };
  }).sort((one, two) => two.sent + two.received - one.sent - one.received || one.other - two.other);
  const section = make("section", "");
  section.append(
    make(
      "h3",
      "",
      own.length === 0 ? "No mail with the others shown" : `Mail with ${countOf(own.length, "contact")} shown`,
    ),
  );
  const list = make("ul", "");
  for (const { other, sent, received } of own.slice(0, LISTED_TIES)) {
    const row = make("li", "");
    const button = makeButton(`choice swatch-${model.slot[other]}`, "", () => onChoose(other));
    button.append(makeMailText("span", "name", nameOf(model, other)));
    const counts = make("span", "counts", `${formatNumber(sent)} → · ← ${formatNumber(received)}`);
    counts.title = `${formatNumber(sent)} sent, ${formatNumber(received)} received`;
    row.append(button, counts);
    list.append(row);
  }
  section.append(list);
  if (own.length > LISTED_TIES) section.append(make("p", "note", `and ${formatNumber(own.length - LISTED_TIES)} more`));
  return section;
}
