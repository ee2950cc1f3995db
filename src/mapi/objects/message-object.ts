import { type CompoundStorage, openCompoundFile } from "../../compound/compound-file.ts";
import { PROPERTY_SET } from "../../properties/named-properties.ts";
import type { Properties } from "../../properties/properties.ts";
import { PID } from "../../properties/property-ids.ts";
import { type MapiAddress, smtpOfSearchKey } from "./mapi-address.ts";
import { fileInMacBinary, fileInStorage, MAC_BINARY_ENCODING, type PackedFile } from "./packed-file.ts";

/** Maximum nesting of messages; Outlook allows only a few levels. */
export const MAX_EMBEDDED_DEPTH = 16;
/** Maximum recipients read per message; distribution lists of companies reach tens of thousands. */
export const MAX_RECIPIENTS = 50_000;
/** Maximum attachments read per message. */
export const MAX_ATTACHMENTS = 20_000;

/** `PidTagRecipientType`; its flag bits above the low four are dropped. */
export type RecipientRole = "originator" | "to" | "cc" | "bcc";
const ROLES: readonly RecipientRole[] = ["originator", "to", "cc", "bcc"];

export interface Recipient {
  readonly role: RecipientRole;
  readonly mailbox: MapiAddress;
  /** `PidTagRecipientFlags`: 2 marks the organizer of a meeting. */
  readonly flags: number;
  /** `PidTagRecipientTrackStatus` ([MS-OXOCAL] 2.2.4.10.3). */
  readonly trackStatus: number;
}

/** `PidTagAttachMethod` ([MS-OXCMSG] 2.2.2.9). */
type AttachmentMethod = "none" | "value" | "reference" | "embedded" | "ole";
const METHODS: Readonly<Record<number, AttachmentMethod>> = {
  0: "none",
  1: "value",
  2: "reference",
  3: "reference",
  4: "reference",
  5: "embedded",
  6: "ole",
  7: "reference",
};
/** Methods that need no check; others refer to an external file, which may still be stored. */
const SURE: ReadonlySet<AttachmentMethod> = new Set(["value", "embedded", "ole"]);

/** Longest link target, in UTF-16 units: no server accepts a longer address. */
const MAX_TARGET = 2_000;

/** Address of a file in a cloud, as Outlook on the web stores it. */
const ORIGINAL_URL = { set: PROPERTY_SET.attachment, name: "AttachmentOriginalUrl" } as const;

/**
 * The target of an attachment that is only a link ([MS-OXCMSG] 2.2.2.9): a path, or the address of a file in a cloud.
 * Null for an attachment with data and if there is no target.
 */
export function linkTarget({ properties, method }: Pick<AttachmentObject, "properties" | "method">): string | null {
  if (method !== "reference") return null;
  const target =
    properties.text(PID.attachLongPathname) ??
    properties.text(PID.attachPathname) ??
    properties.text(properties.named(ORIGINAL_URL));
  return target === null || target === "" ? null : target.slice(0, MAX_TARGET).toWellFormed();
}

export interface AttachmentObject {
  readonly properties: Properties;
  readonly method: AttachmentMethod;
  /** Data of attachments by value and of OLE objects; empty for others. Read on access, while its item is current. */
  bytes(): Buffer;
  /**
   * The attached message, for `embedded`; null if there is none, it is lost, or nested too deep. Returns the same
   * object every time.
   */
  message(): MessageObject | null;
  /** Name of the file inside an OLE object or MacBinary file, "" without a name; null if there is no such file. */
  packedName(): string | null;
}

/**
 * A message, appointment, contact or other Outlook item: properties, recipients, attachments. File readers create these
 * objects; this folder interprets them.
 */
export interface MessageObject {
  readonly properties: Properties;
  readonly recipients: readonly Recipient[];
  readonly attachments: readonly AttachmentObject[];
  /** 0 for an item of a folder, 1 for a message attached to it, and so on. */
  readonly depth: number;
}

