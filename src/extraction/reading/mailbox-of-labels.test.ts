import { expect, it } from "vitest";
import { mailboxOfLabels } from "./mailbox-of-labels.ts";

it.each([
  [["Opened", "Inbox", "Work"], "Inbox"],
  [["Sent", "Inbox"], "Inbox"],
  [["Work", "Sent", "Category Updates"], "Sent"],
  [["Work", "Home", "Archived", "Starred"], null],
  [[], null],
])("the labels %j name %j", (labels, mailbox) => expect(mailboxOfLabels(labels)).toBe(mailbox));
