import { statSync } from "node:fs";
import { sampleIndexes, seededRandom } from "../src/columns/seeded-random.ts";
import { parsePersonName } from "../src/contacts/names/person-name.ts";
import { addressKind } from "../src/contacts/names/role-address.ts";
import type { Archive } from "../src/mail/archive.ts";
import { addressText } from "../src/mail/records/address.ts";
import type { Contact } from "../src/mail/records/contact.ts";
import { openArchive } from "../src/store/archive/open-archive.ts";
import { archiveAt, archiveIn } from "../src/store/contract/archive-location.ts";
import { quotedText } from "../src/text/quoting/quoted-text.ts";
import { splitBody, textOf } from "../src/text/quoting/split-body.ts";
import type { PooledTerms } from "../src/topics/pooled-terms.ts";
import { decodeTermSegment, TermSegmentEncoder } from "../src/topics/term-segment.ts";
import { hashOfToken, termHash } from "../src/topics/token.ts";
import { MAX_QUOTED_CHARACTERS, normalForms, TopicTermScanner } from "../src/topics/topic-terms.ts";
import { type LearntTopic, type LearntTopics, trainTopics } from "../src/topics/train-topics.ts";
import { partitionsInMemory } from "../test/partitions-in-memory.ts";
import { cpuSecondsOf } from "./measure.ts";

/** Messages per segment, as in an extraction. */
const SEGMENT_MESSAGES = 4096;
/** Minimum messages of a folder that indicates a topic, */
const MIN_FOLDER_MESSAGES = 25;
/** which is not an automatic or general folder. */
const GENERAL_FOLDER =
  /(?:^|\/)(?:_?sent(?:_items|_mail)?|inbox|all_documents|discussion_threads|deleted_items|notes_inbox|calendar|contacts|(?:old|saved)_?e?mail|personal|misc_?|private_folders|meetings|_root|drafts|.*_working_files)(?:\/|$)/u;
/** Messages of the threads compared with folders: all, and those of threads with several messages. */
const THREAD_SIZES = [1, 2, 3] as const;

/** Number of trainings to compare, and the share of threads that each omits. */
const TRAININGS = 6;
const LEFT_OUT = 0.02;

/** Data of the messages of an archive. */
interface ReadMail {
  readonly pool: PooledTerms;
  readonly segments: readonly Uint8Array[];
  /** Thread of each message, and its folder; -1 without a topical folder. */
  readonly threadOf: Int32Array;
  readonly folderOf: Int32Array;
  readonly scanSeconds: number;
}

/**
 * Compares topics of extracted archives (directories or archive.db files) with their owners' folders; lists each
 * topic for review.
 */
export async function benchTopics(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const archive = await openArchive(statSync(path).isDirectory() ? archiveIn(path) : archiveAt(path));
    try {
      const mail = await readMail(archive);
      const names = await namesOf(archive);
      let learnt: LearntTopics | null = null;
      const trainSeconds = cpuSecondsOf(() => {
        learnt = topicsOf(mail.pool, names);
      });
      printTopics(path, mail, learnt!, trainSeconds);
      printStability(mail, names);
    } finally {
      await archive.close();
    }
  }
}

function topicsOf(pool: PooledTerms, names: ReadonlySet<string>): LearntTopics {
  const partitions = { words: partitionsInMemory(), vectors: partitionsInMemory() };
  return trainTopics({ pool, partitions, names, firstOrdinal: 1 });
}

/** Similarity of topics between trainings that each omit a few threads, over all pairs. */
function printStability({ segments, pool, threadOf }: ReadMail, names: ReadonlySet<string>): void {
  const trainings = Array.from({ length: TRAININGS }, (_, seed) => {
    const kept = sampleIndexes(pool.threads, Math.round(pool.threads * (1 - LEFT_OUT)), seededRandom(seed));
    const placeOf = new Int32Array(pool.threads).fill(-1);
    kept.forEach((thread, place) => {
      placeOf[thread] = place;
    });
    const places = threadOf.map((thread) => placeOf[thread]!);
    const { topicOfThread, topics } = topicsOf(poolOf(segments, places), names);
    return { topics, topicOf: placeOf.map((place) => (place < 0 ? -1 : topicOfThread[place]!)) };
  });
  const pairs = trainings.flatMap((a, at) => trainings.slice(0, at).map((b) => [a, b] as const));
  const mean = (figureOf: (a: (typeof trainings)[number], b: (typeof trainings)[number]) => number): string =>
    (pairs.reduce((sum, [a, b]) => sum + figureOf(a, b), 0) / pairs.length).toFixed(3);
  const inBoth = (a: Int32Array, b: Int32Array): readonly [number[], number[]] => {
    const threads = Array.from(a.keys()).filter((thread) => a[thread]! >= 0 && b[thread]! >= 0);
    return [threads.map((thread) => a[thread]!), threads.map((thread) => b[thread]!)];
  };
  const rand = mean((a, b) => adjustedRand(...inBoth(a.topicOf, b.topicOf)));
  const information = mean((a, b) => normalizedInformation(...inBoth(a.topicOf, b.topicOf)));
  const keywords = mean((a, b) => (sharedKeywords(a.topics, b.topics) + sharedKeywords(b.topics, a.topics)) / 2);
  console.log(
    `without ${percent(LEFT_OUT)} of the threads: adjusted Rand ${rand}, NMI ${information}, keywords ${keywords}`,
  );
}

