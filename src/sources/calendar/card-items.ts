import { hash } from "node:crypto";
import { readCards } from "../../calendar/read-cards.ts";
import { decodeCharset } from "../../charset/decode-charset.ts";
import { noteOf } from "../reading/place-note.ts";
import type { ItemPlace, SourceItem } from "../reading/source.ts";
import { beginsWithLine } from "../reading/text-head.ts";

/** The contacts and groups of a vCard file, each counted; notes anomalies. */
export function beginsCard(head: Buffer): boolean {
  return beginsWithLine(head, "BEGIN:VCARD");
}

/** The contacts and groups of a vCard file, each counted; what was odd in it is noted. */
export function readCardItems(bytes: Buffer, place: ItemPlace): readonly SourceItem[] {
  const sha256 = hash("sha256", bytes);
  const { items, findings } = readCards(decodeCharset(bytes, null));
  const { mailbox, location } = place;
  const contacts = items.map((item, index): SourceItem => {
    const at = index === 0 ? location : `${location}/card:${index}`;
    return { kind: "item", isPart: false, item, attachments: [], sha256, mailbox, location: at };
  });
  return [...contacts, ...findings.map((finding) => noteOf(finding, place, sha256))];
}
