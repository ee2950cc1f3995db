import fc from "fast-check";
import { messageId } from "../src/mail/records/ids.ts";
import {
  addToOrdinal,
  type ContactOrdinal,
  type MessageOrdinal,
  type ThreadOrdinal,
  type TopicOrdinal,
} from "../src/mail/records/ordinal.ts";
import { DEFAULT_OPTIONS } from "../src/mail/records/provenance.ts";
import type { ArchiveRecord, ContactRow, MessageRow, ThreadRow, TopicRow } from "../src/store/contract/rows.ts";
import { messageRow } from "./message-row.ts";

/**
 * Small archives with many collisions: few subjects, addresses, dates, threads and topics over many messages.
 */
export interface SampleArchive {
  readonly messages: readonly MessageRow[];
  readonly contacts: readonly ContactRow[];
  readonly threads: readonly ThreadRow[];
  readonly topics: readonly TopicRow[];
}

/** Contact n has the addresses of row n - 1; the first is its main address. */
export const SAMPLE_ADDRESSES: readonly (readonly string[])[] = [
  ["ann@example.org", "Ann.Ösk@Example.org"],
  ["bob@example.org"],
  ["zoé@example.net", "100%_zoe@example.net", "z@example.net"],
  ["/O=EXAMPLE/CN=DAVE"],
];
const NAMES = ["Ann Ösk", "bob", "Zoé", ""];
const SUBJECTS = ["Budget", "BÜDGET", "budget", "", "Re: Budget", "Ångström", "回复", "zebra"];
const DATES = [null, -5_000, 0, 990_000_000_000, 990_000_000_000, 1_000_000_000_123, 4_102_444_800_000];
const MAILBOXES = ["INBOX", "Sent", "Archive/2001"];

const place = fc.record({
  source: fc.nat(1),
  mailbox: fc.constantFrom(...MAILBOXES),
  location: fc.constantFrom("offset:0", "offset:9", "nid:21"),
});
/** Fields that may differ in a duplicate. */
const differences = fc.record(
  {
    messageId: fc.constantFrom("copy@example.org", "other@example.net"),
    sha256: fc.constant("ba".repeat(32)),
    receivedAt: fc.constantFrom(null, 7_000),
    flags: fc.constantFrom([], ["flagged"]),
    from: fc.constantFrom(null, { name: "Somebody", email: "ann@example.org" }),
    replyTo: fc.constant([{ name: "", email: "list@example.org" }]),
    references: fc.constant(["0@example.org"]),
  },
  { requiredKeys: [] },
);
const contactPick = fc.record({ contact: fc.integer({ min: 1, max: 4 }), spelling: fc.nat(2) });

const draft = fc.record({
  subject: fc.oneof(fc.constantFrom(...SUBJECTS), fc.string({ unit: "grapheme", maxLength: 8 })),
  author: fc.option(contactPick, { freq: 6 }),
  to: fc.array(contactPick, { maxLength: 4 }),
  cc: fc.array(contactPick, { maxLength: 2 }),
  sentAt: fc.constantFrom(...DATES),
  thread: fc.integer({ min: 1, max: 5 }).map((ordinal) => ordinal as ThreadOrdinal),
  topic: fc.integer({ min: 0, max: 3 }),
  place,
  further: fc.uniqueArray(fc.tuple(place, differences), {
    maxLength: 2,
    selector: ([at]) => `${at.source} ${at.mailbox} ${at.location}`,
  }),
  body: fc.string({ unit: "grapheme", maxLength: 30 }),
  attachments: fc.nat(2),
});
type Draft = typeof draft extends fc.Arbitrary<infer T> ? T : never;
type Pick = Draft["to"][number];

const addressOf = ({ contact, spelling }: Pick) => {
  const spellings = SAMPLE_ADDRESSES[contact - 1]!;
  return { name: NAMES[contact - 1]!, email: spellings[spelling % spellings.length]! };
};

