import type { DateRange } from "../../mail/provenance.ts";
import type { MessageBlocks } from "./message-blocks.ts";
import { PagedList, type PagedListShape } from "./paged-list.ts";
import { countOf, showDay } from "./vault.ts";

/** Messages of one page, in full. */
const PAGE_SIZE = 1_000;

/**
 * Writes the pages emails/all, emails/inbox and emails/sent, newest first. A message stands on the pages of all
 * mailboxes it lies in.
 */
export function writeEmailPages(directory: string, blocks: MessageBlocks, { earliest, latest }: DateRange): void {
  const { totals } = blocks;
  const list = (path: string, title: string, total: number, facts: PagedListShape["facts"] = {}): PagedList =>
    new PagedList(directory, {
      path,
      title,
      facts,
      pageSize: PAGE_SIZE,
      total,
      head: `${countOf(total, "message")}, newest first.\n\n`,
    });
  const all = list("emails/all", "All mail", totals.all, { earliest: showDay(earliest), latest: showDay(latest) });
  const special = {
    inbox: list("emails/inbox", "Received mail", totals.inbox),
    sent: list("emails/sent", "Sent mail", totals.sent),
  };
  for (const { ordinal, mailboxes } of blocks.newestFirst()) {
    const block = blocks.copy(ordinal, all.nextEntry());
    for (const mailbox of mailboxes) special[mailbox].nextEntry().append(block);
  }
  all.close();
  special.inbox.close();
  special.sent.close();
}
