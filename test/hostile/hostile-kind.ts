/** One kind of message that is designed to harm its reader, in any size. */
export interface HostileKind {
  /** Kebab-case; names the excessive part and its content. */
  readonly name: string;
  /** Extension of the file that contains it. */
  readonly extension: "eml" | "mbox";
  /** A message of about the given number of bytes, at least a few hundred. */
  bytes(size: number): Buffer;
}

/** Fields of every message, which identify it and give it a position in every output. */
const FIELDS = "From: Ann <ann@hostile.example>\r\nDate: Mon, 14 May 2001 16:39:00 +0000\r\n";

/** A message that mostly repeats one piece; `before` and `after` surround the repetitions. */
export interface Repetition {
  readonly before?: string | Buffer;
  readonly piece: string | Buffer;
  readonly after?: string | Buffer;
}

/** A kind whose parts are given as Latin-1 text or bytes. */
export function repeated(
  name: string,
  { before = "", piece, after = "" }: Repetition,
  extension: "eml" | "mbox" = "eml",
): HostileKind {
  return {
    name,
    extension,
    bytes: (size) => {
      const parts = [before, piece, after].map((part) =>
        typeof part === "string" ? Buffer.from(part, "latin1") : part,
      );
      const [head, middle, tail] = parts as [Buffer, Buffer, Buffer];
      const times = Math.max(1, Math.floor((size - head.length - tail.length) / middle.length));
      return Buffer.concat([head, Buffer.alloc(times * middle.length, middle), tail]);
    },
  };
}

/** A kind with different pieces, numbered from 0. */
export function numbered(
  name: string,
  { before = "", piece, after = "" }: Omit<Repetition, "piece"> & { readonly piece: (number: number) => string },
  extension: "eml" | "mbox" = "eml",
): HostileKind {
  return {
    name,
    extension,
    bytes: (size) => {
      const pieces: string[] = [];
      let length = before.length + after.length;
      for (let number = 0; length < size; number++) {
        const next = piece(number);
        pieces.push(next);
        length += next.length;
      }
      return Buffer.from(`${before}${pieces.join("")}${after}`, "latin1");
    },
  };
}

/** A message with a plain body. */
export function bodyOf(name: string, piece: string | Buffer, type = "text/plain; charset=utf-8"): HostileKind {
  return repeated(name, { before: `${FIELDS}Subject: plain\r\nContent-Type: ${type}\r\n\r\n`, piece });
}

/** A message with an HTML body; `before` opens the elements around the pieces. */
export function htmlOf(
  name: string,
  piece: string,
  around: { readonly before?: string; readonly after?: string } = {},
): HostileKind {
  const before = `${FIELDS}Subject: page\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<html><body>${around.before ?? ""}`;
  return repeated(name, { before, piece, after: around.after ?? "" });
}

/** A message with one excessive field: `field` precedes the pieces unchanged. */
export function fieldOf(name: string, field: string, piece: string, after = ""): HostileKind {
  return repeated(name, { before: `${FIELDS}${field}`, piece, after: `${after}\r\n\r\nshort text\r\n` });
}

/** The same with different pieces. */
export function numberedField(name: string, field: string, piece: (number: number) => string, after = ""): HostileKind {
  return numbered(name, { before: `${FIELDS}${field}`, piece, after: `${after}\r\n\r\nshort text\r\n` });
}

/** A message with its own header; `before` follows the common fields. */
export function messageOf(name: string, parts: Repetition & { readonly before?: string }): HostileKind {
  return repeated(name, { ...parts, before: FIELDS + (parts.before ?? "") });
}

/** The same with different pieces. */
export function numberedMessage(
  name: string,
  parts: { readonly before: string; readonly piece: (number: number) => string; readonly after?: string },
): HostileKind {
  return numbered(name, { ...parts, before: FIELDS + parts.before });
}
