import { contactNode } from "../../document/contact-graph.ts";
import {
  type GraphCommunity,
  type GraphData,
  type NodeColumns,
  nodeRadius,
} from "../../graph-view/model/graph-data.ts";
import type { Archive } from "../../mail/archive.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import type { Contact } from "../../mail/records/contact.ts";
import type { CommunityId } from "../../mail/records/ids.ts";
import { layoutGraph } from "../../network/layout.ts";
import type { NetworkCut } from "./network-cut.ts";
import { drawInStragglers, separateCircles } from "./node-spacing.ts";
import { selectTies, type Tie, type TieSelection } from "./ties.ts";

/** Maximum UTF-16 units of one field: a hostile display name may be a megabyte long. */
const MAX_TEXT = 160;
/**
 * Maximum other addresses listed for a contact: people have dozens of X.500 leaf names, and every one adds bytes to
 * each page.
 */
const MAX_ALIASES = 4;
/** Maximum people in the name of a community. */
const NAMING_MEMBERS = 2;

/** All data shown for a part of the network, with positions: equal archives give equal pages. */
export async function collectGraphData(archive: Archive, cut: NetworkCut): Promise<GraphData> {
  const provenance = await archive.provenance();
  const { first, last } = await archive.explore.timeline({ query: "", match: "all", by: "year" });
  const communities = communitiesOf(cut.contacts);
  const selection = selectTies(cut.edges, cut.contacts.length);
  return {
    generator: `${provenance.tool} ${provenance.toolVersion}`,
    extractedAt: Math.floor(provenance.extractedAt / 1000),
    totals: { contacts: cut.totalContacts, edges: cut.totalEdges },
    dates: first === null || last === null ? null : { first: seconds(first), last: seconds(last) },
    nodes: nodeColumns(cut, communities, selection.ties),
    ties: tieColumns(selection),
    communities: communities.map(({ id, name, members }) => ({ id, name, members: members.length })),
  };
}

interface Community extends Omit<GraphCommunity, "members"> {
  readonly members: readonly Contact[];
}

function communitiesOf(contacts: readonly Contact[]): readonly Community[] {
  const members = new Map<CommunityId, Contact[]>();
  for (const contact of contacts) {
    const known = members.get(contact.communityId);
    if (known === undefined) members.set(contact.communityId, [contact]);
    else known.push(contact);
  }
  return [...members]
    .sort(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1))
    .map(([id, own]) => ({ id, name: communityName(own), members: own }));
}

function communityName(members: readonly Contact[]): string {
  const central = [...members].sort((a, b) => b.pagerank - a.pagerank).slice(0, NAMING_MEMBERS);
  return central.map((contact) => shortText(labelOf(contact))).join(", ");
}

function labelOf({ name, email, id }: Contact): string {
  return name || email || id;
}

function nodeColumns(
  { contacts, partners }: NetworkCut,
  communities: readonly Community[],
  ties: readonly Tie[],
): NodeColumns {
  const nodes = contacts.map(contactNode);
  const communityAt = new Map(communities.map(({ id }, index) => [id, index]));
  const community = nodes.map((node) => communityAt.get(node.community_id)!);
  const mostMessages = nodes[0]?.message_count ?? 0;
  const places = layoutGraph(
    community.map((own) => ({ community: own })),
    ties.map(({ a, b, weight }) => ({ from: a, to: b, weight })),
  );
  const x = Float64Array.from(places, (place) => place.x);
  const y = Float64Array.from(places, (place) => place.y);
  const circles = { x, y, radius: nodes.map((node) => nodeRadius(node.message_count, mostMessages)) };
  drawInStragglers(circles);
  separateCircles(circles);
  return {
    id: nodes.map(({ id }) => id),
    name: nodes.map(({ name }) => shortText(name)),
    email: nodes.map(({ email }) => shortText(email)),
    aliases: nodes.map(({ aliases }) => aliases.slice(0, MAX_ALIASES).map(shortText)),
    messages: nodes.map((node) => node.message_count),
    sent: nodes.map((node) => node.sent_count),
    received: nodes.map((node) => node.received_count),
    firstSeen: contacts.map(({ firstSeen }) => (firstSeen === null ? null : seconds(firstSeen))),
    lastSeen: contacts.map(({ lastSeen }) => (lastSeen === null ? null : seconds(lastSeen))),
    hub: nodes.map((node) => node.hub_score),
    authority: nodes.map((node) => node.authority_score),
    pagerank: nodes.map((node) => node.pagerank),
    community,
    partners,
    x: Array.from(x, (value) => Math.round(value) + 0),
    y: Array.from(y, (value) => Math.round(value) + 0),
  };
}

function tieColumns({ ties, skeleton }: TieSelection): GraphData["ties"] {
  return {
    a: ties.map(({ a }) => a),
    b: ties.map(({ b }) => b),
    there: ties.map(({ there }) => there),
    back: ties.map(({ back }) => back),
    skeleton,
  };
}

function seconds(instant: Instant): number {
  return Math.floor(instant / 1000);
}

/** Never cuts inside a surrogate pair. */
function shortText(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}
