import { hash } from "node:crypto";
import type { ItemLoss, SourceItem } from "./source.ts";

/**
 * Messages with nothing but their places and fingerprints, as items that are lost. What is no mail is given as it is.
 */
export function* loseMessages(items: Iterable<SourceItem>, loss: ItemLoss): Generator<SourceItem> {
  for (const item of items) {
    if (item.kind !== "rfc5322") yield item;
    else
      yield {
        kind: "damaged",
        ...loss,
        mailbox: item.mailbox,
        location: item.location,
        sha256: hash("sha256", item.bytes),
      };
  }
}
