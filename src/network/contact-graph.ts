/**
 * The directed, weighted graph of who writes to whom, in compressed sparse rows: the recipients of contact `c` are
 * `targets[offsets[c]] … targets[offsets[c + 1] - 1]`, ascending; `counts` and `weights` lie beside `targets`.
 */
export interface ContactGraph {
  readonly nodeCount: number;
  readonly offsets: Uint32Array;
  readonly targets: Uint32Array;
  /** Messages from one to the other. */
  readonly counts: Uint32Array;
  /** log2(1 + w), where w adds 1 for each message with the recipient in To and 0.5 in Cc or Bcc, less for mass mail. */
  readonly weights: Float64Array;
}

/** One arc, by contact index. */
export interface GraphEdge {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

const TO_WEIGHT = 1;
const COPY_WEIGHT = 0.5;
/** A message to more recipients than this is an announcement; its weight is divided by their number. */
const MASS_MAIL_RECIPIENTS = 50;
/** Arcs the columns hold before they grow the first time. */
const FIRST_CAPACITY = 4_096;
/** Slots of the hash per arc: at most half of them are taken, so that probing stays short. */
const SLOTS_PER_ARC = 2;
const EMPTY = -1;

/** Adds up the arcs of a contact graph while messages stream by; 28 bytes an arc. */
export class GraphBuilder {
  #size = 0;
  #from = new Uint32Array(FIRST_CAPACITY);
  #to = new Uint32Array(FIRST_CAPACITY);
  #counts = new Uint32Array(FIRST_CAPACITY);
  #weights = new Float64Array(FIRST_CAPACITY);
  #slots = new Int32Array(FIRST_CAPACITY * SLOTS_PER_ARC).fill(EMPTY);
  /** Message in which a contact was last a recipient, so that each counts once a message. */
  #lastMessage = new Uint32Array(FIRST_CAPACITY);
  #messages = 0;

  /**
   * @param from contact index of the sender; the message is left out when it is negative (none).
   * @param to contact indices; a contact that stands in several fields counts in the first of To, Cc, Bcc.
   */
  addMessage(from: number, to: readonly number[], cc: readonly number[], bcc: readonly number[]): void {
    if (from < 0) return;
    const recipients: number[] = [];
    this.#messages++;
    this.#collect(to, recipients);
    const toCount = recipients.length;
    this.#collect(cc, recipients);
    this.#collect(bcc, recipients);
    const share = recipients.length > MASS_MAIL_RECIPIENTS ? 1 / recipients.length : 1;
    for (const [at, recipient] of recipients.entries()) {
      if (recipient !== from) this.#add(from, recipient, (at < toCount ? TO_WEIGHT : COPY_WEIGHT) * share);
    }
  }

