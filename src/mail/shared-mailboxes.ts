/**
 * Names that mailboxes of several sources have: two exports with an `INBOX` each. Where such a name is shown, the
 * source stands beside it.
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
