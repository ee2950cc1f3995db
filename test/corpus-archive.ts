import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MENTION_KINDS } from "../src/mail/records/mention.ts";
import type { ContactOrdinal, TopicOrdinal } from "../src/mail/records/ordinal.ts";
import { MARK_OF_KIND } from "../src/mentions/found-mention.ts";
import { createArchive, growArchive } from "../src/store/archive/write-archive.ts";
import type { ArchiveLocation } from "../src/store/contract/archive-location.ts";
import type { ContactRow, MessageRow, TopicRow } from "../src/store/contract/rows.ts";
import { messageRow } from "./message-row.ts";
import { newDirectory } from "./run-directory.ts";
import { SAMPLE_RECORD } from "./sample-rows.ts";
import { type CorpusMessage, corpusSegments } from "./search-corpus.ts";

/** A message of a corpus as stored. */
export function corpusRow(message: CorpusMessage, ordinal: number): MessageRow {
  return messageRow(ordinal, {
    contentKey: new Uint8Array(16),
    topic: (message.topic ?? 0) as TopicOrdinal,
    subject: message.subject ?? "",
    from:
      message.from === undefined
        ? null
        : { name: message.from, email: message.domain === undefined ? "" : `ann@${message.domain}` },
    fromContact: (message.author ?? null) as ContactOrdinal | null,
    sentAt: message.sentAt ?? null,
    flags: message.labels ?? [],
    location: "",
    sizeBytes: message.sizeBytes ?? 1,
    language: message.language ?? null,
    mentions: MENTION_KINDS.flatMap((kind) =>
      (message.mentions?.[kind] ?? []).map((value) => MARK_OF_KIND[kind] + value),
    ),
    body: Buffer.from(message.body),
  });
}

export const ANN: ContactRow = {
  ordinal: 1 as ContactOrdinal,
  name: "Ann Lee",
  email: "ann@example.org",
  messageCount: 1,
  sentCount: 1,
  receivedCount: 0,
  frequency: "low",
  firstSeen: null,
  lastSeen: null,
  sentiment: "neutral",
  community: 1,
  authorityScore: 0,
  hubScore: 0,
  pagerank: 0,
  degree: 0,
  inDegree: 0,
  outDegree: 0,
  aliases: ["Ann.Lee@example.net"],
  domains: [],
  evidence: [],
};
export const BUDGETS: TopicRow = {
  ordinal: 1 as TopicOrdinal,
  name: "Budget",
  description: "",
  messageCount: 1,
  topKeywords: ["annual report"],
  mentionPercent: null,
  createdAt: 0,
};

/** Stores a corpus in as many runs as there are parts, each part in segments of `chunk` messages. */
export class CorpusArchives<Place extends ArchiveLocation> {
  private readonly directory = newDirectory("search");
  private readonly store: { placeIn(directory: string, name: string): Place };
  private files = 0;

  constructor(store: { placeIn(directory: string, name: string): Place }) {
    this.store = store;
  }

  freshPlace(): Place {
    this.files++;
    return this.store.placeIn(this.directory, `${this.files}.db`);
  }

  /** A file of these bytes. */
  fileOf(bytes: Uint8Array | string): string {
    this.files++;
    const path = join(this.directory, `${this.files}`);
    writeFileSync(path, bytes);
    return path;
  }

  async write(parts: readonly (readonly CorpusMessage[])[], chunk: number): Promise<Place> {
    let place = this.freshPlace();
    let first = 1;
    for (const [run, messages] of parts.entries()) {
      const earlier = place;
      if (run > 0) place = this.freshPlace();
      const writer = await (run === 0 ? createArchive(place) : growArchive(earlier, place));
      await writer.addMessages(messages.map((message, index) => corpusRow(message, first + index)));
      await writer.replaceContacts([ANN]);
      await writer.replaceTopics([BUDGETS]);
      await writer.setRecord(SAMPLE_RECORD);
      await writer.addToSearch(corpusSegments(messages, chunk, first).map((segment) => this.fileOf(segment)));
      await writer.finish();
      first += messages.length;
    }
    return place;
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}
