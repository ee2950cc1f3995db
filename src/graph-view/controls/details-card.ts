import { make, makeButton, makeMailText } from "../model/elements.ts";
import { communityOf, type GraphModel, NO_NODE, nameOf, otherEnd, tiesOf } from "../model/graph-model.ts";
import type { ChoosingView } from "../model/graph-state.ts";
import { formatNumber } from "../model/wording.ts";
import { PICTURE_WORDS as words } from "../painting/picture-words.ts";
import type { GraphLinks } from "./graph-choice.ts";

/** Maximum correspondents listed. */
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
  close.setAttribute("aria-label", words.closeDetails);
  const name = nameOf(model, node);
  const addresses = [nodes.email[node]!, ...nodes.aliases[node]!].filter(
    (address) => address !== "" && address !== name,
  );
  const list = make("dl", "");
  const { facts } = words;
  const rows: readonly (readonly [string, string])[] = [
    [
      facts.messages,
      words.messagesAndOf(nodes.messages[node]!, { sent: nodes.sent[node]!, received: nodes.received[node]! }),
    ],
    [facts.contacts, formatNumber(nodes.partners[node]!)],
    [facts.seen, words.seenBetween(nodes.firstSeen[node] ?? null, nodes.lastSeen[node] ?? null)],
    [facts.hub, rankOf(nodes.hub, node)],
    [facts.authority, rankOf(nodes.authority, node)],
    [facts.pagerank, rankOf(nodes.pagerank, node)],
  ];
  for (const [term, value] of rows) list.append(make("dt", "", term), make("dd", "", value));
  return [
    close,
    makeMailText("h2", "", name),
    ...addresses.map((address) => makeMailText("p", "address", address)),
    makeMailText("p", `community swatch-${model.slot[node]}`, communityOf(model, node)),
    list,
  ];
}

/** Links to the person, and to the graph around that person. */
function waysOn({ data }: GraphModel, node: number, links: GraphLinks): HTMLElement {
  const id = data.nodes.id[node]!;
  const ways = make("p", "ways-on");
  ways.append(makeLink(links.person(id), words.openPerson), makeLink(links.around(id), words.aroundThem));
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
  return words.rank(scores[node]!, better + 1, scores.length);
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
  section.append(make("h3", "", own.length === 0 ? words.noTies : words.ties(own.length)));
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
    counts.title = words.sentAndReceived({ sent, received });
    if (links !== null) counts.setAttribute("aria-label", words.mailWith(nameOf(model, other), { sent, received }));
    row.append(button, counts);
    list.append(row);
  }
  section.append(list);
  if (own.length > LISTED_TIES) section.append(make("p", "note", words.moreTies(own.length - LISTED_TIES)));
  return section;
}