/** An object without its attachments, with its sender and recipients. */
export type AddressedObject = Pick<MessageObject, "properties" | "recipients">;

/** A recipient from a table row or its own storage. */
export function recipientOf(row: Properties): Recipient {
  const email = row.text(PID.emailAddress);
  const smtp = row.text(PID.smtpAddress);
  return {
    role: ROLES[(row.integer(PID.recipientType) ?? 1) & 0x0f] ?? "to",
    mailbox: {
      name: row.text(PID.recipientDisplayName) ?? row.text(PID.displayName),
      email,
      smtp: smtp ?? otherSmtp(row, email),
      entryId: row.binary(PID.recipientEntryId) ?? row.binary(PID.entryId),
    },
    flags: row.integer(PID.recipientFlags) ?? 0,
    trackStatus: row.integer(PID.recipientTrackStatus) ?? 0,
  };
}

/** `PidTagAddressBookProxyAddresses`: the main address of a recipient has its type in upper case ([MS-OXOABK] 2.2.3.23). */
const MAIN_ADDRESS = /^SMTP:(?=[^/]*@)/;

function otherSmtp(row: Properties, email: string | null): string | null {
  if (email === null) return smtpOfSearchKey(row.binary(PID.searchKey));
  if (!email.startsWith("/")) return null;
  const main = row.texts(PID.proxyAddresses).find((address) => MAIN_ADDRESS.test(address));
  return main?.replace(MAIN_ADDRESS, "").trim() ?? null;
}

/** The stored content of an attachment. Both parts are read on access. */
interface AttachmentContent {
  /** True for an object: a message, or an OLE object. */
  readonly hasObject: boolean;
  /** Data of an attachment by value, or of an OLE object. */
  data(method: AttachmentMethod): Buffer;
  embedded(): MessageObject | null;
  /** The storage of an OLE object that is not stored as a file. */
  storage?(): CompoundStorage | null;
}

/** An attachment by its properties. */
export function attachmentObject(properties: Properties, content: AttachmentContent): AttachmentObject {
  const method = methodOf(properties.integer(PID.attachMethod), content);
  const isData = method === "value" || method === "ole";
  let message: MessageObject | null | undefined;
  let packedName: string | null | undefined;
  return {
    properties,
    method,
    bytes: () => (isData ? (packedFile(properties, method, content)?.bytes ?? content.data(method)) : Buffer.alloc(0)),
    message() {
      message ??= method === "embedded" ? content.embedded() : null;
      return message;
    },
    packedName() {
      if (packedName === undefined) packedName = packedFile(properties, method, content)?.name ?? null;
      return packedName;
    },
  };
}

/** The file in the data of an attachment; null if the data is the file. */
function packedFile(properties: Properties, method: AttachmentMethod, content: AttachmentContent): PackedFile | null {
  if (method === "ole") {
    const storage = content.storage?.() ?? openCompoundFile(content.data("ole"))?.root ?? null;
    return storage === null ? null : fileInStorage(storage, (text) => properties.decodeAnsi(text));
  }
  const isMac = method === "value" && properties.binary(PID.attachEncoding)?.equals(MAC_BINARY_ENCODING) === true;
  return isMac ? fileInMacBinary(content.data("value")) : null;
}

/** The method of an attachment, from its number and content: programs omit the number, and links have copies. */
function methodOf(number: number | null, content: AttachmentContent): AttachmentMethod {
  const stored = number === null ? null : (METHODS[number] ?? null);
  const isHeld = stored !== "embedded" || content.hasObject;
  if (stored !== null && SURE.has(stored) && isHeld) return stored;
  if (content.hasObject && content.embedded() !== null) return "embedded";
  if (content.data("value").length > 0) return "value";
  if (content.hasObject && content.data("ole").length > 0) return "ole";
  return stored ?? "value";
}