/** Mean share of keywords that each topic shares with its most similar topic. */
function sharedKeywords(topics: readonly LearntTopic[], others: readonly LearntTopic[]): number {
  const shareOf = (a: readonly string[], b: readonly string[]): number => {
    const both = a.filter((word) => b.includes(word)).length;
    return both / (a.length + b.length - both);
  };
  const best = topics.map(({ keywords }) => Math.max(...others.map((other) => shareOf(keywords, other.keywords))));
  return best.reduce((sum, share) => sum + share, 0) / best.length;
}

/** Rand index of two labellings adjusted for chance (Hubert & Arabie 1985). */
function adjustedRand(a: readonly number[], b: readonly number[]): number {
  const pairsOf = (keys: readonly (number | string)[]): number => {
    const counts = new Map<number | string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return [...counts.values()].reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
  };
  const [ofA, ofB] = [pairsOf(a), pairsOf(b)];
  const chance = (ofA * ofB) / ((a.length * (a.length - 1)) / 2);
  return (pairsOf(a.map((value, at) => `${value} ${b[at]}`)) - chance) / ((ofA + ofB) / 2 - chance);
}

function printTopics(path: string, mail: ReadMail, learnt: LearntTopics, trainSeconds: number): void {
  const { topicOfThread, topics } = learnt;
  const messages = mail.threadOf.length;
  const other = mail.threadOf.reduce((sum, thread) => sum + (topicOfThread[thread] === 0 ? 1 : 0), 0);
  console.log(
    `\n${path}: ${messages} messages, ${topicOfThread.length} threads, ${topics.length} topics, other ${percent(other / messages)}`,
  );
  console.log(`CPU s: words ${mail.scanSeconds.toFixed(2)}, topics ${trainSeconds.toFixed(2)}`);
  const sizes = new Uint32Array(topicOfThread.length);
  for (const thread of mail.threadOf) sizes[thread]!++;
  for (const least of THREAD_SIZES) {
    const chosen: number[] = [];
    mail.folderOf.forEach((folder, message) => {
      if (folder >= 0 && sizes[mail.threadOf[message]!]! >= least) chosen.push(message);
    });
    const topicsOf = chosen.map((message) => topicOfThread[mail.threadOf[message]!]!);
    const foldersOf = chosen.map((message) => mail.folderOf[message]!);
    console.log(
      `NMI with folders, threads of ${least}: ${normalizedInformation(topicsOf, foldersOf).toFixed(3)} (${chosen.length} messages)`,
    );
  }
  const coherence = keywordCoherence(mail.pool, topics);
  console.log(`NPMI of keywords: ${(coherence.reduce((sum, value) => sum + value, 0) / topics.length).toFixed(3)}`);
  topics.forEach(({ name, messages, keywords }, topic) => {
    console.log(`| ${name} | ${messages} | ${keywords.join(", ")} | ${coherence[topic]!.toFixed(2)} |`);
  });
}

/**
 * Mean normalized pointwise mutual information of the keywords of each topic over threads (Bouma 2009); -1 for two
 * that never occur together.
 */
function keywordCoherence(pool: PooledTerms, topics: readonly LearntTopic[]): readonly number[] {
  const threadsOf = new Map<number, Set<number>>();
  const hashes = topics.map(({ keywords }) => keywords.map((word) => termHash(normalForms(word.toLowerCase())[1]!)));
  for (const hash of hashes.flat()) threadsOf.set(hash, new Set());
  for (const { segment, threadOf } of pool.segments()) {
    for (let message = 0; message < segment.messages; message++) {
      for (let at = segment.starts[message]!; at < segment.starts[message + 1]!; at++) {
        threadsOf.get(hashOfToken(segment.tokens[at]!))?.add(threadOf[message]!);
      }
    }
  }
  const informationOf = (a: ReadonlySet<number>, b: ReadonlySet<number>): number => {
    let both = 0;
    for (const thread of a) if (b.has(thread)) both++;
    return both === 0 ? -1 : Math.log((both * pool.threads) / (a.size * b.size)) / -Math.log(both / pool.threads);
  };
  return hashes.map((own) => {
    const sets = own.map((hash) => threadsOf.get(hash)!).filter(({ size }) => size > 0);
    const pairs = sets.flatMap((a, at) => sets.slice(0, at).map((b) => informationOf(a, b)));
    return pairs.reduce((sum, value) => sum + value, 0) / Math.max(1, pairs.length);
  });
}

