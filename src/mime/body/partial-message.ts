import { type MimeEntity, readStructure } from "./structure.ts";

/** Bytes of a fragment looked at to tell text from the lines of an encoder. */
const SAMPLE_BYTES = 4096;
/** Length of a line from which on it is encoded data unless it has words. */
const LINE_LENGTH = 40;
const WORDS = /[A-Za-z0-9,.;:!?] {1,8}["'(A-Za-z0-9]|[\x80-\xff]/;

/**
 * The entity that holds the text of a message: of a fragment (RFC 2046 5.2.2) the beginning of the message in it, or
 * the text with which that goes on. What an encoder wrote stays a file.
 */
export function readableEntity(root: MimeEntity): MimeEntity {
  if (root.mediaType !== "message/partial" || root.encoding !== "identity") return root;
  const fragment = root.source.subarray(root.bodyStart, root.end);
  const findings: MimeEntity["findings"] = [...root.findings, "message-partial"];
  if (Number(root.parameters.get("number") ?? 1) === 1) {
    const begun = readStructure(fragment, root.unnamedCharset);
    return { ...begun, findings: [...findings, ...begun.findings] };
  }
  return isText(fragment) ? { ...root, mediaType: "text/plain", findings } : { ...root, findings };
}

function isText(fragment: Buffer): boolean {
  const lines = fragment.toString("latin1", 0, SAMPLE_BYTES).split("\n");
  const written = lines.filter((line) => line.trim() !== "");
  return written.filter((line) => line.length < LINE_LENGTH || WORDS.test(line)).length * 2 > written.length;
}
