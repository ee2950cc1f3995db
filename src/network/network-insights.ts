import { groupByKey } from "../columns/grouping.ts";
import type { Instant } from "../mail/dates/instant.ts";
import type { ContactGraph } from "./contact-graph.ts";
import type { NetworkMetrics } from "./network-metrics.ts";
import { type UndirectedGraph, undirectedGraph } from "./undirected-graph.ts";

/** Messages of one topic by the contacts who wrote them; columns of equal length. */
export interface TopicAuthors {
  /** Topic ordinal; the caller omits "Other". */
  readonly topic: number;
  readonly contacts: ArrayLike<number>;
  readonly messages: ArrayLike<number>;
}

/** Further data of contacts, by index. */
interface NetworkActivity {
  readonly topics: readonly TopicAuthors[];
  /** Instants by contact; NaN for undated ones, and empty if nothing is dated. */
  readonly firstSeen: ArrayLike<number>;
  readonly lastSeen: ArrayLike<number>;
  /** Automated senders and shared mailboxes are neither experts nor bridges. */
  readonly isPerson: (contact: number) => boolean;
}

/** The metrics of a contact that insights describe. */
export type ContactMetrics = Pick<NetworkMetrics, "authority" | "hub" | "pagerank" | "community" | "communityCount">;

export interface RankedContact {
  readonly contact: number;
  readonly score: number;
}

/** A person who connects communities. */
interface Bridge {
  readonly contact: number;
  readonly community: number;
  /** Share of the contact's ties to other communities, 0 … 1. */
  readonly outsideShare: number;
  /** Evenness of the ties over communities: 0 = all in one (participation coefficient). */
  readonly participation: number;
  /** Communities written to or heard from, its own included, strongest first. */
  readonly communities: readonly number[];
}

export interface CommunityInsight {
  readonly community: number;
  /** By PageRank, highest first. */
  readonly members: readonly number[];
  /** Share of the members' ties that stay inside, 0 … 1; 1 without ties. */
  readonly cohesion: number;
  /** Topics its members wrote most in, with their messages. */
  readonly topics: readonly { readonly topic: number; readonly messages: number }[];
  readonly firstSeen: Instant | null;
  readonly lastSeen: Instant | null;
}

/** A topic known by only one person. */
interface SoleExpert {
  readonly topic: number;
  readonly contact: number;
  /** Messages of the topic by this person, and in total. */
  readonly messages: number;
  readonly totalMessages: number;
  /** The next most active author, or null. */
  readonly next: number | null;
  readonly nextMessages: number;
}

export interface NetworkInsights {
  readonly authorities: readonly RankedContact[];
  readonly hubs: readonly RankedContact[];
  readonly bridges: readonly Bridge[];
  /** Of at least two contacts, largest first. */
  readonly communities: readonly CommunityInsight[];
  readonly knowledgeHolders: readonly SoleExpert[];
}

/** Maximum rows of each ranking. */
const RANKING_ROWS = 20;
/** Topics listed for a community. */
const COMMUNITY_TOPICS = 5;
/** Minimum contacts of a bridge. */
const LEAST_BRIDGE_DEGREE = 4;
/** Minimum share, and number, of the messages of a topic by people that its only expert wrote. */
const HOLDER_SHARE = 0.6;
const LEAST_HOLDER_MESSAGES = 5;

/** Insights into the organization from the graph: authorities, hubs, bridges, and sole experts. */
export function describeNetwork(
  graph: ContactGraph,
  metrics: ContactMetrics,
  activity: NetworkActivity,
): NetworkInsights {
  const ties = undirectedGraph(graph);
  return {
    authorities: topRanked(metrics.authority),
    hubs: topRanked(metrics.hub),
    bridges: findBridges(ties, metrics, activity.isPerson),
    communities: describeCommunities(ties, metrics, activity),
    knowledgeHolders: findKnowledgeHolders(activity),
  };
}

/** Contacts with a score above 0, highest first, ties by index. */
function topRanked(scores: Float64Array): readonly RankedContact[] {
  const ranked: RankedContact[] = [];
  for (const [contact, score] of scores.entries()) {
    const last = ranked[RANKING_ROWS - 1];
    if (score <= 0 || (last !== undefined && score <= last.score)) continue;
    const place = ranked.findIndex((other) => other.score < score);
    ranked.splice(place < 0 ? ranked.length : place, 0, { contact, score });
    ranked.length = Math.min(ranked.length, RANKING_ROWS);
  }
  return ranked;
}

/**
 * Persons by the weight of their ties to other communities times their participation coefficient (Guimerà and Amaral
 * 2005, doi:10.1038/nature03288): many strong outward ties to several communities.
 */
function findBridges(
  ties: UndirectedGraph,
  metrics: ContactMetrics,
  isPerson: (contact: number) => boolean,
): readonly Bridge[] {
  const scores = new Float64Array(ties.nodeCount);
  for (let contact = 0; contact < ties.nodeCount; contact++) {
    if (ties.offsets[contact + 1]! - ties.offsets[contact]! < LEAST_BRIDGE_DEGREE || !isPerson(contact)) continue;
    const { outsideWeight, participation } = tiesOf(ties, metrics.community, contact);
    scores[contact] = outsideWeight * participation;
  }
  return topRanked(scores).map(({ contact }) => {
    const { outsideShare, participation, communities } = tiesOf(ties, metrics.community, contact);
    return { contact, community: metrics.community[contact]!, outsideShare, participation, communities };
  });
}

