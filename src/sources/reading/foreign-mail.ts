import { basename } from "node:path";
import type { Finding } from "../../mail/records/message.ts";
import { archiveFormat, archiveOfName } from "../../unpacking/archive-format.ts";

/** An unsupported mail format. */
interface ForeignMail {
  /** First bytes of the file. */
  readonly signature: Buffer;
  readonly name: string;
  /** Hint for the user. */
  readonly hint: string;
}

/** Office documents have the same signatures; only the file name identifies an archive. */
const PACKED: readonly ForeignMail[] = [
  { signature: Buffer.of(0x1f, 0x8b), name: "a gzip file", hint: "unpack it first: gunzip" },
  { signature: Buffer.from("PK\x03\x04", "latin1"), name: "a zip file", hint: "unpack it first: unzip" },
];

const FOREIGN: readonly ForeignMail[] = [
  { signature: Buffer.from("BZh"), name: "a bzip2 file", hint: "unpack it first: bunzip2" },
  { signature: Buffer.of(0xfd, 0x37, 0x7a, 0x58, 0x5a), name: "an xz file", hint: "unpack it first: unxz" },
  { signature: Buffer.of(0x28, 0xb5, 0x2f, 0xfd), name: "a zstd file", hint: "unpack it first: unzstd" },
  { signature: Buffer.of(0x04, 0x22, 0x4d, 0x18), name: "an lz4 file", hint: "unpack it first: unlz4" },
  { signature: Buffer.from("7z\xbc\xaf\x27\x1c", "latin1"), name: "a 7z file", hint: "unpack it first: 7z x" },
  { signature: Buffer.from("Rar!\x1a\x07", "latin1"), name: "a RAR file", hint: "unpack it first: unrar x" },
  { signature: Buffer.from("*mbx*"), name: "a UW-IMAP mbx mailbox", hint: "convert it to MBOX first: mailutil copy" },
  {
    signature: Buffer.of(1, 1, 1, 1, 0x0a),
    name: "an MMDF mailbox",
    hint: "convert it to MBOX first: open it with mutt and save its messages",
  },
  {
    signature: Buffer.from("BABYL OPTIONS:"),
    name: "an Rmail file of Emacs (Babyl)",
    hint: "convert it to MBOX first: M-x unrmail in Emacs",
  },
  {
    signature: Buffer.from("#! rnews "),
    name: "a batch of Usenet articles",
    hint: "split it into one file per article first",
  },
  {
    // CLSID of mailboxes, folder lists and queues of Outlook Express 5 and 6: they differ in the bytes that follow.
    signature: Buffer.of(0xcf, 0xad, 0x12, 0xfe),
    name: "an Outlook Express DBX file",
    hint: "convert it to EML files first: undbx",
  },
  {
    signature: Buffer.of(0x1a, 0x00, 0x00, 0x04, 0x00, 0x00),
    name: "a Lotus Notes database (NSF)",
    hint: "export its mail as EML or MBOX with Notes first",
  },
  {
    signature: Buffer.of(0x9c, 0xcb, 0xcb, 0x8d, 0x13, 0x75, 0xd2, 0x11),
    name: "a Windows address book (WAB)",
    hint: "export its contacts as vCards first",
  },
  {
    signature: Buffer.of(0x78, 0x9f, 0x3e, 0x22),
    name: "an Outlook attachment (TNEF) without its message",
    hint: "rename it to winmail.dat",
  },
];

const begins = (head: Buffer) => (row: ForeignMail) => head.subarray(0, row.signature.length).equals(row.signature);

/** Detects an unsupported format of a named file; null for anything else. */
export function foreignMail(head: Buffer): ForeignMail | null {
  return [...PACKED, ...FOREIGN].find(begins(head)) ?? null;
}

/** Why a file that is a message by its name is excluded: an unsupported format. Null if it is read. */
export function foreignReason(head: Buffer): Finding | null {
  const foreign = FOREIGN.find(begins(head));
  return foreign === undefined ? null : foreignFinding(foreign);
}

/** Why a file among others is excluded: it is not a message. @param head its first bytes */
export function skipReason(head: Buffer, path: string): Finding {
  if (archiveOfName(basename(path)) !== null && archiveFormat(head) !== null) {
    const message = "a compressed file is not a message but a separate source";
    return { code: "packed-in-directory", message };
  }
  return foreignReason(head) ?? { code: "not-a-message", message: "no message header at its beginning" };
}

function foreignFinding({ name, hint }: ForeignMail): Finding {
  return { code: "foreign-mail", message: `${name}, not supported: ${hint}` };
}
