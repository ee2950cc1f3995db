import type { DateRange } from "../../mail/records/provenance.ts";
import { countOf } from "../../text/tokens/format-count.ts";
import type { MessageBlocks } from "./message-blocks.ts";
import type { PageDirectory } from "./page-directory.ts";
import type { PageLinks } from "./page-links.ts";
import { PagePlanner } from "./page-plan.ts";
import { PagedList, type PagedListShape } from "./paged-list.ts";
import { showDay } from "./vault.ts";

/** Maximum messages per page, in full. */
const PAGE_SIZE = 1_000;

/**
 * Writes the pages emails/all, emails/inbox and emails/sent, newest first. A message is on the pages of all its
 * mailboxes.
 */
export function writeEmailPages(
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
