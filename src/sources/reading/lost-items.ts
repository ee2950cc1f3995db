import { hash } from "node:crypto";
import type { Finding } from "../../mail/records/message.ts";
import type { SourceItem } from "./source.ts";

/** Returns messages as lost items with location and fingerprint only. Other items are returned unchanged. */
export function* loseMessages(items: Iterable<SourceItem>, loss: Finding): Generator<SourceItem> {
  for (const item of items) {
    if (item.kind !== "rfc5322") {
      yield item;
      continue;
    }
    const { mailbox, location, isWholeFile } = item;
    const sha256 = hash("sha256", item.bytes);
    yield { kind: "damaged", ...loss, mailbox, location, sha256 };
    if (isWholeFile === true) yield { kind: "file-end", mailbox, location, sha256 };
  }
}
