import { NO_CONTEXT, Properties } from "../../properties/properties.ts";
import { TYPE } from "../../properties/property-bytes.ts";
import { PID } from "../../properties/property-ids.ts";
import { type NodeData, PropertyContext } from "../ltp/property-context.ts";
import { findUnnamedBlocks } from "../ltp/unnamed-blocks.ts";
import { allNodes, type NodeDatabase } from "../ndb/node-database.ts";
import { NODE_TYPE } from "../ndb/node-entry.ts";
import { linkSubnodes } from "./orphan-subnodes.ts";

/** `PidTagMessageFlags` of views, rules and other associated objects of folders ([MS-OXCMSG] 2.2.1.6). */
const ASSOCIATED_FLAG = 0x40;
/**
 * `PidTagNameidStreamGuid`, `…Entry` and `…String` ([MS-PST] 2.4.7): no other object has properties with these numbers.
 */
const NAME_MAP_STREAMS: readonly number[] = [0x0002, 0x0003, 0x0004];

/**
 * The messages and other items in the file that no node refers to, because the page of the node tree with their nodes
 * is lost. Their data identifies them, and their lists of subnodes (recipients, attachments, long texts) are searched
 * for. Excludes earlier versions of items that still have a node. Their folders are unknown.
 */
export function findOrphanObjects(database: NodeDatabase): readonly NodeData[] {
  const { objects, subnodeLists } = findUnnamedBlocks(database);
  const found: { readonly bid: number; readonly identity: string }[] = [];
  for (const bid of objects) {
    const properties = propertiesOf(database, { dataBid: bid, subnodeBid: 0 });
    if (properties !== null && isItem(properties)) found.push({ bid, identity: identityOf(properties) });
  }
  if (found.length === 0) return [];
  // The newest version of each item, except those with a node: blocks of earlier versions stay in the file until their
  // space is reused.
  const known = knownIdentities(database);
  const newest: number[] = [];
  for (const { bid, identity } of found.reverse()) {
    if (known.has(identity)) continue;
    known.add(identity);
    newest.push(bid);
  }
  return linkSubnodes(database, newest.reverse(), subnodeLists);
}

/** The newest unreferenced map of named properties, or null. */
export function findOrphanNameMap(database: NodeDatabase): NodeData | null {
  const { objects, subnodeLists } = findUnnamedBlocks(database);
  const newest = objects.findLast((bid) => {
    const context = PropertyContext.open(database, { dataBid: bid, subnodeBid: 0 });
    return context !== null && NAME_MAP_STREAMS.every((id) => context.typeOf(id) === TYPE.binary);
  });
  return newest === undefined ? null : (linkSubnodes(database, [newest], subnodeLists)[0] ?? null);
}

function propertiesOf(database: NodeDatabase, node: NodeData): Properties | null {
  const context = PropertyContext.open(database, node);
  return context === null ? null : new Properties(context, NO_CONTEXT);
}

function isItem(properties: Properties): boolean {
  if (properties.text(PID.messageClass) === null) return false;
  return ((properties.integer(PID.messageFlags) ?? 0) & ASSOCIATED_FLAG) === 0;
}

function knownIdentities(database: NodeDatabase): Set<string> {
  const known = new Set<string>();
  for (const node of allNodes(database, NODE_TYPE.message)) {
    const properties = propertiesOf(database, node);
    if (properties !== null) known.add(identityOf(properties));
  }
  return known;
}

/** Properties that stay equal while an item is edited, and are otherwise equal only in copies. */
function identityOf(properties: Properties): string {
  const key = properties.binary(PID.searchKey);
  if (key !== null) return key.toString("hex");
  const times = [PID.creationTime, PID.clientSubmitTime, PID.deliveryTime].map((id) => properties.time(id));
  return JSON.stringify([properties.text(PID.messageClass), properties.subject(), ...times]);
}
