import type { PagedFloat64Column } from "../../columns/paged-column.ts";
import { frequencyClasses } from "../../contacts/contact-frequency.ts";
import { FIRST_MESSAGE, type MessageIndex } from "../../mail/ordinal.ts";
import { type ContactGraph, GraphBuilder } from "../../network/contact-graph.ts";
import { measureNetwork } from "../../network/network-metrics.ts";
import { SentimentTally } from "../../sentiment/contact-sentiment.ts";
import type { ContactRow, EdgeRow } from "../../store/rows.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { ContactFigures, NumberedContacts } from "./contact-phase.ts";

/** What each message says of its author. */
export interface MessageTones {
  /** NaN where the text says nothing. */
  readonly tones: Float32Array;
  /** What tells templates (`template-key.ts`), 0 for none. */
  readonly templates: Int32Array;
}

export interface People {
  readonly rows: Iterable<ContactRow>;
  readonly edges: Iterable<EdgeRow>;
}

/**
 * Rows of all contacts with their place in the graph of who writes to whom. The graph is built over the whole archive
 * on every run.
 */
export function contactRows(
  ledger: Ledger,
  contacts: NumberedContacts,
  figures: ContactFigures,
  tones: MessageTones,
): People {
  const graph = contactGraph(ledger, contacts);
  return {
    rows: rowsOf(contacts, figures, graph, toneOf(ledger, contacts, tones)),
    edges: edgeRows(graph, contacts),
  };
}

function contactGraph(ledger: Ledger, contacts: NumberedContacts): ContactGraph {
  const { contactOf, contacts: all } = contacts;
  const builder = new GraphBuilder();
  for (let message = FIRST_MESSAGE; message < ledger.messageCount; message++) {
    const from = ledger.from.at(message);
    if (from < 0) continue;
    const recipients: Record<"to" | "cc" | "bcc", number[]> = { to: [], cc: [], bcc: [] };
    for (const { address, kind } of ledger.recipientsOf(message)) recipients[kind].push(contactOf.at(address));
    builder.addMessage(contactOf.at(from), recipients.to, recipients.cc, recipients.bcc);
  }
  return builder.build(all.length);
}

function toneOf(
  ledger: Ledger,
  { contacts, contactOf }: NumberedContacts,
  { tones, templates }: MessageTones,
): SentimentTally {
  const authorOf = (message: MessageIndex): number => {
    const from = ledger.from.at(message);
    return from < 0 || Number.isNaN(tones[message]) ? NOBODY : contactOf.at(from);
  };
  const scored = new Uint32Array(contacts.length);
  for (let message = FIRST_MESSAGE; message < ledger.messageCount; message++) {
    const author = authorOf(message);
    if (author !== NOBODY) scored[author] = scored[author]! + 1;
  }
  const tone = new SentimentTally(scored);
  for (let message = FIRST_MESSAGE; message < ledger.messageCount; message++) {
    const author = authorOf(message);
    if (author !== NOBODY) tone.add(author, tones[message]!, templates[message]!);
  }
  return tone;
}

/** Who wrote a message that counts for nobody's tone. */
const NOBODY = -1;

function* rowsOf(
  contacts: NumberedContacts,
  figures: ContactFigures,
  graph: ContactGraph,
  tone: SentimentTally,
): Generator<ContactRow> {
  const metrics = measureNetwork(graph);
  const frequencyOf = frequencyClasses(figures.messages.values());
  const dateAt = (column: PagedFloat64Column, index: number): number | null =>
    Number.isNaN(column.at(index)) ? null : column.at(index);
  let index = 0;
  for (const contact of contacts.contacts) {
    yield {
      ordinal: contacts.ordinalOf[index]!,
      name: contact.name,
      email: contact.email,
      messageCount: figures.messages.at(index),
      sentCount: figures.sent.at(index),
      receivedCount: figures.received.at(index),
      frequency: frequencyOf(figures.messages.at(index)),
      firstSeen: dateAt(figures.firstSeen, index),
      lastSeen: dateAt(figures.lastSeen, index),
      // What a robot writes has no tone, whatever words its logs are made of.
      sentiment: contact.isRobot ? "neutral" : tone.labelOf(index),
      community: metrics.community[index]! + 1,
      authorityScore: metrics.authority[index]!,
      hubScore: metrics.hub[index]!,
      pagerank: metrics.pagerank[index]!,
      degree: metrics.degree[index]!,
      inDegree: metrics.inDegree[index]!,
      outDegree: metrics.outDegree[index]!,
      aliases: contact.aliases,
      domains: contact.domains,
      evidence: contact.evidence,
    };
    index++;
  }
}

function* edgeRows(graph: ContactGraph, contacts: NumberedContacts): Generator<EdgeRow> {
  for (let from = 0; from < graph.nodeCount; from++) {
    for (let arc = graph.offsets[from]!; arc < graph.offsets[from + 1]!; arc++) {
      const to = graph.targets[arc]!;
      yield {
        from: contacts.ordinalOf[from]!,
        to: contacts.ordinalOf[to]!,
        count: graph.counts[arc]!,
        weight: graph.weights[arc]!,
      };
    }
  }
}
