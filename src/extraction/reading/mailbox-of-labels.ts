/** Gmail's own labels that name a mailbox, in the order in which one is chosen when a message carries several. */
const MAILBOX_LABELS = ["Inbox", "Sent", "Drafts", "Draft", "Spam", "Trash", "Chat"] as const;
/** Gmail's own labels that are states, not places. */
const STATE_LABELS: ReadonlySet<string> = new Set([
  "opened",
  "unread",
  "important",
  "starred",
  "archived",
  "muted",
  "snoozed",
]);

/**
 * The mailbox of a message from its X-Gmail-Labels: a place of Gmail's own, else the first label its owner gave it;
 * null when the labels name no place. A Takeout export is one mbox that holds every mailbox.
 */
export function mailboxOfLabels(labels: readonly string[]): string | null {
  for (const mailbox of MAILBOX_LABELS)
    if (labels.some((label) => label.toLowerCase() === mailbox.toLowerCase())) return mailbox;
  return (
    labels.find(
      (label) => !STATE_LABELS.has(label.toLowerCase()) && !/^category /i.test(label) && label.trim() !== "",
    ) ?? null
  );
}
