/** How a file of mail is sent. */
interface ShownMedia {
  readonly disposition: "inline" | "attachment";
  readonly type: string;
  readonly policy: string;
}

/** Images that browsers display, by their first bytes: labels in mail are not trusted. */
interface Picture {
  readonly type: string;
  readonly begins: (bytes: Buffer) => boolean;
}

const startsWith = (signature: string) => (bytes: Buffer) =>
  bytes.subarray(0, signature.length).toString("latin1") === signature;

const PICTURES: readonly Picture[] = [
  { type: "image/png", begins: startsWith("\x89PNG\r\n\x1a\n") },
  { type: "image/jpeg", begins: startsWith("\xff\xd8\xff") },
  { type: "image/gif", begins: startsWith("GIF8") },
  {
    type: "image/webp",
    begins: (bytes) => startsWith("RIFF")(bytes) && startsWith("WEBP")(bytes.subarray(8)),
  },
];
const isPdf = startsWith("%PDF-");

/** Prevents a file from running scripts and from loading anything from our origin. */
const SANDBOX = "default-src 'none'; sandbox";
/** The same for files that browsers show with a built-in viewer, which a sandbox would block. */
const VIEWER = "default-src 'none'; style-src 'unsafe-inline'";
const TEXTS: readonly string[] = ["text/plain", "text/csv", "text/tab-separated-values"];

/** @param mediaType declared type, lower case */
export function inlineMedia(mediaType: string, bytes: Buffer): ShownMedia {
  if (mediaType === "message/rfc822") return { disposition: "attachment", type: mediaType, policy: SANDBOX };
  const picture = PICTURES.find(({ begins }) => begins(bytes));
  if (picture !== undefined) return { disposition: "inline", type: picture.type, policy: SANDBOX };
  if (mediaType === "application/pdf" && isPdf(bytes))
    return { disposition: "inline", type: mediaType, policy: VIEWER };
  if (TEXTS.includes(mediaType)) return { disposition: "inline", type: "text/plain; charset=utf-8", policy: SANDBOX };
  return { disposition: "attachment", type: "application/octet-stream", policy: SANDBOX };
}
