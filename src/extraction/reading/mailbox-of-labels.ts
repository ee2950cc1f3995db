/** Gmail's own labels for mailboxes, in order of preference. */
const MAILBOX_LABELS = ["Inbox", "Sent", "Draft", "Spam", "Trash", "Chat"] as const;

/**
 * Mailbox of a message from its X-Gmail-Labels, or null. A Takeout export is one mbox with all mailboxes. The user's
 * own labels become labels of the message, not mailboxes.
 */
export function mailboxOfLabels(labels: readonly string[]): string | null {
  return MAILBOX_LABELS.find((mailbox) => labels.includes(mailbox)) ?? null;
}
