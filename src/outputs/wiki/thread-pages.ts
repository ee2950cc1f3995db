import type { Archive } from "../../mail/archive.ts";
import { ordinalOf } from "../../mail/records/ids.ts";
import type { Thread, ThreadDetail } from "../../mail/records/thread.ts";
import { countOf, formatCount } from "../../text/tokens/format-count.ts";
import { table } from "./markdown.ts";
import type { MessageBlocks } from "./message-blocks.ts";
import type { PageDirectory } from "./page-directory.ts";
import { PagePlanner, pagesOf } from "./page-plan.ts";
import { PagedList } from "./paged-list.ts";
import { showDay, type Vault } from "./vault.ts";

/** Rows per page of threads.md. */
const PAGE_SIZE = 2_000;
/** Maximum messages per page of a thread. */
const THREAD_PAGE_SIZE = 200;
/** Maximum people in a row; a thread of a mailing list has hundreds. */
const NAMED_PARTICIPANTS = 4;
const READ_BATCH = 1_000;

/** threads.md: every thread, the one with the newest message first. */
export async function writeThreadList(archive: Archive, directory: PageDirectory, vault: Vault): Promise<void> {
  const { totalThreads: total, dateRange } = await archive.stats();
  const header = ["Subject", "Messages", "First", "Last", "Participants", "Topic"];
  const list = new PagedList(
    directory,
    {
      path: "threads",
      title: "Threads",
      facts: { earliest: showDay(dateRange.earliest), latest: showDay(dateRange.latest) },
      plan: pagesOf(total, PAGE_SIZE),
      head: table(header, []),
    },
    vault.links,
  );
  for (let offset = 0; offset < total; offset += READ_BATCH) {
    for (const thread of (await archive.threads.list({ limit: READ_BATCH, offset })).items)
      list.add(`| ${threadRow(thread, vault).join(" | ")} |\n`);
  }
  list.close();
}

/** A thread as a row of a table. */
export function threadRow(thread: Thread, vault: Vault): readonly string[] {
  const participants = vault.onePerPerson(thread.participants);
  const named = participants.slice(0, NAMED_PARTICIPANTS).map((email) => vault.participant(email, true));
  const more = participants.length - named.length;
  const people = named.join(", ") + (more > 0 ? ` and ${formatCount(more)} more` : "");
  return [
    vault.thread(thread.id, thread.subject, true),
    formatCount(thread.messageCount),
    showDay(thread.firstMessage),
    showDay(thread.lastMessage),
    people,
    vault.topic(thread.topicId, true),
  ];
}

/** The pages of one thread: its messages in full, oldest first. */
export function writeThreadPages(
  directory: PageDirectory,
  thread: ThreadDetail,
  vault: Vault,
  blocks: MessageBlocks,
): void {
  const people = vault.onePerPerson(thread.participants).map((email) => vault.participant(email, false));
  const ordinals = thread.messageIds.map((id) => ordinalOf("msg", id)!);
  const planner = new PagePlanner(THREAD_PAGE_SIZE);
  for (const ordinal of ordinals) planner.add(blocks.sizeOf(ordinal));
  const list = new PagedList(
    directory,
    {
      path: `wiki/threads/${thread.id}`,
      title: thread.subject.trim() || "(no subject)",
      facts: {
        id: thread.id,
        participants: people.length,
        first_message: showDay(thread.firstMessage),
        last_message: showDay(thread.lastMessage),
        topic: thread.topicId,
      },
      plan: planner.plan(),
      head: `${countOf(thread.messageCount, "message")} · ${showDay(thread.firstMessage)} to ${showDay(thread.lastMessage)} · topic ${vault.topic(thread.topicId, false)}\n\n**Participants** ${people.join(", ")}\n\n`,
    },
    vault.links,
  );
  for (const ordinal of ordinals) blocks.copy(ordinal, list.nextEntry());
  list.close();
}
