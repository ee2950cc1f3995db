import { join } from "node:path";
import type { Archive, ContactEdge, EncodedMessage, MessageHeading } from "../../mail/archive.ts";
import type { Contact } from "../../mail/records/contact.ts";
import { type ContactId, ordinalOf, type ThreadId, type TopicId } from "../../mail/records/ids.ts";
import type { MessageOrdinal } from "../../mail/records/ordinal.ts";
import type { DateRange } from "../../mail/records/provenance.ts";
import type { Thread } from "../../mail/records/thread.ts";
import type { TopicDetail } from "../../mail/records/topic.ts";
import { countOf } from "../../text/tokens/format-count.ts";
import { type ContactNetwork, NetworkColumns } from "../contact-network.ts";
import type { EarlierOutput } from "../earlier-output.ts";
import { partSize } from "../part-ranges.ts";
import type { RecordWatcher } from "../record-visitors.ts";
import { writeCalendar } from "./calendar-pages.ts";
import { changedLinks } from "./changed-links.ts";
import { ContactCards, Correspondents, RecentMessages, writeContactList, writeContactPage } from "./contact-pages.ts";
import { EarlierBodies } from "./earlier-bodies.ts";
import { writeIndex } from "./index-page.ts";
import { writeItems } from "./item-pages.ts";
import { MessageBlocks } from "./message-blocks.ts";
import { TopicAuthorship, writeNetworkPage } from "./network-page.ts";
import { PageDirectory } from "./page-directory.ts";
import type { LinkStyle, PageLinks } from "./page-links.ts";
import { PagePlanner } from "./page-plan.ts";
import { PagedList, type PagedListShape } from "./paged-list.ts";
import { writeThreadList, writeThreadPages } from "./thread-pages.ts";
import { LargestThreads, RecentOfTopics, writeTopicPage } from "./topic-pages.ts";
import { showDay, Vault } from "./vault.ts";
import { ALL_TOPICS, addContacts, addMailboxes, earlierEntities } from "./vault-entities.ts";
import { BLOCK_DIRECTORIES, type VaultPart, VaultPartWriter, type VaultPlan } from "./vault-part.ts";

/** Maximum entities with their own page, unless all are requested: a vault of 100,000 notes is slow to open. */
const MAIN_CONTACTS = 1_000;
export const MAIN_THREADS = 2_000;
/** Minimum messages of a thread with a page. */
const MIN_THREAD_MESSAGES = 2;
/** The entities that get a page. */
interface Chosen {
  /** Most active first. */
  readonly contacts: readonly ContactId[];
  readonly threads: readonly ThreadId[];
  readonly topics: readonly TopicDetail[];
}

/** Data collected from all messages. */
interface Gathered {
  readonly network: ContactNetwork;
  readonly recent: RecentMessages;
  readonly recentOfTopics: RecentOfTopics;
  readonly authorship: TopicAuthorship;
  readonly chosen: Chosen;
  /** Messages of each part that this thread renders. */
  readonly partSize: number;
}

/** Base name of the temporary files of message blocks; `finish` removes them. */
const BLOCKS_FILE = ".message-blocks";

/** Options of the pages. */
export interface WikiShape {
  /** A page for every entity, not only the most active. */
  readonly allPages: boolean;
  readonly wikiLinks: LinkStyle;
}

interface WikiRequest {
  readonly shape: WikiShape;
  readonly earlier: EarlierOutput | null;
  /** True if other threads render the messages, and `writeLists` is called while they do. */
  readonly isDivided: boolean;
}

/**
 * A vault that processes the records of the archive in the same pass as other files. Messages may be rendered by other
 * threads.
 */
export class WikiWriter implements RecordWatcher {
  private readonly directory: PageDirectory;
  private readonly vault: Vault;
  private readonly columns = new NetworkColumns();
  private readonly threads: ThreadChoice;
  private readonly isEveryPageWanted: boolean;
  private readonly bodies: EarlierBodies;
  /** Blocks for the pages of each directory with blocks. */
  private readonly blocks: readonly MessageBlocks[];
  private readonly isDivided: boolean;
  private readonly earlier: EarlierOutput | null;
  /** True for a message whose block has other links than in the earlier output; null if no block is copied. */
  private isRelinked: ((message: MessageHeading) => boolean) | null = null;
  private gathered: Gathered | null = null;
  /** The part that this thread renders, and the number of parts before it. */
  private part: VaultPartWriter | null = null;
  private partCount = 0;

