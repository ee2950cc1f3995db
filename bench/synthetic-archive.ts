import { seededRandom } from "../src/columns/seeded-random.ts";
import type { MailSink } from "./mail-sink.ts";

/** Parameters of a generated archive of any size. */
export interface SyntheticShape {
  readonly messages: number;
  readonly people: number;
  /** Distinct words, drawn by Zipf's law. */
  readonly vocabulary: number;
  /** Words of an average body; sizes are log-normal as in real mail. */
  readonly meanWords: number;
  readonly seed: number;
}

export const DEFAULT_SHAPE: SyntheticShape = {
  messages: 50_000,
  people: 2_000,
  vocabulary: 60_000,
  meanWords: 320,
  seed: 1,
};

const SYLLABLES =
  "ba be bi bo bu ca ce co da de di do fa fe fi ga go ha he hi ja ka ke ki la le li lo ma me mi mo na ne ni no pa pe po ra re ri ro sa se si so ta te ti to va ve vi wa wo ya yo za".split(
    " ",
  );
const START = Date.UTC(2001, 0, 1);
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;
/** Share of messages that reply to an earlier one. */
const REPLIES = 0.55;
/** Earlier messages that can still get replies. */
const OPEN_MESSAGES = 500;

interface Sent {
  readonly id: string;
  readonly subject: string;
  readonly from: number;
}

/**
 * Writes a synthetic archive: Zipf words, realistic headers, reply chains with quotes, some HTML and attachments.
 * Deterministic.
 */
export function writeSyntheticArchive(shape: SyntheticShape, sink: MailSink): void {
  const random = seededRandom(shape.seed);
  const words = Array.from({ length: shape.vocabulary }, () => word(random));
  const draw = zipf(shape.vocabulary, random);
  const open: Sent[] = [];
  for (let number = 1; number <= shape.messages; number++) {
    const parent = open.length > 0 && random() < REPLIES ? open[Math.floor(random() * open.length)] : undefined;
    const from = Math.floor(random() ** 2 * shape.people);
    const to = parent === undefined ? Math.floor(random() * shape.people) : parent.from;
    const subject =
      parent === undefined
        ? phrase(words, draw, 3 + Math.floor(random() * 4))
        : `Re: ${parent.subject.replace(/^Re: /, "")}`;
    const id = `${number}.${Math.floor(random() * 1e9)}@mail.bench.example`;
    const at = START + Math.floor((number / shape.messages) * 3 * YEAR_MS);
    const length = Math.max(5, Math.round(shape.meanWords * Math.exp(gauss(random) - 0.5)));
    const body =
      wrap(phrase(words, draw, length)) +
      (parent === undefined
        ? ""
        : `\n\n-----Original Message-----\n> ${wrap(phrase(words, draw, 40)).replaceAll("\n", "\n> ")}`);
    sink.add(
      `person-${from % 20}/${parent === undefined ? "inbox" : "sent"}`,
      Buffer.from(
        message({
          id,
          subject,
          from,
          to,
          at,
          body,
          parent,
          html: random() < 0.2,
          attachment: random() < 0.08 ? random : null,
        }),
      ),
    );
    open[number % OPEN_MESSAGES] = { id, subject, from };
  }
  sink.close();
}

interface Draft {
  readonly id: string;
  readonly subject: string;
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly body: string;
  readonly parent: Sent | undefined;
  readonly html: boolean;
  readonly attachment: (() => number) | null;
}

function message(draft: Draft): string {
  const head = [
    `Message-ID: <${draft.id}>`,
    `Date: ${new Date(draft.at).toUTCString().replace("GMT", "+0000")}`,
    `From: ${person(draft.from)}`,
    `To: ${person(draft.to)}`,
    `Subject: ${draft.subject}`,
    ...(draft.parent === undefined ? [] : [`In-Reply-To: <${draft.parent.id}>`, `References: <${draft.parent.id}>`]),
    "MIME-Version: 1.0",
  ];
  if (!draft.html && draft.attachment === null)
    return `${head.join("\n")}\nContent-Type: text/plain; charset=us-ascii\n\n${draft.body}\n`;
  const parts = [`Content-Type: text/plain; charset=utf-8\n\n${draft.body}\n`];
  if (draft.html)
    parts.push(
      `Content-Type: text/html; charset=utf-8\n\n<html><body><p>${draft.body.replaceAll("\n", "<br>\n")}</p></body></html>\n`,
    );
  const random = draft.attachment;
  if (random !== null) {
    const bytes = Buffer.from(
      Array.from({ length: 2_000 + Math.floor(random() * 20_000) }, () => Math.floor(random() * 256)),
    );
    const lines = bytes.toString("base64").replaceAll(/(.{76})/g, "$1\n");
    parts.push(
      `Content-Type: application/octet-stream; name="data.bin"\nContent-Disposition: attachment; filename="data.bin"\nContent-Transfer-Encoding: base64\n\n${lines}\n`,
    );
  }
  return `${head.join("\n")}\nContent-Type: multipart/mixed; boundary="=_b"\n\n${parts.map((part) => `--=_b\n${part}`).join("\n")}\n--=_b--\n`;
}

function person(number: number): string {
  const syllable = (shift: number): string => SYLLABLES[(number >> shift) % SYLLABLES.length]!;
  const name = `${syllable(0)}${syllable(3)}n ${syllable(2)}${syllable(5)}ra`;
  return `${name.replaceAll(/\b./g, (letter) => letter.toUpperCase())} <p${number}@${number % 7 === 0 ? "partner" : "company"}.example>`;
}

function word(random: () => number): string {
  return Array.from(
    { length: 2 + Math.floor(random() * 3) },
    () => SYLLABLES[Math.floor(random() * SYLLABLES.length)],
  ).join("");
}

/** Draws ranks with probability about 1/rank: the inverse of the harmonic sum. */
function zipf(size: number, random: () => number): () => number {
  const total = Math.log(size + 1);
  return () => Math.min(size - 1, Math.floor(Math.exp(random() * total)) - 1);
}

function phrase(words: readonly string[], draw: () => number, length: number): string {
  return Array.from({ length }, () => words[draw()]).join(" ");
}

function wrap(text: string): string {
  return text.replaceAll(/(.{60,76}) /g, "$1\n");
}

function gauss(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
