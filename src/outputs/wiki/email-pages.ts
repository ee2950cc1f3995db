import type { Archive, ArchivedMessage } from "../../mail/archive.ts";
import type { Instant } from "../../mail/instant.ts";
import { messageBlock } from "./message-block.ts";
import { PagedList, type PagedListShape } from "./paged-list.ts";
import { type SpecialMailbox, specialMailbox } from "./special-mailbox.ts";
import { countOf, showDay, type Vault } from "./vault.ts";

/** Messages of one page, in full. */
const PAGE_SIZE = 1_000;

/** Takes every message of the archive, newest first. */
export interface NewestFirstReader {
  add(message: ArchivedMessage): void;
}

/** The pages emails/all, emails/inbox and emails/sent, fed by the one walk over all messages. */
export class EmailPages implements NewestFirstReader {
  private readonly all: PagedList;
  private readonly special: Readonly<Record<SpecialMailbox, PagedList | null>>;
  private readonly vault: Vault;

  constructor(directory: string, vault: Vault, totals: EmailTotals) {
    const list = (path: string, title: string, total: number, facts: PagedListShape["facts"] = {}): PagedList =>
      new PagedList(directory, {
        path,
        title,
        facts,
        pageSize: PAGE_SIZE,
        total,
        head: `${countOf(total, "message")}, newest first.\n\n`,
      });
    this.all = list("emails/all", "All mail", totals.all, {
      earliest: showDay(totals.earliest),
      latest: showDay(totals.latest),
    });
    this.special = {
      inbox: list("emails/inbox", "Received mail", totals.inbox),
      sent: list("emails/sent", "Sent mail", totals.sent),
      other: null,
    };
    this.vault = vault;
  }

  add(message: ArchivedMessage): void {
    const block = messageBlock(message, this.vault);
    this.all.add(block);
    this.special[specialMailbox(message.mailbox)]?.add(block);
  }

  close(): void {
    this.all.close();
    this.special.inbox?.close();
    this.special.sent?.close();
  }
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