  constructor(
    private readonly archive: Archive,
    private readonly path: string,
    { shape, earlier, isDivided }: WikiRequest,
  ) {
    this.isDivided = isDivided;
    this.earlier = earlier;
    const { allPages, wikiLinks } = shape;
    this.directory = new PageDirectory(path, earlier);
    this.vault = new Vault(wikiLinks);
    this.isEveryPageWanted = allPages;
    this.threads = new ThreadChoice(allPages);
    this.bodies = new EarlierBodies(earlier, this.vault.from("emails").links);
    this.blocks = BLOCK_DIRECTORIES[wikiLinks].map(
      (_, index) => new MessageBlocks(join(path, `${BLOCKS_FILE}-pages-${index}`), this.bodies),
    );
  }

  /** How other threads render messages; call after the last thread of the archive. */
  get plan(): VaultPlan {
    const { style, entities } = this.vault;
    return { style, entities, blocksPath: join(this.path, BLOCKS_FILE) };
  }

  showContacts(contacts: readonly Contact[]): void {
    this.columns.addContacts(contacts);
  }

  showEdges(edges: readonly ContactEdge[]): void {
    this.columns.addEdges(edges);
  }

  showThreads(threads: readonly Thread[]): void {
    for (const thread of threads) this.threads.add(thread);
  }

  /** Selects entities with a page before messages name them. */
  async threadsEnd(): Promise<void> {
    const { vault } = this;
    const network = this.columns.finish();
    const pages = this.isEveryPageWanted ? network.contacts.length : MAIN_CONTACTS;
    const contacts = await addContacts(vault, this.archive, pages);
    await addMailboxes(vault, this.archive);
    const topics = await allTopics(this.archive);
    for (const { id, name } of topics) vault.addTopic(id, name);
    const threads = this.threads.chosen();
    for (const id of threads) vault.addThread(id);
    this.gathered = {
      network,
      recent: new RecentMessages(vault),
      recentOfTopics: new RecentOfTopics(),
      authorship: new TopicAuthorship(network.contacts),
      chosen: { contacts, threads, topics },
      partSize: partSize((await this.archive.stats()).totalMessages),
    };
    // Links of CommonMark depend on the page, and only pages of one directory have all blocks.
    const before = this.earlier === null || this.blocks.length > 1 ? null : await earlierEntities(this.earlier);
    if (before !== null) this.isRelinked = changedLinks(before, vault.entities);
  }

  /** True if blocks may be copied from the earlier output. */
  get copiesBlocks(): boolean {
    return this.isRelinked !== null;
  }

  /** True if the block of a message is the same as in the earlier output. */
  hasBlock(message: MessageHeading): boolean {
    const { earlier, isRelinked } = this;
    const ordinal = ordinalOf("msg", message.id) as MessageOrdinal;
    if (earlier === null || isRelinked === null || this.bodies.headSizeOf(ordinal) === 0) return false;
    return earlier.isUnchanged(ordinal) && message.sentAt === message.sortedAt && !isRelinked(message);
  }

  /** The same as `showMessages` for a message with `hasBlock`. */
  showCopied(message: MessageHeading): void {
    this.beginPart().showCopied(message);
    this.endFullPart();
  }

  /** Renders every message, in id order, unless other threads do. */
  showMessages(messages: readonly EncodedMessage[]): void {
    this.beginPart().showMessages(messages);
    this.endFullPart();
  }

  private beginPart(): VaultPartWriter {
    this.part ??= new VaultPartWriter(this.plan, this.partCount, (ordinal) => this.bodies.sizeOf(ordinal) > 0);
    return this.part;
  }

  private endFullPart(): void {
    if (this.part!.length >= this.gathered!.partSize) this.endPart();
  }

  /** Takes the next part of all messages. */
  addPart({ blocks, recent, recentOfTopics, authors }: VaultPart): void {
    const gathered = this.gathered!;
    this.partCount++;
    for (const [index, rendered] of blocks.entries()) this.blocks[index]!.add(rendered);
    gathered.recent.addRecent(recent);
    gathered.recentOfTopics.addRecent(recentOfTopics);
    gathered.authorship.add(authors);
  }

  private endPart(): void {
    const { part } = this;
    this.part = null;
    if (part !== null) this.addPart(part.finish());
  }

  /** Writes the pages that need no messages; call after the last thread of the archive. */
  async writeLists(): Promise<void> {
    const { archive, directory, vault } = this;
    const { contacts } = this.gathered!.network;
    writeContactList(directory, contacts, (await archive.stats()).dateRange, vault);
    await writeThreadList(archive, directory, vault);
    await writeCalendar(archive, directory, vault);
    await writeIndex(archive, directory, { vault, items: await writeItems(archive, directory, vault.from("items")) });
  }

