import type { MailedFile } from "../../file-text/file-text.ts";
import { readFileText } from "../../file-text/read-file-text.ts";
import type { Finding } from "../../mail/message.ts";

/** What an attachment says, and what was met. */
export interface AttachmentText {
  /** "" where there is none, or it cannot be read. */
  readonly text: string;
  readonly finding: Finding | null;
}

/** Attachments of one message that are read: each may take a second if it is made for that. */
const MAX_READ_FILES = 40;
/** UTF-16 units of the texts of one message: they pass between the phases in one record. */
const MAX_MESSAGE_TEXT = 4_000_000;
/** Texts that are remembered, and UTF-16 units of all of them: a file goes round in copies that lie close together. */
const REMEMBERED_FILES = 64;
const REMEMBERED_TEXT = 4_000_000;

const NOTHING: AttachmentText = { text: "", finding: null };

/** Reads the attachments of the messages of a unit; equal ones that come close together once. */
export class AttachmentTexts {
  private readonly known = new Map<string, AttachmentText>();
  private knownLength = 0;
  private files = 0;
  private length = 0;

  /** To be called before the attachments of each message. */
  beginMessage(): void {
    this.files = 0;
    this.length = 0;
  }

  read(file: MailedFile, sha256: string): AttachmentText {
    this.files++;
    if (this.files > MAX_READ_FILES || this.length >= MAX_MESSAGE_TEXT)
      return notRead(file, "the message has more attachments than are read");
    // Of two equal files with other names one may be a mail, the other not.
    const key = `${sha256} ${file.mediaType} ${file.filename}`;
    const found = this.known.get(key) ?? this.remember(key, readText(file));
    this.length += found.text.length;
    return found;
  }

  private remember(key: string, found: AttachmentText): AttachmentText {
    this.knownLength += found.text.length;
    if (this.known.size === REMEMBERED_FILES || this.knownLength > REMEMBERED_TEXT) {
      this.known.clear();
      this.knownLength = found.text.length;
    }
    this.known.set(key, found);
    return found;
  }
}

function readText(file: MailedFile): AttachmentText {
  const read = readFileText(file);
  if (read === null) return NOTHING;
  if (read.state === "unread") return notRead(file, read.reason);
  if (!read.isCut) return { text: read.text, finding: null };
  const message = `${file.filename}: its text is longer than is kept`;
  return { text: read.text, finding: { code: "attachment-text-cut", message } };
}

function notRead({ filename }: MailedFile, reason: string): AttachmentText {
  return { text: "", finding: { code: "attachment-not-read", message: `${filename}: ${reason}` } };
}
