import { make, makeButton, makeMailText } from "./elements.ts";
import type { GraphLinks } from "./graph-choice.ts";
import { communityOf, type GraphModel, NO_NODE, nameOf, otherEnd, tiesOf } from "./graph-model.ts";
import type { ChoosingView } from "./graph-state.ts";
import { countOf, formatDay, formatNumber, formatScore } from "./wording.ts";

/** Correspondents listed. */
const LISTED_TIES = 12;

/** Shows the selected contact and who it writes to. */
export function showDetails(
  element: HTMLElement,
  { model, state, onChoose, links }: ChoosingView & { readonly links: GraphLinks | null },
): void {
  let shown = NO_NODE;
  state.listen(() => {
    if (state.selected === shown) return;
    shown = state.selected;
    element.hidden = shown === NO_NODE;
    if (shown !== NO_NODE)
      element.replaceChildren(
        ...describe(model, shown, () => state.select(NO_NODE)),
        ...(links === null ? [] : [waysOn(model, shown, links)]),
        correspondents({ model, onChoose, links }, shown),
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
    ["Contacts", formatNumber(nodes.partners[node]!)],
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

/** To the person, and to the graph around that person. */
function waysOn({ data }: GraphModel, node: number, links: GraphLinks): HTMLElement {
  const id = data.nodes.id[node]!;
  const ways = make("p", "ways-on");
  ways.append(makeLink(links.person(id), "Open person"), makeLink(links.around(id), "Graph around them"));
  return ways;
}

function makeLink(href: string, text: string): HTMLAnchorElement {
  const link = make("a", "", text);
  link.href = href;
  return link;
}

interface Correspondents {
  readonly model: GraphModel;
  readonly onChoose: (node: number) => void;
  readonly links: GraphLinks | null;
}

function rankOf(scores: readonly number[], node: number): string {
  const better = scores.reduce((count, score) => count + Number(score > scores[node]!), 0);
  return `no. ${formatNumber(better + 1)} of ${formatNumber(scores.length)}`;
}

function correspondents({ model, onChoose, links }: Correspondents, node: number): HTMLElement {
  const { ties, nodes } = model.data;
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
    const written = `${formatNumber(sent)} → · ← ${formatNumber(received)}`;
    const counts =
      links === null
        ? make("span", "counts", written)
        : makeLink(links.between(nodes.id[node]!, nodes.id[other]!), written);
    counts.className = "counts";
    counts.title = `${formatNumber(sent)} sent, ${formatNumber(received)} received`;
    if (links !== null) counts.setAttribute("aria-label", `Mail with ${nameOf(model, other)}: ${counts.title}`);
    row.append(button, counts);
    list.append(row);
  }
  section.append(list);
  if (own.length > LISTED_TIES) section.append(make("p", "note", `and ${formatNumber(own.length - LISTED_TIES)} more`));
  return section;
}
