import type { PagedFloat64Column, PagedInt32Column } from "../../columns/paged-column.ts";
import { type Group, PagedGroups } from "../../columns/paged-groups.ts";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import { frequencyClasses } from "../../contacts/contact-frequency.ts";
import type { Sentiment } from "../../mail/records/contact.ts";
import { FIRST_MESSAGE } from "../../mail/records/ordinal.ts";
import { type ContactGraph, GraphBuilder } from "../../network/contact-graph.ts";
import { measureNetwork } from "../../network/network-metrics.ts";
import { toneOfSender } from "../../sentiment/contact-sentiment.ts";
import type { ContactRow, EdgeRow } from "../../store/contract/rows.ts";
import type { Ledger } from "../ledger/deduplicate.ts";
import type { ContactFigures, NumberedContacts } from "./contact-phase.ts";

/** Sentiment of each message. */
export interface MessageTones {
  /** In Float32 precision; NaN if there is no text. */
  readonly tones: PagedFloat64Column;
  /** Key of the template of each message (`template-key.ts`), 0 without one. */
  readonly templates: PagedInt32Column;
}

/** Additional inputs of contact rows, besides the mail. */
interface ContactFindings {
  readonly figures: ContactFigures;
  readonly tones: MessageTones;
  readonly memory: PagedMemory;
}

export interface People {
  readonly rows: Iterable<ContactRow>;
  readonly edges: Iterable<EdgeRow>;
}

/**
 * Rows of all contacts with their place in the correspondence graph, which is rebuilt over the whole archive in every
 * run.
 */
export function contactRows(
  ledger: Ledger,
  contacts: NumberedContacts,
  { figures, tones, memory }: ContactFindings,
): People {
  const graph = contactGraph(ledger, contacts);
  return {
    rows: rowsOf(contacts, figures, graph, labelsOf(ledger, contacts, { tones, memory })),
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

/** Sentiment of each contact, in their order. */
function* labelsOf(
  ledger: Ledger,
  { contacts, contactOf }: NumberedContacts,
  { tones: { tones, templates }, memory }: Pick<ContactFindings, "tones" | "memory">,
): Generator<Sentiment> {
  const written = new PagedGroups(memory);
  for (let message = FIRST_MESSAGE; message < ledger.messageCount; message++) {
    const from = ledger.from.at(message);
    if (from >= 0 && !Number.isNaN(tones.at(message))) written.push(contactOf.at(from), message);
  }
  const labelOf = ({ members }: Group): Sentiment =>
    toneOfSender({
      tones: Float32Array.from(members, (message) => tones.at(message)),
      templates: Int32Array.from(members, (message) => templates.at(message)),
    });
  const groups = written.byKey();
  let next = groups.next();
  for (let contact = 0; contact < contacts.length; contact++) {
    if (next.done === true || next.value.key !== contact) {
      yield NO_TONE;
      continue;
    }
    yield labelOf(next.value);
    next = groups.next();
  }
  written.clear();
}

/** For contacts without scored text. */
const NO_TONE: Sentiment = "neutral";

function* rowsOf(
  contacts: NumberedContacts,
  figures: ContactFigures,
  graph: ContactGraph,
  labels: Iterator<Sentiment>,
): Generator<ContactRow> {
  const metrics = measureNetwork(graph);
  const frequencyOf = frequencyClasses(figures.messages.values());
  const dateAt = (column: PagedFloat64Column, index: number): number | null =>
    Number.isNaN(column.at(index)) ? null : column.at(index);
  let index = 0;
  for (const contact of contacts.contacts) {
    const label: Sentiment = labels.next().value;
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
      // Automated mail has no sentiment, even if its logs contain emotional words.
      sentiment: contact.isRobot ? NO_TONE : label,
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
