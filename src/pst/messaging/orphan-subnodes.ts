import { NO_CONTEXT, Properties } from "../../properties/properties.ts";
import { PID } from "../../properties/property-ids.ts";
import { type NodeData, PropertyContext } from "../ltp/property-context.ts";
import { TableContext } from "../ltp/table-context.ts";
import { blockNumber } from "../ndb/block-references.ts";
import type { NodeDatabase } from "../ndb/node-database.ts";
import { NODE_ID, NODE_TYPE, nodeType } from "../ndb/node-entry.ts";
import { readSubnodes, type Subnode } from "../ndb/subnode-tree.ts";

/** Type of subnodes with large values ([MS-PST] 2.2.2.1, NID_TYPE_LTP). */
const VALUE_TYPE = 0x1f;
/** `PidTagMessageFlags`: the message has attachments. */
const HAS_ATTACHMENTS = 0x10;
/** Maximum lists checked on each side of an object, if several have the required values. */
const NEIGHBORS = 4;
/** Maximum distance in blocks between the data of an object and its list, if values do not identify the list. */
const MAX_DISTANCE = 16;

/** An object, and a list of subnodes that may belong to it. */
interface Pair {
  readonly object: number;
  readonly list: number;
  readonly distance: number;
}

/**
 * Finds the list of subnodes of each object without a node. Outlook numbers the subnodes of large values once per
 * database, so the numbers that an object refers to identify its list. For writers that number them per object, and for
 * objects without such values, the order of the blocks decides: the nearest list, unless the object contradicts it. An
 * object without a list has only the values in its own data.
 */
export function linkSubnodes(
  database: NodeDatabase,
  objects: readonly number[],
  lists: readonly number[],
): readonly NodeData[] {
  const listOf = new Map<number, number>();
  const listsByValues = groupBy(lists, (list) => valuesKey(valuesOfList(readSubnodes(database, list))));
  for (const [values, alike] of groupBy(objects, (object) => valuesKey(valuesOfObject(database, object)))) {
    const candidates = newestVersion(database, listsByValues.get(values) ?? []);
    const isTelling = values !== "" && candidates.length === 1 && alike.length === 1;
    const taken = new Set<number>();
    for (const { object, list, distance } of pairsOf(alike, candidates)) {
      if (listOf.has(object) || taken.has(list)) continue;
      if (!isTelling && (distance > MAX_DISTANCE || !fits(database, object, list))) continue;
      listOf.set(object, list);
      taken.add(list);
    }
  }
  return objects.map((object) => ({ dataBid: object, subnodeBid: listOf.get(object) ?? 0 }));
}

/**
 * Only the newest list if all others are earlier versions of it; otherwise all. Versions share a block, because long
 * texts are not rewritten when a recipient or an attachment changes.
 */
function newestVersion(database: NodeDatabase, lists: readonly number[]): readonly number[] {
  const newest = lists.at(-1);
  if (newest === undefined || lists.length === 1) return lists;
  const blocks = new Set(blocksOfList(database, newest));
  const isVersion = (list: number): boolean => blocksOfList(database, list).some((block) => blocks.has(block));
  return lists.every(isVersion) ? [newest] : lists;
}

function blocksOfList(database: NodeDatabase, list: number): readonly number[] {
  return [...readSubnodes(database, list).values()].map(({ dataBid }) => dataBid);
}

/** Each object with the lists next to it, the nearest pairs first. Both ascending. */
function pairsOf(objects: readonly number[], lists: readonly number[]): readonly Pair[] {
  const pairs: Pair[] = [];
  let next = 0;
  for (const object of objects) {
    while (next < lists.length && lists[next]! < object) next++;
    for (const list of lists.slice(Math.max(0, next - NEIGHBORS), next + NEIGHBORS)) {
      pairs.push({ object, list, distance: Math.abs(blockNumber(list) - blockNumber(object)) });
    }
  }
  return pairs.sort((a, b) => a.distance - b.distance || a.object - b.object || a.list - b.list);
}

function groupBy(bids: readonly number[], keyOf: (bid: number) => string): ReadonlyMap<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const bid of bids) {
    const key = keyOf(bid);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [bid]);
    else group.push(bid);
  }
  return groups;
}

function valuesKey(nids: readonly number[]): string {
  return [...nids].sort((a, b) => a - b).join(" ");
}

function valuesOfList(subnodes: ReadonlyMap<number, Subnode>): readonly number[] {
  return [...subnodes.keys()].filter((nid) => nodeType(nid) === VALUE_TYPE);
}

function valuesOfObject(database: NodeDatabase, object: number): readonly number[] {
  const context = PropertyContext.open(database, { dataBid: object, subnodeBid: 0 });
  return context === null ? [] : [...new Set(context.valueSubnodes())].filter((nid) => nodeType(nid) === VALUE_TYPE);
}

/** Returns false if the object's own properties do not match the list. */
function fits(database: NodeDatabase, object: number, list: number): boolean {
  const context = PropertyContext.open(database, { dataBid: object, subnodeBid: list });
  if (context === null) return false;
  const properties = new Properties(context, NO_CONTEXT);
  const nids = [...context.subnodes().keys()];
  const hasAttachments = nids.some((nid) => nodeType(nid) === NODE_TYPE.attachment);
  if (((properties.integer(PID.messageFlags) ?? 0) & HAS_ATTACHMENTS) !== 0 && !hasAttachments) return false;
  return showsRecipients(database, context, properties);
}

/** True if each recipient appears by name in the recipient lines of the message, if it has such lines. */
function showsRecipients(database: NodeDatabase, context: PropertyContext, properties: Properties): boolean {
  const shown = bareName(
    [PID.displayTo, PID.displayCc, PID.displayBcc].map((id) => properties.text(id) ?? "").join(";"),
  );
  const subnode = context.subnode(NODE_ID.recipientTable);
  const table = subnode === null ? null : TableContext.open(database, subnode);
  if (shown === "" || table === null) return true;
  let recipients = 0;
  const rows = table.rows();
  for (let row = rows.next(); row !== null; row = rows.next()) {
    const person = new Properties(row, NO_CONTEXT);
    const name = person.text(PID.recipientDisplayName) ?? person.text(PID.displayName);
    if (name !== null && !shown.includes(bareName(name))) return false;
    recipients++;
  }
  return recipients > 0;
}

/** The two sources spell a name with different case and quotes. */
function bareName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}
