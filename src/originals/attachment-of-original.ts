import { hash } from "node:crypto";
import { parseMessage } from "../mime/parse-message.ts";
import type { Original } from "../sources/read-original.ts";

type AvailableOriginal = Extract<Original, { readonly state: "available" }>;

/**
 * The attachment of a message that has this SHA-256 (hex): the archive knows it by that, whatever it is called.
 */
export function attachmentOf({ bytes }: AvailableOriginal, sha256: string): Original {
  for (const part of parseMessage(bytes).attachments) {
    const content = part.bytes();
    if (hash("sha256", content) !== sha256) continue;
    return { state: "available", bytes: Buffer.from(content), isExact: true };
  }
  return { state: "unreadable", message: "the attachment lies in a wrapper that is not opened again" };
}
