import type { MessageEnvelope } from "../../mail/records/message.ts";
import { wellFormed } from "../../mail/words/unicode.ts";
import type { MimeEntity } from "../body/structure.ts";
import { decodedField } from "../syntax/header-block.ts";

/** Subjects that programs write in place of an encrypted one. */
const PLACEHOLDERS: ReadonlySet<string> = new Set(["...", "[...]", "encrypted message", "p≡p"]);
/** Length of the longest. */
const MAX_PLACEHOLDER = Math.max(...Array.from(PLACEHOLDERS, (text) => text.length));
/** Maximum levels of first parts searched: signature and mixed parts around the protected one. */
const MAX_LEVELS = 4;

/** Replaces the placeholder of an encrypted subject by the subject that the decrypted message protects. */
export function withProtectedSubject(envelope: MessageEnvelope, root: MimeEntity): MessageEnvelope {
  const written = envelope.subject;
  if (written.length > MAX_PLACEHOLDER || !PLACEHOLDERS.has(written.toLowerCase())) return envelope;
  let part = root.children[0];
  for (let level = 0; part !== undefined && level < MAX_LEVELS; level++) {
    const subject = wellFormed(decodedField(part.headers, "subject").trim());
    const isProtected = part.parameters.has("protected-headers") || part.parameters.has("hp");
    if (isProtected && subject !== "") return { ...envelope, subject };
    part = part.children[0];
  }
  return envelope;
}
