import type { Command } from "commander";
import { CALENDAR_EVENT, CONTACT, ITEM, MESSAGE, THREAD, TOPIC } from "../../document/extraction-records.ts";
import { ArchiveError, ERRORS } from "../../errors.ts";
import type { Archive, ArchivedMessage } from "../../mail/archive.ts";
import { formatInstant } from "../../mail/dates/instant.ts";
import { formatAddress } from "../../mail/records/address.ts";
import { addressCardsOf } from "../../outputs/address-cards.ts";
import { attachmentText } from "../../outputs/export/message-page.ts";
import { formatCount } from "../../text/tokens/format-count.ts";
import { withNamedArchive } from "../extracting/open-archive.ts";
import type { Line } from "../terminal/line.ts";
import type { Session } from "../terminal/session.ts";
import { SOURCE_ARGUMENT } from "../terminal/store-source.ts";
import { fieldLines, headingLines, messageLines, textLines } from "./format-message.ts";
import { addOriginalFlags, type OriginalFlags, originalSearch } from "./original-flags.ts";

interface ShowFlags extends OriginalFlags {
  readonly full?: true;
  readonly headers?: true;
  readonly raw?: true;
  readonly json?: true;
}

/** Output of `show`: lines, and the record. */
interface Shown {
  readonly lines: readonly Line[];
  readonly record: unknown;
  /** The message it is, when it is one. */
  readonly message: ArchivedMessage | null;
}

/** Maximum bytes of a printed header; anything longer is not a header. */
const MAX_HEADER_BYTES = 1 << 20;

/** Declares `archivetool show`. */
export function declareShow(program: Command, session: () => Session): void {
  const command = program
    .command("show")
    .description("show a message, thread, contact, topic, event or item")
    .argument("<source>", SOURCE_ARGUMENT)
    .argument("<id>", "an id (msg-000123, thread-000012, …) or a Message-ID")
    .option("--full", "include quoted text, signatures and all recipients")
    .option("--headers", "print the original message header")
    .option("--raw", "print the original message, byte for byte")
    .option("--json", "print the record as JSON");
  addOriginalFlags(command).action(async (source: string, id: string, flags: ShowFlags) => {
    await withNamedArchive(source, session(), async (archive) => {
      const shown = await find(archive, id, flags.full === true);
      if (flags.headers || flags.raw) await printOriginal(archive, shown, flags, session());
      else if (flags.json) session().printJson(shown.record);
      else for (const line of shown.lines) session().print(line);
    });
  });
}

/** Lookup of each kind of id, by its prefix. */
const KINDS: Readonly<Record<string, (archive: Archive, id: string, isWhole: boolean) => Promise<Shown | null>>> = {
  msg: showMessage,
  thread: showThread,
  contact: showContact,
  topic: showTopic,
  event: showEvent,
  item: showItem,
};

async function find(archive: Archive, id: string, isWhole: boolean): Promise<Shown> {
  const kind = /^([a-z]+)-\d+$/.exec(id)?.[1] ?? "";
  const shown = await (Object.hasOwn(KINDS, kind) ? KINDS[kind]! : showByMessageId)(archive, id, isWhole);
  if (shown !== null) return shown;
  throw new ArchiveError("NOT_FOUND", `${id} is not in this archive`, {
    hint: "use an id printed by search, or a Message-ID as written in the header",
  });
}

async function showByMessageId(archive: Archive, id: string, isWhole: boolean): Promise<Shown | null> {
  const bare = id.trim().replace(/^<(.*)>$/, "$1");
  if (bare === "" || bare.includes('"')) return null;
  const [found] = await archive.search.matching(`id:"${bare}"`);
  return found === undefined ? null : showMessage(archive, found, isWhole);
}

async function showMessage(archive: Archive, id: string, isWhole: boolean): Promise<Shown | null> {
  const message = await archive.messages.get(id);
  if (message === null) return null;
  return { lines: messageLines(message, isWhole), record: MESSAGE.write(message), message };
}

async function showThread(archive: Archive, id: string, isWhole: boolean): Promise<Shown | null> {
  const thread = await archive.threads.get(id);
  if (thread === null) return null;
  const messages = await archive.threads.messages(id);
  const lines = [
    ...headingLines(thread.subject),
    ...fieldLines("Id", thread.id),
    ...fieldLines("Messages", formatCount(thread.messageCount)),
    ...fieldLines("People", thread.participants.join(", ")),
    ...messages.flatMap((message, index) => [
      "",
      `${"─".repeat(8)} ${index + 1} of ${messages.length}`,
      ...messageLines(message, isWhole),
    ]),
  ];
  return {
    lines,
    record: { ...THREAD.write(thread), messages: messages.map(MESSAGE.write) },
    message: null,
  };
}

