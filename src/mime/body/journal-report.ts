import type { Address } from "../../mail/records/address.ts";
import type { MessageEnvelope } from "../../mail/records/message.ts";
import { findField } from "../syntax/header-block.ts";
import { MAX_ADDRESSES } from "../syntax/simple-addresses.ts";
import { decodeBytes } from "./body-content.ts";
import type { MimeEntity } from "./structure.ts";

/** A message that Exchange journaled, and the recipients that only its report names. */
interface JournaledMessage {
  readonly message: MimeEntity;
  readonly bcc: readonly Address[];
}

/** Fields of journal reports, without a value. */
const JOURNAL_FIELDS = ["x-ms-journal-report", "x-ms-exchange-organization-journal-report"] as const;
/** Bytes of a report that are read: thousands of recipients. */
const MAX_REPORT_BYTES = 256 * 1024;
/** `Bcc: eve@mill.example, Expanded: all@mill.example`: an address and the group through which it got the message. */
const BCC = /^bcc[ \t]{0,9}:[ \t]{0,9}([^\s@<>,;]{1,64}@[^\s@<>,;]{1,255})/i;

/** The message in a journal report of Exchange: a text with sender and recipients, then the message. Null for others. */
export function journaledMessage(root: MimeEntity): JournaledMessage | null {
  if (root.mediaType !== "multipart/mixed" || root.children.length !== 2) return null;
  if (!JOURNAL_FIELDS.some((name) => findField(root.headers, name) >= 0)) return null;
  const [report, { children }] = root.children as [MimeEntity, MimeEntity];
  const message = children[0];
  if (report.mediaType !== "text/plain" || message === undefined) return null;
  const lines = decodeBytes(report).toString("latin1", 0, MAX_REPORT_BYTES).split("\n");
  const bcc = lines.flatMap((line) => BCC.exec(line)?.[1] ?? []).slice(0, MAX_ADDRESSES);
  return { message, bcc: bcc.map((email) => ({ name: "", email })) };
}

/** Adds the recipients that only the report names. */
export function withJournaledRecipients(envelope: MessageEnvelope, journal: JournaledMessage | null): MessageEnvelope {
  if (journal === null || envelope.bcc.length > 0) return envelope;
  return { ...envelope, bcc: journal.bcc };
}
