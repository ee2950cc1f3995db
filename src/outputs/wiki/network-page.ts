import type { MessageHeading } from "../../mail/archive.ts";
import { communityId, OTHER_TOPIC, ordinalOf, type TopicId, topicId } from "../../mail/records/ids.ts";
import type { TopicOrdinal } from "../../mail/records/ordinal.ts";
import {
  type CommunityInsight,
  describeNetwork,
  type NetworkInsights,
  type RankedContact,
  type TopicAuthors,
} from "../../network/network-insights.ts";
import { formatCount } from "../../text/tokens/format-count.ts";
import type { ContactColumns, ContactNetwork } from "../contact-network.ts";
import { section } from "./markdown.ts";
import type { PageDirectory } from "./page-directory.ts";
import { showDay, type Vault } from "./vault.ts";
import { writePage } from "./wiki-page.ts";

/** Maximum communities described; an archive of mailing lists has a thousand tiny ones. */
const DESCRIBED_COMMUNITIES = 30;
const NAMED_MEMBERS = 12;

/** Messages of topics by the address of their author, in order of first appearance. Crosses threads. */
export type AuthorsOfTopics = ReadonlyMap<TopicId, ReadonlyMap<string, number>>;

/** Counts messages by topic and address of the author, in the single pass over all messages. */
export class AuthorCounts {
  readonly counts = new Map<TopicId, Map<string, number>>();

  add({ from, topicId }: MessageHeading): void {
    const email = from?.email ?? "";
    const ofTopic = this.counts.get(topicId) ?? new Map<string, number>();
    this.counts.set(topicId, ofTopic);
    ofTopic.set(email, (ofTopic.get(email) ?? 0) + 1);
  }
}

/** Counts messages by topic and author. */
export class TopicAuthorship {
  private readonly counts = new Map<number, Map<number, number>>();

  constructor(private readonly contacts: ContactColumns) {}

  /** Adds those of the messages that follow. */
  add(authors: AuthorsOfTopics): void {
    for (const [topicId, messages] of authors) {
      const topic = ordinalOf("topic", topicId);
      if (topic === null || topic === OTHER_TOPIC) continue;
      const ofTopic = this.counts.get(topic) ?? new Map<number, number>();
      for (const [email, count] of messages) {
        const author = this.contacts.withAddress(email);
        if (author !== undefined) ofTopic.set(author, (ofTopic.get(author) ?? 0) + count);
      }
      if (ofTopic.size > 0) this.counts.set(topic, ofTopic);
    }
  }

  finish(): readonly TopicAuthors[] {
    return [...this.counts]
      .sort((a, b) => a[0] - b[0])
      .map(([topic, authors]) => ({ topic, contacts: [...authors.keys()], messages: [...authors.values()] }));
  }
}

/** Writes network-analysis.md: leaders, connectors and experts in plain words. */
export function writeNetworkPage(
  directory: PageDirectory,
  network: ContactNetwork,
  topics: readonly TopicAuthors[],
  vault: Vault,
): void {
  const { contacts, graph } = network;
  const metrics = contacts.metrics();
  const { first: firstSeen, last: lastSeen } = contacts.seen();
  const insights = describeNetwork(graph, metrics, {
    topics,
    firstSeen,
    lastSeen,
    isPerson: (index) => contacts.isPerson(index),
  });
  const page = new NetworkPage(contacts, vault);
  writePage(
    directory,
    {
      path: "network-analysis",
      title: "Network analysis",
      facts: { contacts: contacts.length, edges: graph.targets.length, communities: metrics.communityCount },
      body: page.body(insights),
    },
    vault.links,
  );
}

class NetworkPage {
  constructor(
    private readonly contacts: ContactColumns,
    private readonly vault: Vault,
  ) {}

  body(insights: NetworkInsights): string {
    return [
      "Who writes to whom. Every sender is linked to every recipient. Direct mail counts more than Cc, and mass mail counts little.",
      "",
      this.ranking(
        "Authorities",
        "People who receive mail from many well-connected people, often decision makers.",
        insights.authorities,
      ),
      this.ranking("Hubs", "People who write to many authorities, often coordinators.", insights.hubs),
      this.bridges(insights),
      this.holders(insights),
      this.communities(insights.communities),
    ].join("\n");
  }

  private link(index: number): string {
    return this.vault.contact(this.contacts.idOf(index), this.contacts.titleOf(index), true);
  }

  private ranking(title: string, meaning: string, ranked: readonly RankedContact[]): string {
    const rows = ranked.map(({ contact, score }, index) => [
      String(index + 1),
      this.link(contact),
      score.toPrecision(3),
      formatCount(this.contacts.messageCountOf(contact)),
    ]);
    return section(title, ["", "Contact", "Score", "Messages"], rows, meaning);
  }

  private bridges({ bridges }: NetworkInsights): string {
    const rows = bridges.map((bridge) => [
      this.link(bridge.contact),
      communityId(bridge.community + 1),
      `${Math.round(bridge.outsideShare * 100)} %`,
      bridge.communities.map((community) => communityId(community + 1)).join(", "),
    ]);
    const meaning = "People who connect communities (high betweenness).";
    return section("Bridges", ["Contact", "Community", "External ties", "Communities"], rows, meaning);
  }

  private holders({ knowledgeHolders }: NetworkInsights): string {
    const rows = knowledgeHolders.map((holder) => [
      this.vault.topic(topicId(holder.topic as TopicOrdinal), true),
      this.link(holder.contact),
      `${formatCount(holder.messages)} of ${formatCount(holder.totalMessages)}`,
      holder.next === null ? "nobody" : `${this.link(holder.next)} (${formatCount(holder.nextMessages)})`,
    ]);
    const meaning = "Topics written mostly by one person: a knowledge-loss risk if they leave.";
    return section("Sole experts", ["Topic", "Expert", "Messages", "Next"], rows, meaning);
  }

  private communities(communities: readonly CommunityInsight[]): string {
    const rows = communities.slice(0, DESCRIBED_COMMUNITIES).map((community) => {
      const named = community.members.slice(0, NAMED_MEMBERS).map((member) => this.link(member));
      const more = community.members.length - named.length;
      return [
        communityId(community.community + 1),
        formatCount(community.members.length),
        named.join(", ") + (more > 0 ? ` and ${formatCount(more)} more` : ""),
        community.topics.map(({ topic }) => this.vault.topic(topicId(topic as TopicOrdinal), true)).join(", "),
        `${showDay(community.firstSeen).slice(0, 4)}–${showDay(community.lastSeen).slice(0, 4)}`,
        `${Math.round(community.cohesion * 100)} %`,
      ];
    });
    const left = communities.length - rows.length;
    const meaning =
      "Groups of people who write to each other more than to others (Louvain). Cohesion is the share of ties inside the group.";
    const rest = left > 0 ? `\nAnd ${formatCount(left)} smaller ${left === 1 ? "community" : "communities"}.\n` : "";
    return (
      section("Communities", ["Community", "People", "Members", "Topics", "Years", "Cohesion"], rows, meaning) + rest
    );
  }
}
