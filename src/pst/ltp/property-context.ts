import { type ByteRange, EMPTY_RANGE } from "../../properties/byte-range.ts";
import { fixedSizeOf, type PropertyBytes, TYPE } from "../../properties/property-bytes.ts";
import { DataStream } from "../ndb/data-stream.ts";
import type { NodeDatabase } from "../ndb/node-database.ts";
import { readSubnodes, type Subnode } from "../ndb/subnode-tree.ts";
import { Heap, isHeapId, PROPERTY_CONTEXT } from "./heap.ts";
import { type PropertyRecords, readPropertyRecords } from "./property-records.ts";

/** Locations of a node's data and of its subnodes. */
export interface NodeData {
  readonly dataBid: number;
  readonly subnodeBid: number;
}

/** The value of an object property: a subnode and its size ([MS-PST] 2.3.3.5). */
interface ObjectPlace {
  readonly nid: number;
  readonly sizeBytes: number;
}

/** All properties of a message, folder, attachment or store ([MS-PST] 2.3.3). Large values are read on access. */
export class PropertyContext implements PropertyBytes {
  private subnodeMap: ReadonlyMap<number, Subnode> | null = null;
  private readonly records: PropertyRecords;
  /** Cache of large values, as far as the limit of the item allows. */
  private kept: Map<number, ByteRange> | null = null;

  private constructor(
    private readonly database: NodeDatabase,
    private readonly heap: Heap,
    private readonly subnodeBid: number,
  ) {
    this.records = readPropertyRecords(heap);
  }

  /** Returns null if the node has no property context. */
  static open(database: NodeDatabase, node: NodeData): PropertyContext | null {
    const heap = Heap.open(database, new DataStream(database, node.dataBid));
    if (heap === null) return null;
    if (heap.clientSignature !== PROPERTY_CONTEXT) {
      database.log.note("structure-damaged", "a heap without properties");
      return null;
    }
    return new PropertyContext(database, heap, node.subnodeBid);
  }

  typeOf(id: number): number | null {
    const at = this.records.find(id);
    return at < 0 ? null : this.records.typeAt(at);
  }

  ids(): readonly number[] {
    return this.records.ids();
  }

  rangeOf(id: number): ByteRange | null {
    const at = this.records.find(id);
    if (at < 0) return null;
    const fixed = fixedSizeOf(this.records.typeAt(at));
    if (fixed !== null && fixed <= 4) return this.records.rangeAt(at, fixed);
    const place = this.records.valueAt(at);
    if (place === 0) return EMPTY_RANGE;
    return isHeapId(place) ? this.heap.item(place) : this.largeValue(id, place);
  }

  private largeValue(id: number, nid: number): ByteRange | null {
    const kept = this.kept?.get(id);
    if (kept !== undefined) return kept;
    const range = this.stream(nid)?.range() ?? null;
    if (range === null) return null;
    if (this.database.log.mayKeep(range.end - range.start)) {
      this.kept ??= new Map();
      this.kept.set(id, range);
    }
    return range;
  }

  /** The location of an object property (embedded message, OLE data); null for other properties. */
  objectOf(id: number): ObjectPlace | null {
    const at = this.records.find(id);
    if (at < 0 || this.records.typeAt(at) !== TYPE.object) return null;
    const place = this.records.valueAt(at);
    if (!isHeapId(place)) return { nid: place, sizeBytes: 0 };
    const item = this.heap.item(place);
    if (item === null || item.end - item.start < 8) return null;
    return { nid: item.data.getUint32(item.start, true), sizeBytes: item.data.getUint32(item.start + 4, true) };
  }

  /** Subnodes of the large values of the object, according to its records. */
  valueSubnodes(): readonly number[] {
    const nids: number[] = [];
    for (const id of this.records.ids()) {
      const at = this.records.find(id);
      const fixed = fixedSizeOf(this.records.typeAt(at));
      const place = this.records.valueAt(at);
      if ((fixed === null || fixed > 4) && !isHeapId(place)) nids.push(place);
    }
    return nids;
  }

  subnode(nid: number): Subnode | null {
    return this.subnodes().get(nid) ?? null;
  }

  subnodes(): ReadonlyMap<number, Subnode> {
    this.subnodeMap ??= readSubnodes(this.database, this.subnodeBid);
    return this.subnodeMap;
  }

  private stream(nid: number): DataStream | null {
    const subnode = this.subnode(nid);
    if (subnode !== null) return new DataStream(this.database, subnode.dataBid);
    this.database.log.note("structure-damaged", `the value in subnode 0x${nid.toString(16)} is missing`);
    return null;
  }
}
