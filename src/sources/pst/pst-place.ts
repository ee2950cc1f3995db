import type { ItemPlace, PstNode } from "../reading/source.ts";

/** Where an item of a store is. */
export function placeOfNode({ mailbox, nid, blocks }: PstNode): ItemPlace {
  const hasNode = blocks === null || nid !== 0;
  return { mailbox, location: hasNode ? `nid:${nid.toString(16)}` : `bid:${blocks.dataBid.toString(16)}` };
}