async function showContact(archive: Archive, id: string): Promise<Shown | null> {
  const contact = await archive.contacts.get(id);
  if (contact === null) return null;
  const { evidence, messageIds, commonTopics } = contact;
  const cards = await addressCardsOf(archive, contact);
  const lines = [
    ...headingLines(contact.name || contact.email),
    ...fieldLines("Id", contact.id),
    ...fieldLines("Address", contact.email),
    ...evidence.flatMap(({ address, reason }) =>
      address === contact.email ? [] : fieldLines("Also", `${address}: ${reason}`),
    ),
    ...cards.flatMap(({ id: item, name, company, title, phones }) =>
      fieldLines("Card", [name, title, company, ...phones, item].filter((text) => text !== "").join("; ")),
    ),
    ...fieldLines(
      "Messages",
      `${formatCount(contact.messageCount)}, ${formatCount(contact.sentCount)} sent, ${formatCount(contact.receivedCount)} received`,
    ),
    ...fieldLines("Seen", `${formatInstant(contact.firstSeen) ?? "?"} to ${formatInstant(contact.lastSeen) ?? "?"}`),
    ...fieldLines(
      "Topics",
      commonTopics.map(({ topicId, frequency }) => `${topicId} (${formatCount(frequency)})`).join(", "),
    ),
  ];
  return {
    lines,
    record: { ...CONTACT.write(contact), evidence, message_ids: messageIds, address_book: cards },
    message: null,
  };
}

async function showTopic(archive: Archive, id: string): Promise<Shown | null> {
  const topic = await archive.topics.get(id);
  if (topic === null) return null;
  const lines = [
    ...headingLines(topic.name),
    ...fieldLines("Id", topic.id),
    ...fieldLines("About", topic.description),
    ...fieldLines("Messages", formatCount(topic.messageCount)),
    ...fieldLines("Words", topic.topKeywords.join(", ")),
    ...fieldLines("People", topic.keyContacts.map(({ name, contactId }) => `${name} (${contactId})`).join(", ")),
  ];
  return { lines, record: { ...TOPIC.write(topic), message_ids: topic.messageIds }, message: null };
}

async function showEvent(archive: Archive, id: string): Promise<Shown | null> {
  const event = await archive.events.get(id);
  if (event === null) return null;
  const lines = [
    ...headingLines(event.subject),
    ...fieldLines("Id", event.id),
    ...fieldLines(
      "Start",
      `${formatInstant(event.start) ?? "unknown"}${event.timezone === null ? "" : ` (${event.timezone})`}`,
    ),
    ...fieldLines("End", formatInstant(event.end) ?? "unknown"),
    ...fieldLines("Status", event.status),
    ...fieldLines("Place", event.location),
    ...fieldLines("Repeats", event.recurrence?.text ?? ""),
    ...fieldLines("Organizer", event.organizer === null ? "" : formatAddress(event.organizer)),
    ...fieldLines(
      "Attendees",
      event.attendees.map((attendee) => `${formatAddress(attendee)}: ${attendee.status}`).join(", "),
    ),
    ...fieldLines("Attachments", event.attachments.map(attachmentText).join(", ")),
    ...fieldLines("Message", event.messageId ?? ""),
    ...event.duplicates.flatMap(({ mailbox, location }) => fieldLines("Duplicate", `${mailbox} (${location})`)),
    "",
    ...textLines(event.description),
  ];
  return { lines, record: CALENDAR_EVENT.write(event), message: null };
}

async function showItem(archive: Archive, id: string): Promise<Shown | null> {
  const item = await archive.items.get(id);
  if (item === null) return null;
  const lines = [
    ...headingLines(item.subject),
    ...fieldLines("Id", item.id),
    ...fieldLines("Kind", item.kind),
    ...fieldLines("Mailbox", item.mailbox),
    ...Object.entries(item.fields).flatMap(([name, value]) => fieldLines(labelOf(name), value)),
  ];
  return { lines, record: ITEM.write(item), message: null };
}

/** Bytes of the source, never composed; if they are unavailable, the cause is reported. */
async function printOriginal(archive: Archive, { message }: Shown, flags: ShowFlags, session: Session): Promise<void> {
  if (message === null) throw new ArchiveError("INVALID_ARGUMENT", "--headers and --raw require a message");
  const { MISSING_ORIGINAL_CODES, messageBytes } = await import("../../outputs/export/message-bytes.ts");
  const { OriginalThread } = await import("../../originals/original-thread.ts");
  const thread = new OriginalThread(originalSearch(flags, session));
  try {
    const provenance = await archive.provenance();
    const read = await messageBytes(message, provenance, (place) => thread.read(place));
    if (read.missing !== null) {
      const code = MISSING_ORIGINAL_CODES[read.missing];
      const hint = `${ERRORS[code].hint}; to show the archived version, omit --raw and --headers`;
      throw new ArchiveError(code, `the original of ${message.id} is not available (${read.note})`, { hint });
    }
    if (read.origin === "composed")
      session.log.warning(`${message.id} is ${read.note}: Outlook does not store the message as sent`);
    session.printBytes(flags.raw ? read.bytes : headerOf(read.bytes));
  } finally {
    await thread.close();
  }
}

/** Up to the first empty line. */
function headerOf(bytes: Buffer): Buffer {
  const head = bytes.subarray(0, MAX_HEADER_BYTES);
  const ends = [head.indexOf("\r\n\r\n"), head.indexOf("\n\n")].filter((at) => at >= 0);
  return ends.length === 0 ? head : Buffer.concat([head.subarray(0, Math.min(...ends)), Buffer.from("\n")]);
}

/** The words of a field, such as `Given name` for `given_name`. */
function labelOf(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
