/**
 * Mailbox names that occur in several sources, such as `INBOX` in two exports. Such a name is shown with its source.
 */
export function sharedMailboxNames(
  mailboxes: readonly { readonly source: number; readonly mailbox: string }[],
): ReadonlySet<string> {
  const sourceOf = new Map<string, number>();
  const shared = new Set<string>();
  for (const { source, mailbox } of mailboxes) {
    const first = sourceOf.get(mailbox);
    if (first === undefined) sourceOf.set(mailbox, source);
    else if (first !== source) shared.add(mailbox);
  }
  return shared;
}