async function readMail(archive: Archive): Promise<ReadMail> {
  const folders = await foldersThatTell(archive);
  const threadOf: number[] = [];
  const folderOf: number[] = [];
  const segments: Uint8Array[] = [];
  const scanner = new TopicTermScanner();
  let encoder = new TermSegmentEncoder();
  let scanSeconds = 0;
  for await (const batch of archive.messages.scan()) {
    for (const message of batch) {
      threadOf.push(Number(/\d+/.exec(message.threadId)![0]) - 1);
      folderOf.push(
        message.occurrences
          .map(({ source, mailbox }) => folders.get(`${source}/${mailbox}`))
          .find((at) => at !== undefined) ?? -1,
      );
    }
    scanSeconds += cpuSecondsOf(() => {
      for (const message of batch) {
        const body = Buffer.from(message.body).toString("utf8");
        const parts = splitBody(body, message.from === null ? "" : addressText(message.from));
        const quoted = quotedText(body, parts, MAX_QUOTED_CHARACTERS);
        scanner.scan({
          subject: message.subject,
          ownText: textOf(body, parts, "own"),
          quotedText: quoted,
          language: message.language,
        });
        encoder.append(scanner);
      }
    });
    if (threadOf.length < (segments.length + 1) * SEGMENT_MESSAGES) continue;
    segments.push(encoder.finish());
    encoder = new TermSegmentEncoder();
  }
  segments.push(encoder.finish());
  const threads = Int32Array.from(threadOf);
  return {
    pool: poolOf(segments, threads),
    segments,
    threadOf: threads,
    folderOf: Int32Array.from(folderOf),
    scanSeconds,
  };
}

/** Numbers of topical folders by source and mailbox. */
async function foldersThatTell(archive: Archive): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const { source, mailbox, messages } of await archive.messages.mailboxes()) {
    if (messages >= MIN_FOLDER_MESSAGES && !GENERAL_FOLDER.test(mailbox)) found.set(`${source}/${mailbox}`, found.size);
  }
  return found;
}

function poolOf(segments: readonly Uint8Array[], threadOf: Int32Array): PooledTerms {
  const threads = threadOf.reduce((most, thread) => Math.max(most, thread), -1) + 1;
  return {
    threads,
    *segments() {
      let first = 0;
      for (const bytes of segments) {
        const segment = decodeTermSegment(bytes);
        yield { segment, threadOf: threadOf.subarray(first, first + segment.messages) };
        first += segment.messages;
      }
    },
  };
}

/** Names of people and domains, excluded as in an extraction. */
async function namesOf(archive: Archive): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for await (const batch of archive.contacts.scan()) {
    for (const contact of batch) {
      const texts = isPersonal(contact) ? [contact.name, ...contact.domains] : contact.domains;
      for (const text of texts) names.add(text);
    }
  }
  return names;
}

/** True if a contact has a person's name, and no address of a role or machine. */
function isPersonal({ name, email, aliases }: Contact): boolean {
  const isPerson = (address: string): boolean =>
    addressKind(address.slice(0, Math.max(0, address.lastIndexOf("@"))).toLowerCase()) === "person";
  return [email, ...aliases].every(isPerson) && (!name.includes(" ") || parsePersonName(name) !== null);
}

/** Normalized mutual information of two labelings: 2 I(a, b) / (H(a) + H(b)). */
function normalizedInformation(a: readonly number[], b: readonly number[]): number {
  const entropyOf = (keys: readonly (number | string)[]): number => {
    const counts = new Map<number | string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return [...counts.values()].reduce((sum, count) => sum - (count / keys.length) * Math.log(count / keys.length), 0);
  };
  const [ofA, ofB] = [entropyOf(a), entropyOf(b)];
  const together = entropyOf(a.map((value, at) => `${value} ${b[at]}`));
  return ofA + ofB === 0 ? 0 : (2 * (ofA + ofB - together)) / (ofA + ofB);
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
