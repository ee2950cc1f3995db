/** Gmail's own labels that name a place, in the order in which one is chosen when a message carries several. */
const MAILBOX_LABELS = ["Inbox", "Sent", "Draft", "Spam", "Trash", "Chat"] as const;

/**
 * The mailbox of a message from its X-Gmail-Labels, where they name a place of Gmail's own; null where they do not. A
 * Takeout export is one mbox that holds every mailbox. What the owner of an account calls a message is a label of it,
 * of which it may have many, and no place.
 */
export function mailboxOfLabels(labels: readonly string[]): string | null {
  return MAILBOX_LABELS.find((mailbox) => labels.includes(mailbox)) ?? null;
}
