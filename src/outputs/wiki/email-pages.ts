import type { Archive } from "../../mail/archive.ts";
import type { Instant } from "../../mail/instant.ts";
import type { MessageBlocks } from "./message-blocks.ts";
import { PagedList, type PagedListShape } from "./paged-list.ts";
import { specialMailbox } from "./special-mailbox.ts";
import { countOf, showDay } from "./vault.ts";

/** Messages of one page, in full. */
const PAGE_SIZE = 1_000;

/** Writes the pages emails/all, emails/inbox and emails/sent, newest first. */
export function writeEmailPages(directory: string, blocks: MessageBlocks, totals: EmailTotals): void {
  const list = (path: string, title: string, total: number, facts: PagedListShape["facts"] = {}): PagedList =>
    new PagedList(directory, {
      path,
      title,
      facts,
      pageSize: PAGE_SIZE,
      total,
      head: `${countOf(total, "message")}, newest first.\n\n`,
    });
  const all = list("emails/all", "All mail", totals.all, { earliest: showDay(totals.earliest), latest: showDay(totals.latest) });
  const special = {
    inbox: list("emails/inbox", "Received mail", totals.inbox),
    sent: list("emails/sent", "Sent mail", totals.sent),
    other: null,
  };
  for (const { ordinal, mailbox } of blocks.newestFirst()) {
    const block = blocks.copy(ordinal, all.nextEntry());
    special[mailbox]?.nextEntry().append(block);
  }
  all.close();
  special.inbox.close();
  special.sent.close();
}

/** How many messages there are at all, in inboxes and among sent mail; and the first and last day of them all. */
export interface EmailTotals {
  readonly all: number;
  readonly inbox: number;
  readonly sent: number;
  readonly earliest: Instant | null;
  readonly latest: Instant | null;
}

export async function emailTotals(archive: Archive): Promise<EmailTotals> {
  const totals = { all: 0, inbox: 0, sent: 0, other: 0 };
  for (const { mailbox, messages } of await archive.messages.mailboxes()) {
    totals.all += messages;
    totals[specialMailbox(mailbox)] += messages;
  }
  return { ...totals, ...(await archive.stats()).dateRange };
}
