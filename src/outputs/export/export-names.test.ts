import fc from "fast-check";
import { expect, it } from "vitest";
import { MailboxPaths } from "./mailbox-path.ts";
import { maildirFolder, maildirName } from "./maildir-name.ts";

it("gives every mailbox a path of its own that leads nowhere else", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(
        fc.oneof(fc.string(), fc.constantFrom("../x", "a/../../b", "A", "a", "con", "", "/", "x/y", "x\\y")),
        {
          maxLength: 20,
        },
      ),
      (mailboxes) => {
        const paths = new MailboxPaths();
        const made = mailboxes.map((mailbox) => paths.of(mailbox).join("/"));
        expect(new Set(made.map((path) => path.toLowerCase())).size).toBe(made.length);
        for (const path of made) {
          for (const level of path.split("/")) expect(level).not.toMatch(/^\.{0,2}$|[\\/\0]/);
        }
        expect(mailboxes.map((mailbox) => paths.of(mailbox).join("/"))).toEqual(made);
      },
    ),
  );
});

it("names files of a Maildir by date, id and flags", () => {
  const message = {
    id: "msg-000012",
    sentAt: 990_000_000_500,
    receivedAt: null,
    flags: ["seen", "label:x", "replied", "draft"],
  } as const;
  expect(maildirName(message)).toMatch(/^990000000\.msg-000012\.archivetool[:;]2,DRS$/);
  expect(maildirName({ ...message, sentAt: null, flags: [] })).toMatch(/^0\.msg-000012\.archivetool[:;]2,$/);
});

it("names folders by the rule of Maildir++", () => {
  expect([["INBOX"], ["Sent"], ["a", "b"]].map(maildirFolder)).toEqual(["", ".Sent/", ".a.b/"]);
});

it("keeps folders apart whose names differ in separators only", () => {
  const mailboxes = [
    "2020/Invoices",
    "2021/Invoices",
    "2020\\Invoices",
    "2021\\Invoices",
    "2020.Invoices",
    "2020_Invoices",
  ];
  for (const separator of ["/", "."] as const) {
    const paths = new MailboxPaths(separator);
    const made = mailboxes.map((mailbox) => paths.of(mailbox).join(separator));
    expect(new Set(made).size).toBe(mailboxes.length);
    for (const [at, path] of made.entries()) expect(path).toContain(mailboxes[at]!.slice(0, 4));
  }
});
