import type { Archive, ArchivedMessage } from "../../mail/archive.ts";
import { messageBlock } from "./message-block.ts";
import { PagedList } from "./paged-list.ts";
import { type SpecialMailbox, specialMailbox } from "./special-mailbox.ts";
import type { Vault } from "./vault.ts";

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

  constructor(directory: string, vault: Vault, totals: { readonly all: number; readonly inbox: number; readonly sent: number }) {
    const list = (path: string, title: string, total: number): PagedList =>
      new PagedList(directory, {
        path,
        title,
        pageSize: PAGE_SIZE,
        total,
        head: `${total.toLocaleString("en-US")} messages, newest first.\n\n`,
      });
    this.all = list("emails/all", "All mail", totals.all);
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

/** How many messages lie in inboxes and among sent mail. */
export async function emailTotals(archive: Archive): Promise<{ readonly all: number; readonly inbox: number; readonly sent: number }> {
  const totals = { all: 0, inbox: 0, sent: 0, other: 0 };
  for (const { mailbox, messages } of await archive.messages.mailboxes()) {
    totals.all += messages;
    totals[specialMailbox(mailbox)] += messages;
  }
  return totals;
}