interface Ties {
  readonly outsideWeight: number;
  readonly outsideShare: number;
  readonly participation: number;
  readonly communities: readonly number[];
}

function tiesOf(ties: UndirectedGraph, community: Int32Array, contact: number): Ties {
  const weights = new Map<number, number>();
  let total = 0;
  for (let at = ties.offsets[contact]!; at < ties.offsets[contact + 1]!; at++) {
    const other = community[ties.neighbors[at]!]!;
    weights.set(other, (weights.get(other) ?? 0) + ties.weights[at]!);
    total += ties.weights[at]!;
  }
  const strongest = [...weights].sort(([a, one], [b, other]) => other - one || a - b);
  const outsideWeight = strongest.reduce(
    (sum, [other, weight]) => (other === community[contact] ? sum : sum + weight),
    0,
  );
  const participation = 1 - strongest.reduce((sum, [, weight]) => sum + (weight / total) ** 2, 0);
  return {
    outsideWeight,
    outsideShare: outsideWeight / total,
    participation,
    communities: strongest.map(([other]) => other),
  };
}

function describeCommunities(
  ties: UndirectedGraph,
  metrics: ContactMetrics,
  activity: NetworkActivity,
): readonly CommunityInsight[] {
  const { starts, members } = groupByKey(metrics.community, metrics.communityCount);
  const topics = topicsByCommunity(metrics, activity.topics);
  const insights: CommunityInsight[] = [];
  for (let community = 0; community < metrics.communityCount; community++) {
    const contacts = Array.from(members.subarray(starts[community], starts[community + 1]));
    if (contacts.length < 2) continue;
    insights.push({
      community,
      members: contacts.sort((a, b) => metrics.pagerank[b]! - metrics.pagerank[a]! || a - b),
      cohesion: cohesionOf(ties, metrics.community, contacts),
      topics: topics.get(community) ?? [],
      firstSeen: extremeInstant(contacts, activity.firstSeen, -1),
      lastSeen: extremeInstant(contacts, activity.lastSeen, 1),
    });
  }
  return insights;
}

function cohesionOf(ties: UndirectedGraph, community: Int32Array, contacts: readonly number[]): number {
  let inside = 0;
  let total = 0;
  for (const contact of contacts) {
    for (let at = ties.offsets[contact]!; at < ties.offsets[contact + 1]!; at++) {
      total += ties.weights[at]!;
      if (community[ties.neighbors[at]!] === community[contact]) inside += ties.weights[at]!;
    }
  }
  return total === 0 ? 1 : inside / total;
}

/** Earliest (sign -1) or latest (sign 1) known instant. */
function extremeInstant(contacts: readonly number[], instants: ArrayLike<number>, sign: 1 | -1): Instant | null {
  let extreme: Instant | null = null;
  for (const contact of contacts) {
    const instant = instants[contact] ?? Number.NaN;
    if (!Number.isNaN(instant) && (extreme === null || (instant - extreme) * sign > 0)) extreme = instant;
  }
  return extreme;
}

type TopicShare = CommunityInsight["topics"][number];

function topicsByCommunity(
  metrics: ContactMetrics,
  topics: readonly TopicAuthors[],
): ReadonlyMap<number, readonly TopicShare[]> {
  const shares = new Map<number, TopicShare[]>();
  for (const { topic, contacts, messages } of topics) {
    const sums = new Map<number, number>();
    for (let at = 0; at < contacts.length; at++) {
      const community = metrics.community[contacts[at]!]!;
      sums.set(community, (sums.get(community) ?? 0) + messages[at]!);
    }
    for (const [community, sum] of sums) {
      const known = shares.get(community);
      if (known === undefined) shares.set(community, [{ topic, messages: sum }]);
      else known.push({ topic, messages: sum });
    }
  }
  for (const [community, all] of shares) {
    shares.set(community, all.sort((a, b) => b.messages - a.messages || a.topic - b.topic).slice(0, COMMUNITY_TOPICS));
  }
  return shares;
}

/** Topics mostly written by one person, the largest first. */
function findKnowledgeHolders(activity: NetworkActivity): readonly SoleExpert[] {
  const holders: SoleExpert[] = [];
  for (const { topic, contacts, messages } of activity.topics) {
    let totalMessages = 0;
    const authors: { readonly contact: number; readonly messages: number }[] = [];
    for (let at = 0; at < contacts.length; at++) {
      if (messages[at]! <= 0 || !activity.isPerson(contacts[at]!)) continue;
      totalMessages += messages[at]!;
      authors.push({ contact: contacts[at]!, messages: messages[at]! });
    }
    authors.sort((a, b) => b.messages - a.messages || a.contact - b.contact);
    const [first, second] = authors;
    if (first === undefined || first.messages < LEAST_HOLDER_MESSAGES || first.messages < totalMessages * HOLDER_SHARE)
      continue;
    holders.push({
      topic,
      ...first,
      totalMessages,
      next: second?.contact ?? null,
      nextMessages: second?.messages ?? 0,
    });
  }
  return holders.sort((a, b) => b.messages - a.messages || a.topic - b.topic);
}
