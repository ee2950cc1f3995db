import { hash } from "node:crypto";
import type { ItemLoss, SourceItem } from "./source.ts";

/**
 * Messages with nothing but their places and fingerprints, as items that are lost. What is no mail is given as it is.
 */
export function* loseMessages(items: Iterable<SourceItem>, loss: ItemLoss): Generator<SourceItem> {
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