  #collect(contacts: readonly number[], recipients: number[]): void {
    for (const contact of contacts) {
      if (contact >= this.#lastMessage.length) {
        const wider = new Uint32Array(Math.max(contact + 1, this.#lastMessage.length * 2));
        wider.set(this.#lastMessage);
        this.#lastMessage = wider;
      }
      if (this.#lastMessage[contact] === this.#messages) continue;
      this.#lastMessage[contact] = this.#messages;
      recipients.push(contact);
    }
  }

  #add(from: number, to: number, weight: number): void {
    const mask = this.#slots.length - 1;
    let slot = slotOf(from, to) & mask;
    for (let arc = this.#slots[slot]!; arc !== EMPTY; arc = this.#slots[slot]!) {
      if (this.#from[arc] === from && this.#to[arc] === to) {
        this.#counts[arc]! += 1;
        this.#weights[arc]! += weight;
        return;
      }
      slot = (slot + 1) & mask;
    }
    const arc = this.#size++;
    this.#slots[slot] = arc;
    this.#from[arc] = from;
    this.#to[arc] = to;
    this.#counts[arc] = 1;
    this.#weights[arc] = weight;
    if (this.#size === this.#from.length) this.#grow();
  }

  #grow(): void {
    const capacity = this.#size * 2;
    this.#from = widened(this.#from, capacity);
    this.#to = widened(this.#to, capacity);
    this.#counts = widened(this.#counts, capacity);
    const weights = new Float64Array(capacity);
    weights.set(this.#weights);
    this.#weights = weights;
    this.#slots = new Int32Array(capacity * SLOTS_PER_ARC).fill(EMPTY);
    const mask = this.#slots.length - 1;
    for (let arc = 0; arc < this.#size; arc++) {
      let slot = slotOf(this.#from[arc]!, this.#to[arc]!) & mask;
      while (this.#slots[slot] !== EMPTY) slot = (slot + 1) & mask;
      this.#slots[slot] = arc;
    }
  }

  /** The graph so far. @param nodeCount number of contacts; every index added is below it. */
  build(nodeCount: number): ContactGraph {
    const byTarget = stableOrder(this.#to, identity(this.#size), nodeCount);
    const order = stableOrder(this.#from, byTarget, nodeCount);
    const offsets = new Uint32Array(nodeCount + 1);
    for (let arc = 0; arc < this.#size; arc++) offsets[this.#from[arc]! + 1]! += 1;
    for (let node = 0; node < nodeCount; node++) offsets[node + 1]! += offsets[node]!;
    return {
      nodeCount,
      offsets,
      targets: order.map((arc) => this.#to[arc]!),
      counts: order.map((arc) => this.#counts[arc]!),
      weights: Float64Array.from(order, (arc) => Math.log2(1 + this.#weights[arc]!)),
    };
  }
}

function widened(column: Uint32Array, capacity: number): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(capacity);
  wider.set(column);
  return wider;
}

/** Mixes a pair well enough for linear probing (the finaliser of MurmurHash3). */
function slotOf(from: number, to: number): number {
  let hash = Math.imul(from, 0x9e3779b1) ^ Math.imul(to, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function identity(size: number): Uint32Array {
  return new Uint32Array(size).map((_, at) => at);
}

/** Counting sort: `order` rearranged by ascending key, ties as they were. */
function stableOrder(keys: Uint32Array, order: Uint32Array, keyCount: number): Uint32Array {
  const starts = new Uint32Array(keyCount + 1);
  for (const at of order) starts[keys[at]! + 1]! += 1;
  for (let key = 0; key < keyCount; key++) starts[key + 1]! += starts[key]!;
  const sorted = new Uint32Array(order.length);
  for (const at of order) {
    const key = keys[at]!;
    sorted[starts[key]!] = at;
    starts[key]! += 1;
  }
  return sorted;
}

/** The arcs by the contact they lead to: those to contact `c` are `arcs[offsets[c]] … arcs[offsets[c + 1] - 1]`, `sources` beside them. */
export interface ArcsInto {
  readonly offsets: Uint32Array;
  readonly sources: Uint32Array;
  /** Places in the columns of the graph. */
  readonly arcs: Uint32Array;
}

export function arcsInto({ nodeCount, offsets, targets }: ContactGraph): ArcsInto {
  const ends = new Uint32Array(nodeCount + 1);
  for (const target of targets) ends[target + 1]! += 1;
  for (let node = 0; node < nodeCount; node++) ends[node + 1]! += ends[node]!;
  const fill = ends.slice();
  const sources = new Uint32Array(targets.length);
  const arcs = new Uint32Array(targets.length);
  for (let source = 0; source < nodeCount; source++) {
    for (let arc = offsets[source]!; arc < offsets[source + 1]!; arc++) {
      const place = fill[targets[arc]!]!++;
      sources[place] = source;
      arcs[place] = arc;
    }
  }
  return { offsets: ends, sources, arcs };
}

/** Every arc in (from, to) order. */
export function* edgesOf(graph: ContactGraph): Generator<GraphEdge> {
  for (let from = 0; from < graph.nodeCount; from++) {
    for (let at = graph.offsets[from]!; at < graph.offsets[from + 1]!; at++) {
      yield { from, to: graph.targets[at]!, count: graph.counts[at]! };
    }
  }
}