function toMessage(source: Draft, ordinal: number): MessageRow {
  const { author, to, cc, further, attachments, place: at, thread, topic, subject, sentAt, body } = source;
  const occurrences = further
    .map(([other, differs]) => ({ ...other, ...differs }))
    .filter((other) => other.source !== at.source || other.mailbox !== at.mailbox || other.location !== at.location);
  return messageRow(ordinal, {
    ...at,
    thread,
    topic: topic as TopicOrdinal,
    subject,
    sentAt,
    inReplyTo: ordinal % 3 === 0 ? [`${ordinal - 1}@example.org`] : [],
    references: ordinal % 3 === 0 ? ["1@example.org", `${ordinal - 1}@example.org`] : [],
    conversationIndexRoot: ordinal % 5 === 0 ? "0a".repeat(22) : null,
    baseSubjectKey: subject,
    messageKind: ordinal % 4 === 0 ? null : "meeting_request",
    from: author === null ? null : addressOf(author),
    sender: ordinal % 3 === 0 ? { name: "An office", email: "office@example.org" } : null,
    to: to.map(addressOf),
    cc: cc.map(addressOf),
    replyTo: author === null ? [] : [addressOf(author)],
    fromContact: (author === null ? null : author.contact) as ContactOrdinal | null,
    recipients: [
      ...to.map(({ contact }) => ({ contact: contact as ContactOrdinal, kind: "to" as const })),
      ...cc.map(({ contact }) => ({ contact: contact as ContactOrdinal, kind: "cc" as const })),
    ],
    receivedAt: sentAt === null ? null : sentAt + 1000,
    flags: ordinal % 2 === 0 ? ["seen", "label:Büro"] : [],
    sha256: ordinal.toString(16).padStart(64, "0"),
    sizeBytes: 1000 + ordinal,
    language: ordinal % 2 === 0 ? "en" : null,
    textKey: ordinal % 5 === 0 ? null : ordinal,
    mentions: ordinal % 3 === 1 ? ["p+14155552671", "oKai Lines, Inc."] : [],
    fileTexts: ordinal % 3 === 1 ? [`Bürde ${ordinal}`, ""] : [],
    quotes: ordinal % 3 === 0 ? [messageId(addToOrdinal(ordinal as MessageOrdinal, -1)), "msg-000001"] : [],
    body: Buffer.from(body.toWellFormed()),
    bodyTokens: body.length,
    attachments: Array.from({ length: attachments }, (_, index) => ({
      id: `msg-${ordinal}-${index + 1}`,
      filename: `größe ${index}.pdf`,
      mediaType: "application/pdf",
      sizeBytes: index,
      sha256: "cd".repeat(32),
      disposition: index === 0 ? "attachment" : "inline",
      linkTarget: index === 0 ? null : "https://files.mill.example/a b",
      attachedMessage: index === 0 ? null : "Plan.eml/Crane.eml",
      contentId: index === 0 ? null : `part${index}@example.org`,
      path: index === 0 ? null : `wiki/attachments/msg-${ordinal}/${index}`,
    })),
    occurrences: [at, ...occurrences],
    findings: ordinal % 7 === 0 ? [{ code: "date-unreadable", message: "the date" }] : [],
  });
}

const dated = (messages: readonly MessageRow[]): readonly number[] =>
  messages.map((message) => message.sentAt).filter((sentAt) => sentAt !== null);
const least = (dates: readonly number[]): number | null => (dates.length === 0 ? null : Math.min(...dates));
const most = (dates: readonly number[]): number | null => (dates.length === 0 ? null : Math.max(...dates));

export const isOf = (message: MessageRow, contact: number): boolean =>
  message.fromContact === contact || message.recipients.some((recipient) => recipient.contact === contact);

function toContact(ordinal: ContactOrdinal, messages: readonly MessageRow[]): ContactRow {
  const own = messages.filter((message) => isOf(message, ordinal));
  const [email, ...aliases] = SAMPLE_ADDRESSES[ordinal - 1]!;
  return {
    ordinal,
    name: NAMES[ordinal - 1]!,
    email: email!,
    messageCount: own.length,
    sentCount: own.filter((message) => message.fromContact === ordinal).length,
    receivedCount: own.filter((message) => message.recipients.some((recipient) => recipient.contact === ordinal))
      .length,
    frequency: "low",
    firstSeen: least(dated(own)),
    lastSeen: most(dated(own)),
    sentiment: "neutral",
    community: 1,
    authorityScore: 1 / (ordinal + 2),
    hubScore: 1 / (ordinal + 6),
    pagerank: 0.123456789 / ordinal,
    degree: 2,
    inDegree: 1,
    outDegree: 1,
    aliases,
    domains: ["example.org"],
    evidence: aliases.map((address) => ({ address, reason: "same address in another spelling" })),
  };
}

function toArchive(drafts: readonly Draft[]): SampleArchive {
  const messages = drafts.map((source, index) => toMessage(source, index + 1));
  const threads = Array.from(new Set(messages.map((message) => message.thread)), (ordinal): ThreadRow => {
    const own = messages.filter((message) => message.thread === ordinal);
    const { subject, topic } = own[0]!;
    const participants = [
      ...new Set(
        own.flatMap(({ from, to, cc }) => [...(from === null ? [] : [from]), ...to, ...cc].map(({ email }) => email)),
      ),
    ];
    return {
      ordinal,
      subject,
      topic,
      participants,
      messageCount: own.length,
      firstMessage: least(dated(own)),
      lastMessage: most(dated(own)),
    };
  });
  const topics = ([0, 1, 2, 3] as TopicOrdinal[]).map((ordinal) => ({
    ordinal,
    name: ["Other", "Budget", "büdget", "Ångström"][ordinal]!,
    description: "",
    messageCount: messages.filter((message) => message.topic === ordinal).length,
    topKeywords: ["größe"],
    mentionPercent: [null, 42, 80, 80][ordinal]!,
    createdAt: 1_000_000_000_000,
  }));
  return {
    messages,
    threads,
    topics,
    contacts: ([1, 2, 3, 4] as ContactOrdinal[]).map((ordinal) => toContact(ordinal, messages)),
  };
}

export const sampleArchives: fc.Arbitrary<SampleArchive> = fc
  .array(draft, { maxLength: 40, size: "max" })
  .map(toArchive);

export const SAMPLE_RECORD: ArchiveRecord = {
  tool: "archivetool",
  toolVersion: "0.6.0",
  extractedAt: 1_100_000_000_000,
  sourceHash: "ef".repeat(32),
  sourceFormat: "mixed",
  options: { ...DEFAULT_OPTIONS, redact: ["email"] },
  redactions: { email: 3, phone: 1, ssn: 0, credit_card: 0, ip: 0, iban: 0, word: 0 },
};
