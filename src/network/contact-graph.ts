import { Float64Column, Uint32Column } from "../columns/column.ts";
import { groupByKey } from "../columns/grouping.ts";
import { HashIndex, NO_ENTRY } from "../columns/hash-index.ts";

/**
 * The directed, weighted graph of who writes to whom, in compressed sparse rows: the recipients of contact `c` are
 * `targets[offsets[c]] … targets[offsets[c + 1] - 1]`, ascending; `counts` and `weights` are parallel to `targets`.
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

const TO_WEIGHT = 1;
const COPY_WEIGHT = 0.5;
/** A message to more recipients than this is an announcement; its weight is divided by their number. */
const MASS_MAIL_RECIPIENTS = 50;
/** Units of such a weight are whole numbers: sums of up to 2^29 messages are exact in any order. */
const PARTS_A_WEIGHT = 1 << 23;

/** Adds up the arcs of a contact graph from a stream of messages; 32 to 40 bytes per arc. */
export class GraphBuilder {
  private readonly index = new HashIndex();
  private readonly from = new Uint32Column();
  private readonly to = new Uint32Column();
  private readonly counts = new Uint32Column();
  private readonly weights = new Float64Column();
  /** Last message with a contact as recipient, so that each counts once per message. */
  private readonly lastMessage = new Uint32Column();
  private messages = 0;

  /**
   * @param from contact index of the sender; a negative index skips the message.
   * @param to contact indices; a contact in several fields counts in the first of To, Cc, Bcc.
   */
  addMessage(from: number, to: readonly number[], cc: readonly number[], bcc: readonly number[]): void {
    if (from < 0) return;
    const recipients: number[] = [];
    this.messages++;
    this.collect(to, recipients);
    const toCount = recipients.length;
    this.collect(cc, recipients);
    this.collect(bcc, recipients);
    const share =
      recipients.length > MASS_MAIL_RECIPIENTS ? Math.round(PARTS_A_WEIGHT / recipients.length) / PARTS_A_WEIGHT : 1;
    for (const [at, recipient] of recipients.entries()) {
      if (recipient !== from) this.add(from, recipient, (at < toCount ? TO_WEIGHT : COPY_WEIGHT) * share);
    }
  }

  private collect(contacts: readonly number[], recipients: number[]): void {
    for (const contact of contacts) {
      this.lastMessage.extend(contact + 1);
      if (this.lastMessage.at(contact) === this.messages) continue;
      this.lastMessage.set(contact, this.messages);
      recipients.push(contact);
    }
  }

  private add(from: number, to: number, weight: number): void {
    for (let arc = this.index.first(hashOf(from, to)); arc !== NO_ENTRY; arc = this.index.next()) {
      if (this.from.at(arc) !== from || this.to.at(arc) !== to) continue;
      this.counts.set(arc, this.counts.at(arc) + 1);
      this.weights.set(arc, this.weights.at(arc) + weight);
      return;
    }
    this.index.add();
    this.from.push(from);
    this.to.push(to);
    this.counts.push(1);
    this.weights.push(weight);
  }

  /**
   * Builds the graph. Call once: it releases its inputs. @param nodeCount number of contacts; every added index is
   * below it
   */
  build(nodeCount: number): ContactGraph {
    const byTarget = groupByKey(this.to.view(), nodeCount).members;
    const { starts, members } = groupByKey(this.from.view(), nodeCount, byTarget);
    const graph = {
      nodeCount,
      offsets: starts,
      targets: members.map((arc) => this.to.at(arc)),
      counts: members.map((arc) => this.counts.at(arc)),
      weights: Float64Array.from(members, (arc) => Math.log2(1 + this.weights.at(arc))),
    };
    for (const part of [this.index, this.from, this.to, this.counts, this.weights, this.lastMessage]) part.clear();
    return graph;
  }
}

/** Mixes a pair (the finaliser of MurmurHash3). */
function hashOf(from: number, to: number): number {
  let hash = Math.imul(from, 0x9e3779b1) ^ Math.imul(to, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/**
 * The arcs by target: those to contact `c` are `arcs[offsets[c]] … arcs[offsets[c + 1] - 1]`, with `sources` parallel
 * to them.
 */
export interface ArcsInto {
  readonly offsets: Uint32Array;
  readonly sources: Uint32Array;
  /** Indexes into the columns of the graph. */
  readonly arcs: Uint32Array;
}

export function arcsInto({ nodeCount, offsets, targets }: ContactGraph): ArcsInto {
  const sourceOf = new Uint32Array(targets.length);
  for (let source = 0; source < nodeCount; source++) sourceOf.fill(source, offsets[source], offsets[source + 1]);
  const { starts, members } = groupByKey(targets, nodeCount);
  return { offsets: starts, sources: members.map((arc) => sourceOf[arc]!), arcs: members };
}
