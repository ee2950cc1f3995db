import { countOf, formatDay, formatNumber, formatScore } from "../model/wording.ts";

/** Counts of mail of a contact, or between two. */
interface MailCounts {
  readonly sent: number;
  readonly received: number;
}

const sentAndReceived = ({ sent, received }: MailCounts): string =>
  `${formatNumber(sent)} sent, ${formatNumber(received)} received`;

/** All words of the contact graph and its controls, on the page and in the file that `viz` writes. */
export const PICTURE_WORDS = {
  find: "Find a contact",
  findHint: "Find a name or address",
  found: "Contacts found",
  noneFound: "No contact shown matches",
  moreFound: (count: number) => `and ${count} more, ringed in the graph`,
  graph: "Graph",
  table: "Table",
  view: "View",
  contacts: "Contacts",
  filters: "Filters",
  showAll: "Show all",
  wholeRange: "Whole range",
  fromMonth: "From month",
  untilMonth: "To month",
  communities: "Communities",
  time: "Time (UTC)",
  legend: "Each circle is a contact, sized by number of messages. Each line is mail between two contacts.",
  only: "only",
  showOnly: (name: string) => `Show only ${name}`,
  members: (name: string, count: number) => `${name}: ${countOf(count, "contact")}`,
  smallerCommunities: (count: number) => `${formatNumber(count)} smaller ${count === 1 ? "community" : "communities"}`,
  passing: (shown: number, all: number) => `${formatNumber(shown)} of ${formatNumber(all)} match the filters`,
  keys:
    "Arrow keys move to the next contact in that direction, Enter shows its details, plus and minus zoom, 0 shows " +
    "everything, Escape clears. The same contacts are in the table view.",
  role: "contact graph",
  picture: "Contact graph",
  zoom: "Zoom",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  zoomLevel: "Zoom level",
  showEverything: "Show everything",
  details: "Contact details",
  closeDetails: "Close details",
  openPerson: "Open person",
  aroundThem: "Show their graph",
  noTies: "No messages with the contacts shown",
  ties: (count: number) => `Messages with ${countOf(count, "contact")} shown`,
  moreTies: (count: number) => `and ${formatNumber(count)} more`,
  mailWith: (name: string, counts: MailCounts) => `Messages with ${name}: ${sentAndReceived(counts)}`,
  sentAndReceived,
  messagesOf: (messages: number, counts: MailCounts) => `${countOf(messages, "message")}: ${sentAndReceived(counts)}`,
  messagesAndOf: (messages: number, counts: MailCounts) => `${formatNumber(messages)} (${sentAndReceived(counts)})`,
  announcement: (name: string, messages: number, community: string) =>
    `${name}, ${countOf(messages, "message")}, ${community}`,
  metrics: (hub: number, authority: number) => `Hub ${formatScore(hub)} · Authority ${formatScore(authority)}`,
  rank: (score: number, place: number, all: number) =>
    `${formatScore(score)}, no. ${formatNumber(place)} of ${formatNumber(all)}`,
  seenBetween: (first: number | null, last: number | null) => `${formatDay(first)} to ${formatDay(last)}`,
  caption: (shown: number, all: number) => `${countOf(shown, "contact")} of ${formatNumber(all)} in the graph`,
  facts: {
    messages: "Messages",
    contacts: "Contacts",
    seen: "Seen",
    hub: "Hub score",
    authority: "Authority",
    pagerank: "PageRank",
  },
  columns: {
    name: "Name",
    email: "Email",
    messages: "Messages",
    sent: "Sent",
    received: "Received",
    partners: "Contacts",
    community: "Community",
    hub: "Hub",
    authority: "Authority",
    pagerank: "PageRank",
    firstSeen: "First seen",
    lastSeen: "Last seen",
  },
} as const;
