import { expect, it } from "vitest";
import { contactId, threadId, topicId } from "../../mail/records/ids.ts";
import type { ContactOrdinal, ThreadOrdinal, TopicOrdinal } from "../../mail/records/ordinal.ts";
import type { Thread } from "../../mail/records/thread.ts";
import { threadRow } from "./thread-pages.ts";
import { Vault } from "./vault.ts";

const ANN = contactId(1 as ContactOrdinal);
const THREAD: Thread = {
  id: threadId(1 as ThreadOrdinal),
  subject: "Berth 7",
  messageCount: 3,
  participants: ["Ann@harbour.example", "bob@harbour.example", "ann@home.example"],
  firstMessage: 0,
  lastMessage: null,
  topicId: topicId(1 as TopicOrdinal),
};

function harbour(): Vault {
  const vault = new Vault("wiki");
  vault.addContact(ANN, "Ann Ösk", ["ann@harbour.example", "ann@home.example"]);
  return vault;
}

it("maps an address to its contact, once per person", () => {
  const vault = harbour();
  expect(vault.participant("ANN@harbour.example", false)).toBe(`[[wiki/contacts/${ANN}|Ann Ösk]]`);
  expect(vault.participant("bob@harbour.example", false)).toBe("bob\\@harbour.example");
  expect(vault.onePerPerson(THREAD.participants)).toEqual(["Ann@harbour.example", "bob@harbour.example"]);
  expect(threadRow(THREAD, vault)[4]).toBe(`[[wiki/contacts/${ANN}\\|Ann Ösk]], bob\\@harbour.example`);
});

it("maps an unnamed contact to its address", () => {
  const vault = new Vault("wiki");
  vault.addContact(ANN, "ann@harbour.example", ["ann@harbour.example"]);
  expect(vault.participant("ann@harbour.example", false)).toBe(`[[wiki/contacts/${ANN}|ann@harbour.example]]`);
});
