import { join } from "node:path";
import type { Archive, EncodedMessage } from "../../mail/archive.ts";
import type { ContactId } from "../../mail/ids.ts";
import type { Thread } from "../../mail/thread.ts";
import type { TopicDetail } from "../../mail/topic.ts";
import { type ContactNetwork, readContactNetwork } from "../contact-network.ts";
import { writeCalendar } from "./calendar-pages.ts";
import { Correspondents, RecentMessages, writeContactList, writeContactPage } from "./contact-pages.ts";
import { emailTotals, writeEmailPages } from "./email-pages.ts";
import { writeIndex } from "./index-page.ts";
import { MessageBlocks } from "./message-blocks.ts";
import { TopicAuthorship, writeNetworkPage } from "./network-page.ts";
import { writeThreadList, writeThreadPages } from "./thread-pages.ts";
import { LargestThreads, RecentOfTopics, writeTopicPage } from "./topic-pages.ts";
import { Vault } from "./vault.ts";

/** Entities that get a page of their own unless all do: a vault of 100,000 notes is slow to open. */
const MAIN_CONTACTS = 1_000;
const MAIN_THREADS = 2_000;
/** Messages a thread has at least to get a page. */
const MIN_THREAD_MESSAGES = 2;
/** Topics are few by construction. */
const ALL_TOPICS = 100_000;
const READ_BATCH = 1_000;

/** The entities that get a page. */
interface Chosen {
  readonly contacts: readonly ContactId[];
  readonly threads: readonly Thread[];
  readonly topics: readonly TopicDetail[];
  readonly largest: LargestThreads;
}

/** A vault that is shown the messages of the archive while other files are written from the same walk. */
export interface WikiWriter {
  /** Every message, in id order. */
  add(messages: readonly EncodedMessage[]): void;
  /** Writes all pages, when every message was shown. */
  finish(): Promise<void>;
}

/** Where messages wait for their pages; `finish` removes it. */
const BLOCKS_FILE = ".message-blocks";

export async function openWiki(archive: Archive, directory: string, allPages: boolean): Promise<WikiWriter> {
  const vault = new Vault();
  const chosen = await chooseEntities(archive, vault, allPages);
  const recent = new RecentMessages(vault);
  const recentOfTopics = new RecentOfTopics();
  const network = await readContactNetwork(archive);
  const authorship = new TopicAuthorship(network.contacts);
  const blocks = new MessageBlocks(join(directory, BLOCKS_FILE), vault);
  return {
    add(messages) {
      for (const message of messages) {
        blocks.add(message);
        recent.add(message);
        recentOfTopics.add(message);
        authorship.add(message);
      }
    },
    async finish() {
      blocks.seal();
      writeEmailPages(directory, blocks, await emailTotals(archive));
      for (const { id } of chosen.threads) {
        const thread = await archive.threads.get(id);
        if (thread !== null) writeThreadPages(directory, thread, vault, blocks);
      }
      blocks.remove();
      await writeContactPages(archive, directory, chosen.contacts, { vault, recent, network });
      for (const topic of chosen.topics) {
        writeTopicPage(directory, topic, chosen.largest.of(topic.id), recentOfTopics.of(topic.id, vault), vault);
      }
      await writeContactList(archive, directory, vault);
      await writeThreadList(archive, directory, vault);
      await writeCalendar(archive, directory, vault);
      writeNetworkPage(directory, network, authorship.finish(), vault);
      await writeIndex(archive, directory, vault);
    },
  };
}

async function chooseEntities(archive: Archive, vault: Vault, allPages: boolean): Promise<Chosen> {
  const contacts: ContactId[] = [];
  const wanted = allPages ? Number.POSITIVE_INFINITY : MAIN_CONTACTS;
  for (let offset = 0; contacts.length < wanted; offset += READ_BATCH) {
    const { items } = await archive.contacts.list("frequency", { limit: READ_BATCH, offset });
    for (const contact of items.slice(0, wanted - contacts.length)) {
      contacts.push(contact.id);
      vault.addContact(
        contact.id,
        contact.name || contact.email,
        [contact.email, ...contact.aliases].filter((address) => address !== ""),
      );
    }
    if (items.length < READ_BATCH) break;
  }
  const topics: TopicDetail[] = [];
  for (const topic of (await archive.topics.list("frequency", ALL_TOPICS)).items) {
    const detail = await archive.topics.get(topic.id);
    if (detail === null) continue;
    topics.push(detail);
    vault.addTopic(topic.id, topic.name);
  }
  const largest = new LargestThreads();
  const threads = await chooseThreads(archive, largest, allPages);
  for (const thread of threads) vault.addThread(thread.id);
  return { contacts, threads, topics, largest };
}

async function chooseThreads(archive: Archive, largest: LargestThreads, allPages: boolean): Promise<readonly Thread[]> {
  let threads: Thread[] = [];
  const order = (a: Thread, b: Thread): number => b.messageCount - a.messageCount || (a.id < b.id ? -1 : 1);
  for await (const batch of archive.threads.summaries()) {
    for (const thread of batch) {
      largest.add(thread);
      if (allPages || thread.messageCount >= MIN_THREAD_MESSAGES) threads.push(thread);
    }
    if (!allPages && threads.length > MAIN_THREADS * 4) threads = threads.sort(order).slice(0, MAIN_THREADS);
  }
  return allPages ? threads : threads.sort(order).slice(0, MAIN_THREADS);
}

async function writeContactPages(
  archive: Archive,
  directory: string,
  paged: readonly ContactId[],
  related: { readonly vault: Vault; readonly recent: RecentMessages; readonly network: ContactNetwork },
): Promise<void> {
  const { vault, recent, network } = related;
  const correspondents = new Correspondents(network, new Set(paged));
  const names = new Map(network.contacts.map((contact) => [contact.id, contact.name || contact.email]));
  for (const id of paged) {
    const contact = await archive.contacts.get(id);
    if (contact !== null) writeContactPage(directory, contact, { vault, recent, correspondents, names });
  }
}
