import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OTHER_TOPIC } from "../../src/mail/records/ids.ts";
import type { Attachment } from "../../src/mail/records/message.ts";
import type { ContactOrdinal, ThreadOrdinal, TopicOrdinal } from "../../src/mail/records/ordinal.ts";
import type { Warning } from "../../src/mail/records/provenance.ts";
import { createArchive } from "../../src/store/archive/write-archive.ts";
import { archiveIn, type FileLocation } from "../../src/store/contract/archive-location.ts";
import type { ContactRow, MessageRow, ThreadRow, TopicRow } from "../../src/store/contract/rows.ts";
import { tokensOf } from "../../src/text/tokens/tokens.ts";
import { messageRow } from "../message-row.ts";
import { SAMPLE_RECORD } from "../sample-rows.ts";

/**
 * A small archive of an invented harbor office, written row by row. Every sort order has ties, and every filter matches
 * something.
 */

const DAY = 86_400_000;
const START = Date.UTC(2001, 4, 14, 16, 39, 0);

interface Person {
  readonly name: string;
  readonly email: string;
  readonly aliases: readonly string[];
}

export const PEOPLE: readonly Person[] = [
  { name: "Ann Quay", email: "ann@harbour.example", aliases: ["Ann.Quay@Harbour.example"] },
  { name: "Éloi Brun", email: "eloi@harbour.example", aliases: [] },
  { name: "bob Tide", email: "bob@harbour.example", aliases: [] },
  { name: "BOB Tide", email: "bob@tide.example", aliases: [] },
  { name: "", email: "pilot-office@pilots.example", aliases: [] },
  { name: "Zoë Winch", email: "zoe@harbour.example", aliases: [] },
];

const SUBJECTS = ["Mooring line", "mooring LINE", "Éclair", "eclair", "Berth plan", ""];

const PDF: Attachment = {
  id: "att-1",
  filename: "berth plan.pdf",
  mediaType: "application/pdf",
  sizeBytes: 1234,
  sha256: "cd".repeat(32),
  disposition: "attachment",
  contentId: null,
  linkTarget: null,
  attachedMessage: null,
  path: null,
};

const address = (person: number, spelling = 0) => {
  const { name, email, aliases } = PEOPLE[person]!;
  return { name, email: [email, ...aliases][spelling] ?? email };
};

/** Message n, from 1. Dates come in pairs, every tenth message has none; message 7 has no author. */
function message(ordinal: number): MessageRow {
  const author = ordinal === 7 ? null : ordinal % PEOPLE.length;
  const reader = (ordinal + 1) % PEOPLE.length;
  const copied = (ordinal + 2) % PEOPLE.length;
  const body = Buffer.from(
    ordinal === 12
      ? "The pilot boat\n\n  waits\tat <b>berth</b> twelve.\nBring the hawser."
      : `Line ${ordinal}: the mooring ${ordinal % 2 === 0 ? "rope and the rope again" : "chain"}\nof berth ${ordinal}.`,
  );
  const sentAt = ordinal % 10 === 0 ? null : START + Math.floor(ordinal / 2) * DAY;
  return messageRow(ordinal, {
    messageId: `${ordinal}@harbour.example`,
    thread: (1 + (ordinal % 4)) as ThreadOrdinal,
    topic: (ordinal % 3) as TopicOrdinal,
    subject: SUBJECTS[ordinal % SUBJECTS.length]!,
    from: author === null ? null : address(author, ordinal % 5 === 0 ? 1 : 0),
    to: [address(reader), { name: "name without address", email: "" }],
    cc: ordinal % 2 === 0 ? [address(copied)] : [],
    bcc: ordinal % 3 === 0 ? [address(copied)] : [],
    fromContact: (author === null ? null : author + 1) as ContactOrdinal | null,
    recipients: [{ contact: (reader + 1) as ContactOrdinal, kind: "to" }],
    sentAt,
    receivedAt: sentAt === null ? null : sentAt + 90_000,
    sha256: ordinal.toString(16).padStart(64, "0"),
    language: "en",
    mentions: ordinal % 4 === 1 ? MENTIONS : [],
    quotes: ordinal === 12 ? ["msg-000008", "msg-000004"] : [],
    body,
    bodyTokens: tokensOf(Buffer.from(body).toString()).length,
    attachments: ordinal === 12 ? [PDF] : [],
  });
}

