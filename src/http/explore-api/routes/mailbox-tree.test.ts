import { expect, it } from "vitest";
import type { SourceRecord } from "../../../mail/records/provenance.ts";
import { mailboxTree } from "./mailbox-tree.ts";

const COUNTS = { seen: 1, kept: 1, duplicate: 0, skipped: 0, failed: 0 };

/** Depths and labels of the rows below a source with these mailboxes. */
function rows(...names: readonly string[]): readonly string[] {
  return treeOf("/mail/a.pst", names).slice(1);
}

function treeOf(path: string, names: readonly string[]): readonly string[] {
  const mailboxes = names.map((name) => ({ name, counts: COUNTS }));
  const source = { path, counts: COUNTS, mailboxes } as unknown as SourceRecord;
  return mailboxTree([source], [], new Map()).map(
    ({ depth, label, name }) => `${depth} ${label}${name === null ? " (folder)" : ""}`,
  );
}

it.each([
  [["Inbox/Inbox"], ["1 Inbox"]],
  [
    ["Mail/Mail/Mail", "Mail/Mail/Sent"],
    ["1 Mail (folder)", "2 Mail", "2 Sent"],
  ],
  [
    ["A/B/B", "A/C"],
    ["1 A (folder)", "2 B", "2 C"],
  ],
  [
    ["A/A", "A/B"],
    ["1 A (folder)", "2 A", "2 B"],
  ],
  [
    ["A", "A/A"],
    ["1 A", "2 A"],
  ],
  [
    ["A/A/B", "C"],
    ["1 A (folder)", "2 B", "1 C"],
  ],
])("shows a folder with one namesake in it once: %j", (names, expected) => expect(rows(...names)).toEqual(expected));

it.each([
  ["/mail/Inbox.mbox", ["Inbox"], ["0 /mail/Inbox.mbox"]],
  ["C:\\mail\\list.2001", ["list.2001"], ["0 C:\\mail\\list.2001"]],
  ["/mail/Inbox.mbox", ["INBOX"], ["0 /mail/Inbox.mbox (folder)", "1 INBOX"]],
  ["/mail/Inbox.pst", ["Inbox", "Sent"], ["0 /mail/Inbox.pst (folder)", "1 Inbox", "1 Sent"]],
])("shows a source with one mailbox of the same name once: %s %j", (path, names, expected) =>
  expect(treeOf(path, names)).toEqual(expected),
);
