import type { ItemPlace, PstNode } from "../reading/source.ts";

/** Location of an item in a store. */
export function placeOfNode({ mailbox, nid, blocks }: PstNode): ItemPlace {
  const hasNode = blocks === null || nid !== 0;
  return { mailbox, location: hasNode ? `nid:${nid.toString(16)}` : `bid:${blocks.dataBid.toString(16)}` };
}
