import { hash } from "node:crypto";
import { fingerprintOf } from "../mapi/fingerprint.ts";
import type { X500Directory } from "../mapi/mapi-address.ts";
import { bufferOf } from "../properties/byte-range.ts";
import type { Store } from "../pst/store.ts";
import { outlookItems } from "./outlook-items.ts";
import { readPstObject } from "./pst-object.ts";
import type { ItemPlace, PstNode, SourceItem } from "./source.ts";

/**
 * Reads one node of a unit: the item it holds, with an entry more for each changed occurrence of a recurring
 * appointment.
 */
export function readPstNode(store: Store, node: PstNode, directory: X500Directory): readonly SourceItem[] {
  const place: ItemPlace = { mailbox: node.mailbox, location: locationOf(node) };
  // What an earlier item left, such as notes of attachments read late, is not this one's.
  store.database.startItem();
  const entry = node.blocks ?? store.database.node(node.nid);
  const object = entry === null ? null : readPstObject(store, entry);
  if (object === null) return [lostItem(store, node, place)];
  const fingerprint = fingerprintOf(object, store.scratch);
  const flags = node.origin === "listed" ? [] : [node.origin];
  return outlookItems({ object, place, fingerprint, directory, flags, damage: () => store.database.log.drain() });
}

/** Where an item of a store is. */
export function locationOf({ nid, blocks }: PstNode): string {
  return blocks === null || nid !== 0 ? `nid:${nid.toString(16)}` : `bid:${blocks.dataBid.toString(16)}`;
}

/** What was listed and cannot be read is a lost item; what only a scan found may be a page of long ago and is noted. */
function lostItem(store: Store, node: PstNode, place: ItemPlace): SourceItem {
  const entry = node.blocks ?? store.database.node(node.nid);
  const raw = entry === null ? null : store.database.readBlock(entry.dataBid);
  const sha256 = raw === null ? null : hash("sha256", bufferOf(raw));
  const reasons = store.database.log.drain().map(({ message }) => message);
  const message =
    entry === null
      ? "listed in its folder, but not in the store"
      : `not readable: ${reasons.join("; ") || "no properties"}`;
  const code = entry === null ? "item-missing" : "item-damaged";
  return { kind: node.origin === "recovered" ? "note" : "damaged", code, message, sha256, ...place };
}
