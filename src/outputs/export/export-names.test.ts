import fc from "fast-check";
import { expect, it } from "vitest";
import { MailboxPaths } from "./mailbox-path.ts";
import { maildirFolder, maildirName } from "./maildir-name.ts";
import { datedName } from "./message-name.ts";
import { maxPathLength } from "./path-length.ts";

it("gives every mailbox a separate path in the export", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(
        fc.oneof(fc.string(), fc.constantFrom("../x", "a/../../b", "A", "a", "con", "", "/", "x/y", "x\\y")),
        {
          maxLength: 20,
        },
      ),
      (mailboxes) => {
        const paths = new MailboxPaths("/", 200);
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

it("separates folders whose names differ only in separators", () => {
  const mailboxes = [
    "2020/Invoices",
    "2021/Invoices",
    "2020\\Invoices",
    "2021\\Invoices",
    "2020.Invoices",
    "2020_Invoices",
  ];
  for (const separator of ["/", "."] as const) {
    const paths = new MailboxPaths(separator, 200);
    const made = mailboxes.map((mailbox) => paths.of(mailbox).join(separator));
    expect(new Set(made).size).toBe(mailboxes.length);
    for (const [at, path] of made.entries()) expect(path).toContain(mailboxes[at]!.slice(0, 4));
  }
});

it("shortens paths of deep folders for Windows, and keeps them distinct", () => {
  const directory = `/${"x".repeat(120)}`;
  const room = maxPathLength(directory);
  for (const letter of ["f", "ü", "界", "😀"]) {
    const paths = new MailboxPaths("/", room);
    const folders = Array.from({ length: 40 }, (_, at) =>
      [...Array.from({ length: at % 20 }, (_level, depth) => letter.repeat(20 + depth)), `end ${at}`].join("/"),
    );
    const made = folders.map((folder) => paths.of(folder).join("/"));
    expect(new Set(made.map((path) => path.toLowerCase())).size).toBe(folders.length);
    for (const folder of made) {
      const name = datedName({ id: "msg-000012", sentAt: 0, subject: "s".repeat(200) }, room - folder.length - 1);
      expect(`${directory}/${folder}/${name}`.length).toBeLessThanOrEqual(259);
      expect(folder.isWellFormed()).toBe(true);
      for (const level of folder.split("/")) expect(level).toMatch(/^[^ .~].*[^ .]$/u);
    }
    expect(new MailboxPaths("/", room).of(folders[7]!).join("/")).toBe(made[7]);
  }
  // Names stay readable, however long the path of an export is.
  expect(maxPathLength("/".repeat(4000))).toBe(120);
});