/** A value of each kind. */
const MENTIONS = [
  ...["mZoë Winch", "wPeter Aldrin", "oKai Lines, Inc.", "p+14155552671", "iDE89370400440532013000", "aUSD 12000"],
  ...["sharbor.example", "rinvoice 2001-77"],
];

export const MESSAGES: readonly MessageRow[] = Array.from({ length: 24 }, (_, index) => message(index + 1));

const dates = (messages: readonly MessageRow[]): readonly number[] =>
  messages.map(({ sentAt }) => sentAt).filter((date) => date !== null);

function contact({ name, email, aliases }: Person, index: number): ContactRow {
  const ordinal = (index + 1) as ContactOrdinal;
  const own = MESSAGES.filter(
    ({ fromContact, recipients }) => fromContact === ordinal || recipients[0]?.contact === ordinal,
  );
  const seen = dates(own);
  return {
    ordinal,
    name,
    email,
    aliases,
    // Equal in pairs, so that the id decides the order.
    messageCount: own.length - (own.length % 2),
    sentCount: own.length,
    receivedCount: 0,
    frequency: (["high", "medium", "low"] as const)[index % 3]!,
    firstSeen: index === 4 ? null : Math.min(...seen),
    lastSeen: index === 4 ? null : START + Math.floor(index / 2) * DAY,
    sentiment: (["positive", "neutral", "negative"] as const)[index % 3]!,
    community: 1 + (index % 2),
    authorityScore: 0.123456789 / ordinal,
    hubScore: 0.987654321 / ordinal,
    pagerank: 0.1,
    degree: 2,
    inDegree: 1,
    outDegree: 1,
    domains: ["harbour.example"],
    evidence: [],
  };
}

export const CONTACTS: readonly ContactRow[] = PEOPLE.map(contact);

export const THREADS: readonly ThreadRow[] = ([1, 2, 3, 4, 5] as ThreadOrdinal[]).map((ordinal) => {
  const own = MESSAGES.filter(({ thread }) => thread === ordinal);
  const seen = dates(own);
  return {
    ordinal,
    subject: own[0]?.subject ?? "Nobody wrote",
    messageCount: own.length,
    participants: ordinal === 5 ? [] : ["ann@harbour.example", "eloi@harbour.example"],
    firstMessage: seen.length === 0 ? null : Math.min(...seen),
    // Threads 1 and 2 end at the same time.
    lastMessage: seen.length === 0 ? null : START + Math.ceil(ordinal / 2) * DAY,
    topic: own[0]?.topic ?? OTHER_TOPIC,
  };
});

export const TOPICS: readonly TopicRow[] = ["Other", "Ropes", "rôpes", "Berths"].map((name, ordinal) => ({
  ordinal: ordinal as TopicOrdinal,
  name,
  description: ordinal === 0 ? "" : `About ${name}`,
  messageCount: ordinal === 3 ? 0 : MESSAGES.filter(({ topic }) => topic === ordinal).length,
  topKeywords: ["rope", "berth"],
  mentionPercent: 75,
  createdAt: START,
}));

export interface ContractArchive {
  readonly path: string;
  readonly location: FileLocation;
  remove(): void;
}

/** Writes the archive to a separate directory; `remove` deletes it. */
export async function writeContractArchive(warnings: readonly Warning[] = []): Promise<ContractArchive> {
  const directory = mkdtempSync(join(tmpdir(), "archivetool-contract-"));
  const path = join(directory, "archive.db");
  const location = archiveIn(directory);
  const writer = await createArchive(location);
  await writer.addMessages(MESSAGES);
  await writer.replaceContacts(CONTACTS);
  await writer.replaceThreads(THREADS);
  await writer.replaceTopics(TOPICS);
  await writer.setRecord(SAMPLE_RECORD);
  await writer.addWarnings(warnings, 0);
  await writer.makeSearch();
  await writer.finish();
  return { path, location, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