  /** Writes the other pages after the last message. */
  async finish(): Promise<void> {
    const { archive, directory, vault } = this;
    const { network, recent, recentOfTopics, authorship, chosen } = this.gathered!;
    if (!this.isDivided) await this.writeLists();
    this.endPart();
    for (const blocks of this.blocks) blocks.seal();
    writeEmailPages(directory, this.blocks[0]!, (await archive.stats()).dateRange, vault.from("emails").links);
    const threadVault = vault.from("wiki/threads");
    for (const id of chosen.threads) {
      const thread = await archive.threads.get(id);
      if (thread !== null) writeThreadPages(directory, thread, threadVault, this.blocks.at(-1)!);
    }
    for (const blocks of this.blocks) blocks.remove();
    this.bodies.close();
    const contactVault = vault.from("wiki/contacts");
    await writeContactPages(archive, directory, chosen.contacts, { vault: contactVault, recent, network });
    const topicVault = vault.from("wiki/topics");
    for (const topic of chosen.topics) {
      const newest = recentOfTopics.of(topic.id, topicVault);
      writeTopicPage(directory, topic, this.threads.largestOf(topic.id), newest, topicVault);
    }
    writeNetworkPage(directory, network, authorship.finish(), vault);
  }
}

async function allTopics(archive: Archive): Promise<readonly TopicDetail[]> {
  const topics: TopicDetail[] = [];
  for (const topic of (await archive.topics.list("frequency", ALL_TOPICS)).items) {
    const detail = await archive.topics.get(topic.id);
    if (detail !== null) topics.push(detail);
  }
  return topics;
}

/** Selects threads in one pass: those with a page, and the largest of each topic. */
class ThreadChoice {
  private readonly largest = new LargestThreads();
  private threads: { readonly id: ThreadId; readonly messageCount: number }[] = [];

  constructor(private readonly isEveryPageWanted: boolean) {}

  add(thread: Thread): void {
    const { id, messageCount } = thread;
    this.largest.add(thread);
    if (this.isEveryPageWanted || messageCount >= MIN_THREAD_MESSAGES) this.threads.push({ id, messageCount });
    if (!this.isEveryPageWanted && this.threads.length > MAIN_THREADS * 4) this.threads = this.cut();
  }

  chosen(): readonly ThreadId[] {
    return (this.isEveryPageWanted ? this.threads : this.cut()).map(({ id }) => id);
  }

  largestOf(topic: TopicId): readonly Thread[] {
    return this.largest.of(topic);
  }

  /** Largest first. */
  private cut(): { readonly id: ThreadId; readonly messageCount: number }[] {
    return this.threads
      .sort((a, b) => b.messageCount - a.messageCount || (a.id < b.id ? -1 : 1))
      .slice(0, MAIN_THREADS);
  }
}

async function writeContactPages(
  archive: Archive,
  directory: PageDirectory,
  chosen: readonly ContactId[],
  related: { readonly vault: Vault; readonly recent: RecentMessages; readonly network: ContactNetwork },
): Promise<void> {
  const { vault, recent, network } = related;
  const correspondents = new Correspondents(network);
  const cards = new ContactCards(vault);
  for await (const batch of archive.items.scan()) for (const item of batch) cards.add(item);
  const { contacts } = network;
  const leaders = contacts.communityLeaders();
  for (const id of chosen) {
    const contact = await archive.contacts.get(id);
    if (contact === null) continue;
    const community = contacts.titleOf(leaders[contacts.indexOf(id)!]!);
    writeContactPage(directory, contact, { vault, recent, correspondents, cards, community });
  }
}

/** Maximum messages per page, in full. */
const PAGE_SIZE = 1_000;

/**
 * Writes the pages emails/all, emails/inbox and emails/sent, newest first. A message is on the pages of all its
 * mailboxes.
 */
function writeEmailPages(
  directory: PageDirectory,
  blocks: MessageBlocks,
  { earliest, latest }: DateRange,
  links: PageLinks,
): void {
  const planners = {
    all: new PagePlanner(PAGE_SIZE),
    inbox: new PagePlanner(PAGE_SIZE),
    sent: new PagePlanner(PAGE_SIZE),
  };
  for (const { ordinal, mailboxes } of blocks.newestFirst())
    for (const kind of ["all", ...mailboxes] as const) planners[kind].add(blocks.sizeOf(ordinal));
  const list = (kind: "all" | "inbox" | "sent", title: string, facts: PagedListShape["facts"] = {}): PagedList => {
    const plan = planners[kind].plan();
    const head = `${countOf(plan.total, "message")}, newest first.\n\n`;
    return new PagedList(directory, { path: `emails/${kind}`, title, facts, plan, head }, links);
  };
  const all = list("all", "All mail", { earliest: showDay(earliest), latest: showDay(latest) });
  const special = {
    inbox: list("inbox", "Received mail"),
    sent: list("sent", "Sent mail"),
  };
  for (const { ordinal, mailboxes } of blocks.newestFirst()) {
    const block = blocks.copy(ordinal, all.nextEntry());
    for (const mailbox of mailboxes) special[mailbox].nextEntry().append(block);
  }
  all.close();
  special.inbox.close();
  special.sent.close();
}
