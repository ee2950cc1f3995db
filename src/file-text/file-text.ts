/** An attachment of a mail. */
export interface MailedFile {
  readonly filename: string;
  /** Declared media type, lower case. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/**
 * Text of a file, or the reason why it has none. @property gap the missing part and the reason; null if nothing is
 * known to be missing
 */
export type FileText =
  | { readonly state: "read"; readonly text: string; readonly isCut: boolean; readonly gap: string | null }
  | { readonly state: "unread"; readonly reason: string };

/** The reason why a file is not read, in words for users. */
export class UnreadFile extends Error {}

/** Maximum UTF-16 units of the text of one file: a book of 500 pages. A longer text is a table or an attack. */
export const MAX_FILE_TEXT = 1_000_000;

/** Gathers the text of a file up to its limit. */
export class FileTextWriter {
  isCut = false;
  private readonly parts: string[] = [];
  private length = 0;

  /** Returns false if no more text is accepted. */
  write(text: string): boolean {
    if (this.isCut || text === "") return !this.isCut;
    const room = MAX_FILE_TEXT - this.length;
    this.isCut = text.length > room;
    this.parts.push(this.isCut ? text.slice(0, room) : text);
    this.length += Math.min(text.length, room);
    return !this.isCut;
  }

  /** The text with trimmed lines, and at most two consecutive blank lines. */
  finish(): FileText {
    const lines = this.parts.join("").split(/\r\n|\r|\n/);
    const text = lines
      .map((line) => line.trimEnd())
      .filter((line, at, all) => line !== "" || all[at - 1] !== "" || all[at - 2] !== "")
      .join("\n")
      .trim();
    return { state: "read", text: text.toWellFormed(), isCut: this.isCut, gap: null };
  }
}
