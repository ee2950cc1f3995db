import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { MaildirSink } from "./mail-sink.ts";
import { CLI, measure, printRow } from "./measure.ts";
import { invent, writeTrueMail } from "./true-mail.ts";
import { emptyWorkDirectory } from "./work-directory.ts";

/** Several sets of mail, because a single one may be lucky. */
const SEEDS = [1, 2, 3] as const;

/** Fields of a message in extraction.json. */
interface ReadMessage {
  readonly message_id: string;
  readonly thread_id: string;
  readonly from: { readonly email: string } | null;
  readonly language: string | null;
  readonly language_inferred?: string;
}

interface Contact {
  readonly email: string;
  readonly aliases: readonly string[];
}

/** Number of correct results, and the total. */
type Score = readonly [right: number, of: number];

/**
 * Measures extraction on generated mail with known answers (`true-mail.ts`): duplicates, conversations, authors of
 * list mail, addresses of one person, languages. Can measure other builds.
 */
export async function benchAccuracy(directory: string, program = CLI): Promise<void> {
  const scores = new Map<string, Score>();
  const add = (name: string, [right, of]: Score): void => {
    const [r, o] = scores.get(name) ?? [0, 0];
    scores.set(name, [r + right, o + of]);
  };
  for (const seed of SEEDS) {
    emptyWorkDirectory(directory);
    const mail = join(directory, "mail");
    const written = writeTrueMail(new MaildirSink(mail), seed);
    const output = join(directory, "output");
    const { exitCode, output: printed } = await measure([
      ...[process.execPath, program, "-q", "extract", mail],
      ...["--output", output, "--json", "--no-wiki"],
    ]);
    if (exitCode !== 0) throw new Error(printed);
    const { messages, contacts } = await readDocument(join(output, "extraction.json"));
    for (const [name, score] of Object.entries(scoresOf(messages, contacts, written))) add(name, score);
  }
  console.log(`| What | Share | Of |\n|---|---|---|`);
  for (const [name, [right, of]] of scores) printRow([name, (right / of).toFixed(3), of]);
}

/** Each message and contact has its own line, or an array that fits in memory. */
async function readDocument(
  path: string,
): Promise<{ readonly messages: readonly ReadMessage[]; readonly contacts: readonly Contact[] }> {
  const messages: ReadMessage[] = [];
  let head = "";
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if (line.startsWith('{"message_id":')) messages.push(JSON.parse(line.replace(/,$/, "")));
    else if (messages.length === 0) head += line;
  }
  const { contacts } = JSON.parse(`${head}]}`) as { readonly contacts: readonly Contact[] };
  return { messages, contacts };
}

/** Parses a Message-ID. */
function truthOf({ message_id: id }: ReadMessage): {
  readonly conversation: string;
  readonly message: string;
  readonly person: number;
  readonly kind: string;
} {
  const [conversation, message, person, kind] = id.split("@")[0]!.split(".");
  return {
    conversation: conversation!,
    message: `${conversation}.${message}`,
    person: Number(person!.slice(1)),
    kind: kind!,
  };
}

function scoresOf(
  messages: readonly ReadMessage[],
  contacts: readonly Contact[],
  written: number,
): Readonly<Record<string, Score>> {
  const people = invent();
  const firsts = new Map(messages.map((message) => [truthOf(message).message, message]));
  const distinct = [...firsts.values()];
  const threads = pairScores(distinct.map((message) => [message.thread_id, truthOf(message).conversation]));
  const personOf = new Map(people.flatMap(({ number, addresses }) => addresses.map((address) => [address, number])));
  const contactOf = new Map(
    contacts.flatMap(({ email, aliases }) => [email, ...aliases].map((address) => [address.toLowerCase(), email])),
  );
  const used = [...personOf.keys()].filter((address) => contactOf.has(address));
  const merged = pairScores(used.map((address) => [contactOf.get(address)!, String(personOf.get(address))]));
  const listed = distinct.filter((message) => truthOf(message).kind === "list");
  const short = distinct.filter((message) => truthOf(message).kind === "short");
  const languageOf = (message: ReadMessage): string => people[truthOf(message).person]!.language;
  return {
    "messages kept once": [written, messages.length],
    "pairs of one thread that belong together": threads.precise,
    "pairs of one conversation found in one thread": threads.recalled,
    "list mail whose author is its writer": [
      listed.filter((message) => personOf.get(message.from?.email ?? "") === truthOf(message).person).length,
      listed.length,
    ],
    "pairs of addresses of one contact that are one person": merged.precise,
    "pairs of addresses of one person that are one contact": merged.recalled,
    "short messages with a language, detected or inferred": [
      short.filter(({ language, language_inferred }) => (language ?? language_inferred ?? null) !== null).length,
      short.length,
    ],
    "of these, the right one": [
      short.filter((message) => (message.language ?? message.language_inferred) === languageOf(message)).length,
      short.filter(({ language, language_inferred }) => (language ?? language_inferred ?? null) !== null).length,
    ],
  };
}

/** Pairs that are together in the result and in truth, of those together in either. */
function pairScores(items: readonly (readonly [found: string, truth: string])[]): {
  readonly precise: Score;
  readonly recalled: Score;
} {
  const pairs = (keys: readonly string[]): number => {
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return [...counts.values()].reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
  };
  const both = pairs(items.map(([found, truth]) => `${found} ${truth}`));
  return {
    precise: [both, pairs(items.map(([found]) => found))],
    recalled: [both, pairs(items.map(([, truth]) => truth))],
  };
}
