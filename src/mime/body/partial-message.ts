import type { Finding, MessageEnvelope } from "../../mail/records/message.ts";
import { mimeFinding } from "../syntax/findings.ts";
import { readMessageId } from "../syntax/message-ids.ts";
import { type MimeEntity, readStructure } from "./structure.ts";

const COUNT = /^\d{1,6}$/;
/** Bytes of a fragment that are sampled to distinguish text from encoded lines. */
const SAMPLE_BYTES = 4096;
/** Length of a line from which on it is encoded data unless it has words. */
const LINE_LENGTH = 40;
const WORDS = /[A-Za-z0-9,.;:!?] {1,8}["'(A-Za-z0-9]|[\x80-\xff]/;

/** A fragment of a long message (RFC 2046 section 5.2.2). */
interface Fragment {
  /** The id shared by all fragments of a message, or null. */
  readonly id: string | null;
  /** Number of the part, as far as known: "part 2 of 5". */
  readonly finding: Finding;
}

/** Null for a complete message. */
export function fragmentOf({ mediaType, parameters }: MimeEntity): Fragment | null {
  if (mediaType !== "message/partial") return null;
  const [number, total] = ["number", "total"].map((name) => COUNT.exec(parameters.get(name) ?? "")?.[0] ?? null);
  const position = `part ${number ?? "?"}${total === null ? "" : ` of ${total}`}`;
  const { code, message } = mimeFinding("message-partial");
  return { id: readMessageId(parameters.get("id") ?? ""), finding: { code, message: `${position}: ${message}` } };
}

/**
 * The envelope of a fragment as an answer to the message it is part of, so that all fragments are in one thread. Other
 * envelopes stay as they are.
 */
export function withMessageOfFragment(envelope: MessageEnvelope, fragment: Fragment | null): MessageEnvelope {
  const id = fragment?.id ?? null;
  if (id === null || id === envelope.messageId || envelope.references.includes(id)) return envelope;
  const before = envelope.references.length > 0 ? envelope.references : envelope.inReplyTo;
  return { ...envelope, references: [...before, id], inReplyTo: [id] };
}

/**
 * The entity with the text of a message: for a fragment, the inner message or its continued text. Encoded content
 * stays a file.
 */
export function readableEntity(root: MimeEntity): MimeEntity {
  if (root.mediaType !== "message/partial" || root.encoding !== "identity") return root;
  const fragment = root.source.subarray(root.bodyStart, root.end);
  if (Number(root.parameters.get("number") ?? 1) === 1) {
    const begun = readStructure(fragment, root.unnamedCharset);
    return { ...begun, findings: [...root.findings, ...begun.findings] };
  }
  return isText(fragment) ? { ...root, mediaType: "text/plain" } : root;
}

function isText(fragment: Buffer): boolean {
  const lines = fragment.toString("latin1", 0, SAMPLE_BYTES).split("\n");
  const written = lines.filter((line) => line.trim() !== "");
  return written.filter((line) => line.length < LINE_LENGTH || WORDS.test(line)).length * 2 > written.length;
}
