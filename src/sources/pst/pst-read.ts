import type { Finding } from "../../mail/records/message.ts";
import { fingerprintOf } from "../../mapi/objects/fingerprint.ts";
import type { X500Directory } from "../../mapi/objects/mapi-address.ts";
import type { MessageStore } from "../../pst/messaging/message-store.ts";
import { NODE_TYPE, nodeType } from "../../pst/ndb/node-entry.ts";
import type { PstNode, SourceItem } from "../reading/source.ts";
import { outlookItems } from "./outlook-items.ts";
import { type ItemTimes, type ListedTimes, NO_TIMES } from "./pst-folder-rows.ts";
import type { LostItems } from "./pst-lost-item.ts";
import { readPstObject } from "./pst-object.ts";
import { placeOfNode } from "./pst-place.ts";

/** Context for reading the nodes of a unit. */
export interface PstReading {
  readonly store: MessageStore;
  readonly directory: X500Directory;
  readonly lost: LostItems;
  readonly times: ListedTimes;
}

/** Reads the item of a node, with further entries for changed occurrences of a recurring appointment. */
export function readPstNode(node: PstNode, { store, directory, lost, times }: PstReading): readonly SourceItem[] {
  const place = placeOfNode(node);
  // Discards notes of earlier items, such as those of attachments read late.
  store.database.startItem();
  const entry = node.blocks ?? store.database.node(node.nid);
  const object = entry === null ? null : readPstObject(store, entry);
  if (object === null) return [lost.report(node, place)];
  const fingerprint = fingerprintOf(object, store.scratch);
  const flags = node.origin === "listed" ? [] : [node.origin];
  const isAssociated = nodeType(node.nid) === NODE_TYPE.associatedMessage;
  const damage = (): readonly Finding[] => store.database.log.drain();
  const listed = (): ItemTimes => (node.origin === "listed" ? times.of(node) : NO_TIMES);
  return outlookItems({ object, place, fingerprint, directory, isAssociated, flags, damage, listed });
}
