import { DataStream } from "./data-stream.ts";
import { Heap, isHeapId } from "./heap.ts";
import type { NodeDatabase } from "./node-database.ts";
import { fixedSizeOf, type PropertyBytes, TYPE } from "./property-bytes.ts";
import { type PropertyRecords, readPropertyRecords } from "./property-records.ts";
import { readSubnodes, type Subnode } from "./subnode-tree.ts";

const PROPERTY_CONTEXT = 0xbc;

/** Where the data of a node and of its subnodes begins. */
export interface NodeData {
  readonly dataBid: number;
  readonly subnodeBid: number;
}

/** The value of an object property: a subnode and its size ([MS-PST] 2.3.3.5). */
export interface ObjectPlace {
  readonly nid: number;
  readonly sizeBytes: number;
}

/** All properties of a message, folder, attachment or store ([MS-PST] 2.3.3). Large values are read when asked for. */
export class PropertyContext implements PropertyBytes {
  private readonly database: NodeDatabase;
  private readonly heap: Heap;
  private readonly subnodeBid: number;
  private subnodeMap: ReadonlyMap<number, Subnode> | null = null;
  private readonly records: PropertyRecords;
  /** Large values already read, as far as the item may keep them. */
  private readonly kept = new Map<number, Buffer>();

  private constructor(database: NodeDatabase, heap: Heap, subnodeBid: number) {
    this.database = database;
    this.heap = heap;
    this.subnodeBid = subnodeBid;
    this.records = readPropertyRecords(heap);
  }

  /** Null when the node holds no property context. */
  static open(database: NodeDatabase, node: NodeData): PropertyContext | null {
    const heap = Heap.open(database, new DataStream(database, node.dataBid));
    if (heap === null) return null;
    if (heap.clientSignature !== PROPERTY_CONTEXT) {
      database.log.note("structure-damaged", "a heap that holds no properties");
      return null;
    }
    return new PropertyContext(database, heap, node.subnodeBid);
  }

  typeOf(id: number): number | null {
    return this.records.typeOf(id);
  }

  ids(): Iterable<number> {
    return this.records.ids();
  }

  bytesOf(id: number): Buffer | null {
    const type = this.records.typeOf(id);
    if (type === null) return null;
    const fixed = fixedSizeOf(type);
    if (fixed !== null && fixed <= 4) return this.records.valueBytes(id, fixed);
    const place = this.records.valueOf(id);
    if (place === 0) return Buffer.alloc(0);
    if (isHeapId(place)) return this.heap.item(place);
    const kept = this.kept.get(id);
    if (kept !== undefined) return kept;
    const bytes = this.stream(place)?.bytes() ?? null;
    if (bytes !== null && this.database.log.mayKeep(bytes.length)) this.kept.set(id, bytes);
    return bytes;
  }

  /** The data of a large value, block by block; null when the value is small or missing. */
  streamOf(id: number): DataStream | null {
    const type = this.records.typeOf(id);
    if (type === null || fixedSizeOf(type) !== null) return null;
    const place = this.records.valueOf(id);
    return place === 0 || isHeapId(place) ? null : this.stream(place);
  }

  /** Where an object property (embedded message, OLE data) lies; null when it is none. */
  objectOf(id: number): ObjectPlace | null {
    if (this.records.typeOf(id) !== TYPE.object) return null;
    const place = this.records.valueOf(id);
    const item = isHeapId(place) ? this.heap.item(place) : null;
    if (item !== null && item.length >= 8) return { nid: item.readUInt32LE(0), sizeBytes: item.readUInt32LE(4) };
    return isHeapId(place) ? null : { nid: place, sizeBytes: 0 };
  }

  /** Subnodes that the large values of the object lie in, by what its records say. */
  *valueSubnodes(): Generator<number> {
    for (const id of this.records.ids()) {
      const fixed = fixedSizeOf(this.records.typeOf(id)!);
      const place = this.records.valueOf(id);
      if ((fixed === null || fixed > 4) && !isHeapId(place)) yield place;
    }
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
    this.database.log.note("structure-damaged", `a value lies in subnode 0x${nid.toString(16)}, which is missing`);
    return null;
  }
}
