import { join, resolve } from "node:path";
import { buildSync } from "esbuild";
import type { Archive, ContactEdge } from "../src/mail/archive.ts";
import type { Contact } from "../src/mail/records/contact.ts";
import { communityId, contactId } from "../src/mail/records/ids.ts";
import type { ContactOrdinal } from "../src/mail/records/ordinal.ts";
import type { Provenance } from "../src/mail/records/provenance.ts";
import type { PageClient } from "../src/outputs/graph-page/page-client.ts";

const CLIENT = resolve(import.meta.dirname, "../src/outputs/graph-page/client");

/** The current browser code, bundled as the build does. */
export function bundleGraphClient(): PageClient {
  const bundle = (file: string): string =>
    buildSync({
      entryPoints: [join(CLIENT, file)],
      bundle: true,
      minify: true,
      format: "iife",
      target: "es2022",
      write: false,
    }).outputFiles[0]!.text;
  return { script: bundle("main.ts"), style: bundle("page.css") };
}

const GIVEN = ["Ann", "Bo", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal", "Ivy", "Jo", "Kit", "Lou", "Zoé"];
const FAMILY = [
  "Archer",
  "Baker",
  "Cooper",
  "Draper",
  "Fisher",
  "Glover",
  "Hunter",
  "Mason",
  "Potter",
  "Sawyer",
  "Turner",
];
const FIRST_DAY = Date.UTC(2001, 0, 1);
const DAY_MS = 86_400_000;

/** A contact of an invented company; lower ordinals have more mail. */
export function sampleContact(ordinal: number, changes: Partial<Contact> = {}): Contact {
  const messageCount = Math.ceil(4_000 / ordinal);
  return {
    id: contactId(ordinal as ContactOrdinal),
    name: `${GIVEN[ordinal % GIVEN.length]} ${FAMILY[ordinal % FAMILY.length]} ${ordinal}`,
    email: `person.${ordinal}@example.org`,
    messageCount,
    sentCount: Math.floor(messageCount / 3),
    receivedCount: messageCount - Math.floor(messageCount / 3),
    frequency: "low",
    firstSeen: FIRST_DAY + (ordinal % 700) * DAY_MS,
    lastSeen: FIRST_DAY + ((ordinal % 700) + 40) * DAY_MS,
    sentiment: "neutral",
    communityId: communityId(1 + (ordinal % 14)),
    authorityScore: 1 / (ordinal + 1),
    hubScore: 0.5 / (ordinal + 1),
    pagerank: 1 / (ordinal + 3),
    degree: 5,
    inDegree: 5,
    outDegree: 5,
    aliases: [`p${ordinal}@example.net`],
    domains: ["example.org", "example.net"],
    ...changes,
  };
}

/** `perContact` edges for each contact, mostly inside its community, in (from, to) order. */
export function sampleEdges(contacts: number, perContact: number): readonly ContactEdge[] {
  const edges: ContactEdge[] = [];
  for (let from = 1; from <= contacts; from++) {
    const targets = Array.from(
      { length: perContact },
      (_, at) => 1 + ((from - 1 + 14 * (at + 1) + (at === 4 ? 1 : 0)) % contacts),
    );
    for (const to of [...new Set(targets)].sort((a, b) => a - b)) {
      const count = 1 + ((from * to) % 60);
      if (to !== from)
        edges.push({
          from: contactId(from as ContactOrdinal),
          to: contactId(to as ContactOrdinal),
          count,
          weight: Math.log2(1 + count),
        });
    }
  }
  return edges;
}

const PROVENANCE: Pick<Provenance, "tool" | "toolVersion" | "extractedAt"> = {
  tool: "archivetool",
  toolVersion: "9.9.9",
  extractedAt: Date.UTC(2026, 0, 2),
};

/** The part of an archive that the graph page reads. */
export function graphArchive(contacts: readonly Contact[], edges: readonly ContactEdge[]): Archive {
  const archive = {
    contacts: {
      async list(_sort: "frequency", { limit }: { readonly limit: number }) {
        const strongest = [...contacts].sort((a, b) => b.messageCount - a.messageCount || (a.id < b.id ? -1 : 1));
        return { items: strongest.slice(0, limit), total: contacts.length };
      },
      async *scan() {
        for (let start = 0; start < contacts.length; start += 100) yield contacts.slice(start, start + 100);
      },
      async *edges() {
        for (let start = 0; start < edges.length; start += 1_000) yield edges.slice(start, start + 1_000);
      },
    },
    provenance: async () => PROVENANCE,
    explore: {
      async timeline() {
        const dates = contacts
          .flatMap(({ firstSeen, lastSeen }) => [firstSeen, lastSeen])
          .filter((date) => date !== null);
        return dates.length === 0
          ? { first: null, last: null }
          : { first: Math.min(...dates), last: Math.max(...dates) };
      },
    },
  };
  return archive as unknown as Archive;
}

export function sampleGraphArchive(contacts: number, edgesPerContact: number): Archive {
  return graphArchive(
    Array.from({ length: contacts }, (_, index) => sampleContact(index + 1)),
    sampleEdges(contacts, edgesPerContact),
  );
}
