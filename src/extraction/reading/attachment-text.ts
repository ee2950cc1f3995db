import type { MailedFile } from "../../file-text/file-text.ts";
import { type FileTextReader, TOO_LARGE, TOO_SLOW } from "../../file-text/file-text-reader.ts";
import { type ExtractionQuota, UNPACKS_TOO_MUCH } from "../../file-text/zip-parts.ts";
import type { Finding } from "../../mail/records/message.ts";

/** Text of an attachment, and findings. */
interface AttachmentText {
  /** "" if it has none or cannot be read. */
  readonly text: string;
  readonly finding: Finding | null;
}

/** Result for a file, independent of its name. */
interface KnownFile {
  readonly text: string;
  readonly isCut: boolean;
  /** Why it was not read completely; null if it was, or if its kind is not read. */
  readonly reason: string | null;
  readonly unpackedBytes: number;
}

/** Maximum attachments read per message. */
const MAX_READ_FILES = 40;
/** Maximum UTF-16 units of attachment text per message: it passes between the phases in one record. */
const MAX_MESSAGE_TEXT = 4_000_000;
/**
 * Maximum unpacked bytes of the attachments of one message, with an allowance per byte. Office documents unpack to ten
 * times their size, spreadsheets to thirty, a zip bomb to a thousand, and a message with many attachments must not stop
 * its worker.
 */
const MESSAGE_UNPACKING_BYTES = 16 << 20;
const UNPACKING_RATIO = 32;
/** Limits of the cache, in files and in UTF-16 units of text: duplicates of a file are usually close together. */
const REMEMBERED_FILES = 1_024;
const REMEMBERED_TEXT = 4_000_000;
/**
 * Files of one message that may stop the reading process before the rest is skipped: each may take its full time
 * limit.
 */
const MAX_STOPS = 2;

/** Reads the attachments of messages; equal attachments that are close together are read once. */
export class AttachmentTexts {
  private readonly known = new Map<string, KnownFile>();
  private knownLength = 0;
  private files = 0;
  private length = 0;
  private stops = 0;
  private readonly room: ExtractionQuota = { bytes: 0 };

  constructor(private readonly reader: FileTextReader) {}

  /** To be called before the attachments of each message. */
  beginMessage(): void {
    this.files = 0;
    this.length = 0;
    this.stops = 0;
    this.room.bytes = MESSAGE_UNPACKING_BYTES;
  }

  async read(file: MailedFile, sha256: string): Promise<AttachmentText> {
    this.files++;
    if (this.files > MAX_READ_FILES || this.length >= MAX_MESSAGE_TEXT || this.stops >= MAX_STOPS)
      return notRead(file, "the message has more attachments than the limit");
    this.room.bytes += UNPACKING_RATIO * file.bytes.length;
    // The label and the extension may determine the type of a file.
    const key = `${sha256} ${file.mediaType} ${file.filename.slice(file.filename.lastIndexOf(".") + 1)}`;
    const { text, isCut, reason } = this.again(key) ?? (await this.first(key, file));
    this.length += text.length;
    if (reason === TOO_SLOW || reason === TOO_LARGE) this.stops++;
    if (reason !== null) return { ...notRead(file, reason), text };
    const message = `${file.filename}: its text exceeds the size limit`;
    return { text, finding: isCut ? { code: "attachment-text-cut", message } : null };
  }

  /** The cached result, as if the file were read again. */
  private again(key: string): KnownFile | null {
    const found = this.known.get(key) ?? null;
    if (found === null) return null;
    if (found.unpackedBytes > this.room.bytes) {
      this.room.bytes = 0;
      return { text: "", isCut: false, reason: UNPACKS_TOO_MUCH, unpackedBytes: 0 };
    }
    this.room.bytes -= found.unpackedBytes;
    return found;
  }

  private async first(key: string, file: MailedFile): Promise<KnownFile> {
    const before = this.room.bytes;
    const read = await this.reader.read(file, this.room);
    const found: KnownFile = {
      text: read?.state === "read" ? read.text : "",
      isCut: read?.state === "read" && read.isCut,
      reason: read?.state === "unread" ? read.reason : (read?.gap ?? null),
      unpackedBytes: before - this.room.bytes,
    };
    // A file that exceeded the remaining limit may be read in another message.
    if (found.reason === null || !found.reason.endsWith(UNPACKS_TOO_MUCH)) this.remember(key, found);
    return found;
  }

  private remember(key: string, found: KnownFile): void {
    this.knownLength += found.text.length;
    if (this.known.size === REMEMBERED_FILES || this.knownLength > REMEMBERED_TEXT) {
      this.known.clear();
      this.knownLength = found.text.length;
    }
    this.known.set(key, found);
  }
}

function notRead({ filename }: MailedFile, reason: string): AttachmentText {
  return { text: "", finding: { code: "attachment-not-read", message: `${filename}: ${reason}` } };
}
