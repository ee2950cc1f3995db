import { seededRandom } from "../src/columns/seeded-random.ts";
import { openSource } from "../src/sources/formats/detect-format.ts";
import { readUnit } from "../src/sources/work-units.ts";
import type { MailSink } from "./mail-sink.ts";

/** Days between the dates of successive copies. */
const SHIFT_DAYS = 37;
/** Share of the words of a copy that are replaced by others of the archive. */
const EXCHANGED_WORDS = 0.08;
/** Words remembered for replacements. */
const VOCABULARY = 50_000;
/** Number of copies that share addresses: contacts grow more slowly than the archive. */
const COPIES_A_COMPANY = 2;
const SEED = 20_011_021;

/**
 * Multiplies an archive: each copy has new Message-IDs and references, shifted dates, addresses of another company
 * and some replaced words, so that no copy is a duplicate and vocabulary, contacts and threads grow realistically.
 */
export async function growArchive(paths: readonly string[], factor: number, sink: MailSink): Promise<number> {
  const random = seededRandom(SEED);
  const vocabulary: string[] = [];
  let written = 0;
  for (const path of paths) {
    const source = await openSource(path, { password: null, skipProtected: true });
    for (const unit of source.units()) {
      for (const item of await readUnit(unit)) {
        if (item.kind !== "rfc5322") continue;
        const message = item.bytes.toString("latin1");
        remember(message, vocabulary, random);
        for (let copy = 0; copy < factor; copy++) {
          sink.add(
            `${item.mailbox}${copy === 0 ? "" : `-${copy}`}`,
            copy === 0 ? item.bytes : Buffer.from(varied(message, copy, vocabulary, random), "latin1"),
          );
          written++;
        }
      }
    }
  }
  sink.close();
  return written;
}

function remember(message: string, vocabulary: string[], random: () => number): void {
  const words = message.slice(0, 4_000).match(/[a-z]{4,12}/g) ?? [];
  for (const word of words.slice(0, 40)) {
    if (vocabulary.length < VOCABULARY) vocabulary.push(word);
    else if (random() < 0.05) vocabulary[Math.floor(random() * VOCABULARY)] = word;
  }
}

function varied(message: string, copy: number, vocabulary: readonly string[], random: () => number): string {
  const end = message.search(/\r?\n\r?\n/);
  const header = end < 0 ? message : message.slice(0, end);
  const body = end < 0 ? "" : message.slice(end);
  return variedHeader(header, copy) + variedBody(body, vocabulary, random);
}

function variedHeader(header: string, copy: number): string {
  const company = Math.floor(copy / COPIES_A_COMPANY);
  return header
    .split("\n")
    .map((line) => {
      if (/^(message-id|in-reply-to|references):/i.test(line)) return line.replaceAll("@", `.c${copy}@`);
      if (/^date:/i.test(line)) return shiftedDate(line, copy);
      if (company > 0 && /^(from|to|cc|bcc|sender|reply-to):|^[ \t]/i.test(line))
        return line.replaceAll(/@([a-z0-9-]+)\.(com|net|org)\b/gi, `@$1-${company}.$2`);
      return line;
    })
    .join("\n");
}

function shiftedDate(line: string, copy: number): string {
  const at = Date.parse(line.slice(5).replace(/\(.*\)/, ""));
  if (Number.isNaN(at)) return line;
  return `Date: ${new Date(at + copy * SHIFT_DAYS * 86_400_000).toUTCString().replace("GMT", "+0000")}`;
}

function variedBody(body: string, vocabulary: readonly string[], random: () => number): string {
  // Encoded bodies (base64) have long runs without blanks; only plain words are replaced.
  return body.replaceAll(/\b[a-z]{4,12}\b/g, (word) =>
    random() < EXCHANGED_WORDS ? vocabulary[Math.floor(random() * vocabulary.length)]! : word,
  );
}
