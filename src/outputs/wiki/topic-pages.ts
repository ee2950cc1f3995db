import type { MessageHeading } from "../../mail/archive.ts";
import type { Address } from "../../mail/records/address.ts";
import type { ThreadId, TopicId } from "../../mail/records/ids.ts";
import type { Thread } from "../../mail/records/thread.ts";
import type { TopicDetail } from "../../mail/records/topic.ts";
import { formatCount } from "../../text/tokens/format-count.ts";
import { Greatest, type Ranked } from "./greatest.ts";
import { cell, inline, section } from "./markdown.ts";
import type { PageDirectory } from "./page-directory.ts";
import { threadRow } from "./thread-pages.ts";
import { showDay, showSent, type Vault } from "./vault.ts";
import { writePage } from "./wiki-page.ts";

/** Maximum threads and messages listed on the page of a topic. */
const LARGEST_THREADS = 30;
const RECENT_MESSAGES = 30;

interface Headline {
  readonly threadId: ThreadId;
  readonly subject: string;
  readonly date: string;
  readonly from: Address | null;
}

/** The newest messages of topics, as plain data that crosses threads. */
export type RecentByTopic = ReadonlyMap<TopicId, Ranked<Headline>>;

/** Collects the newest messages of every topic in the single pass over all messages. */
export class RecentOfTopics {
  private readonly recent = new Map<TopicId, Greatest<Headline>>();

  add(message: MessageHeading): void {
    const { topicId, threadId, subject, sortedAt, from } = message;
    const known = this.knownOf(topicId);
    if (known.accepts(sortedAt)) known.add(sortedAt, { threadId, subject, date: showSent(message), from });
  }

  /** Adds those of the messages that follow. */
  addRecent(recent: RecentByTopic): void {
    for (const [topic, ranked] of recent) this.knownOf(topic).addRanked(ranked);
  }

  collected(): RecentByTopic {
    return new Map(Array.from(this.recent, ([topic, newest]) => [topic, newest.ranked()]));
  }

  private knownOf(topic: TopicId): Greatest<Headline> {
    let known = this.recent.get(topic);
    if (known === undefined) this.recent.set(topic, (known = new Greatest(RECENT_MESSAGES)));
    return known;
  }

  /** Rows of the table of newest messages. */
  of(id: TopicId, vault: Vault): readonly (readonly string[])[] {
    return (this.recent.get(id)?.all() ?? []).map(({ threadId, subject, date, from }) => [
      date,
      vault.thread(threadId, subject, true),
      from === null ? "" : vault.person(from, true),
    ]);
  }
}

/**
 * Keeps only the largest threads of each topic from a stream of all threads: objects that live for a while burden the
 * heap long after.
 */
export class LargestThreads {
  private readonly largest = new Map<TopicId, Greatest<Thread>>();

  /** Call in id order. */
  add(thread: Thread): void {
    let known = this.largest.get(thread.topicId);
    if (known === undefined) this.largest.set(thread.topicId, (known = new Greatest(LARGEST_THREADS)));
    if (known.accepts(thread.messageCount)) known.add(thread.messageCount, thread);
  }

  /** Ties are sorted by smaller id. */
  of(id: TopicId): readonly Thread[] {
    return this.largest.get(id)?.all() ?? [];
  }
}

/** The page of one topic: what it is about, who writes about it, its largest threads and newest messages. */
export function writeTopicPage(
  directory: PageDirectory,
  topic: TopicDetail,
  threads: readonly Thread[],
  messages: readonly (readonly string[])[],
  vault: Vault,
): void {
  const people = topic.keyContacts.map(({ contactId, name, frequency }) => [
    vault.contact(contactId, name, true),
    formatCount(frequency),
  ]);
  const body = [
    inline(topic.description),
    "",
    `**Keywords** ${topic.topKeywords.map((keyword) => inline(keyword)).join(", ") || "none"} · ${showDay(topic.earliest)} to ${showDay(topic.latest)}`,
    "",
    section("People", ["Contact", "Messages"], people),
    section(
      "Largest threads",
      ["Subject", "Messages", "First", "Last", "Participants", "Topic"],
      threads.map((thread) => threadRow(thread, vault)),
    ),
    section("Newest messages", ["Date", "Thread", "From"], messages),
  ];
  writePage(
    directory,
    {
      path: `wiki/topics/${topic.id}`,
      title: topic.name,
      facts: {
        id: topic.id,
        messages: topic.messageCount,
        keywords: topic.topKeywords.join(", "),
        earliest: showDay(topic.earliest),
        latest: showDay(topic.latest),
      },
      body: body.join("\n"),
    },
    vault.links,
  );
}

/** A row of the table of topics. */
export function topicRow(
  topic: { readonly id: TopicId; readonly messageCount: number; readonly topKeywords: readonly string[] },
  vault: Vault,
): readonly string[] {
  return [vault.topic(topic.id, true), formatCount(topic.messageCount), cell(topic.topKeywords.join(", "))];
}
