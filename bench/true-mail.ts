import { type Random, seededRandom } from "../src/columns/seeded-random.ts";
import type { MailSink } from "./mail-sink.ts";

/**
 * Generated mail of fictional people with known answers: authors, addresses, replies and duplicates. The truth is in
 * the local part of each Message-ID, which the program does not interpret:
 * `c<conversation>.m<message>.p<person>.<kind>.<copy>`.
 */

/** People of two companies, who write in English or German. */
const PEOPLE = 60;
const CONVERSATIONS = 700;
const MAX_TURNS = 6;
const MINUTE_MS = 60_000;
const START = Date.UTC(2003, 0, 6, 8);
const LIST = "moor-talk@lists.example";

const GIVEN =
  "Ada Bela Carl Dora Emil Frida Gert Hanna Igor Jule Karl Lotte Milo Nora Otto Petra Quin Rosa Sven Thea".split(" ");
const FAMILY =
  "Almgren Birke Cordes Dahlhaus Engström Fenner Gronau Hellwig Imhof Jessen Kramm Lindau Mertens Nolte Oberg".split(
    " ",
  );
const WORDS = {
  en: "the crane at quay was late and we need that barge before noon because pilot has no berth for it with cargo from harbour when tide is high but rope chain hawser fender ballast anchor manifest customs tonnage invoice charter".split(
    " ",
  ),
  de: "der kran am kai ist zu spät und wir brauchen das schiff vor mittag weil die lotsen keinen platz für uns haben wenn flut kommt aber nicht mit ladung aus dem hafen tau kette anker zoll rechnung fracht".split(
    " ",
  ),
} as const;
const SHORT = { en: ["Ok, fine", "Noon?", "Done"], de: ["Passt", "Mittag?", "Erledigt"] } as const;

type Language = keyof typeof WORDS;

export interface Person {
  readonly number: number;
  readonly name: string;
  readonly language: Language;
  /** The main address first; all of them send and receive mail. */
  readonly addresses: readonly string[];
}

interface Turn {
  readonly id: string;
  readonly from: Person;
  readonly address: string;
  readonly to: Person;
  readonly subject: string;
  readonly sentAt: number;
  readonly text: string;
}

function ascii(text: string): string {
  return text.toLowerCase().replaceAll("ö", "o");
}

/** Each has two company addresses of different form, and a third of them one of a former company. */
export function invent(): readonly Person[] {
  return Array.from({ length: PEOPLE }, (_, number) => {
    const given = GIVEN[number % GIVEN.length]!;
    const family = FAMILY[(number * 7 + Math.floor(number / GIVEN.length)) % FAMILY.length]!;
    const company = number % 2 === 0 ? "kai.example" : "werft.example";
    const [first, last] = [ascii(given), ascii(family)];
    const former = number % 3 === 0 ? [`${first}.${last}@reederei.example`] : [];
    const addresses = [`${first}.${last}@${company}`, `${first.charAt(0)}${last}@mail.${company}`, ...former];
    return { number, name: `${given} ${family}`, language: number % 4 === 0 ? "de" : "en", addresses };
  });
}

/** Writes everything to mailboxes of its owners; returns the number of messages without duplicates. */
export function writeTrueMail(sink: MailSink, seed: number): number {
  const random = seededRandom(seed);
  const people = invent();
  let messages = 0;
  for (let conversation = 0; conversation < CONVERSATIONS; conversation++) {
    messages += writeConversation(sink, { people, conversation, random });
  }
  sink.close();
  return messages;
}

interface Scene {
  readonly people: readonly Person[];
  readonly conversation: number;
  readonly random: Random;
}

/** A conversation whose replies refer by References, by a quoted header, or only by subject. */
function writeConversation(sink: MailSink, { people, conversation, random }: Scene): number {
  const draw = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const [one, two] = [draw(people), draw(people)];
  const isOnList = conversation % 7 === 0;
  const turns = 1 + Math.floor(random() * MAX_TURNS);
  const link = draw(["references", "quotation", "subject"] as const);
  const topic = sentence("en", 3, random);
  let before: Turn | null = null;
  for (let turn = 0; turn < turns; turn++) {
    const from = turn % 2 === 0 ? one : two;
    const isShort = turn > 0 && random() < 0.3;
    const text = isShort ? draw(SHORT[from.language]) : prose(from.language, random);
    const sentAt =
      (before?.sentAt ?? START + conversation * 97 * MINUTE_MS) + MINUTE_MS * (20 + Math.floor(random() * 900));
    const kind = isOnList ? "list" : isShort ? "short" : "long";
    const id = `c${conversation}.m${turn}.p${from.number}.${kind}`;
    // With a changed subject, only the quoted header remains.
    const isRenamed = link === "quotation" && turn > 0 && random() < 0.5;
    const subject = turn === 0 ? topic : isRenamed ? sentence("en", 3, random) : `Re: ${topic}`;
    const own: Turn = {
      id,
      from,
      address: draw(from.addresses),
      to: turn % 2 === 0 ? two : one,
      subject,
      sentAt,
      text,
    };
    writeTurn(sink, own, { before, link, isOnList, copies: random() < 0.4 ? 2 : 1 });
    before = own;
  }
  return turns;
}

interface Writing {
  readonly before: Turn | null;
  readonly link: "references" | "quotation" | "subject";
  readonly isOnList: boolean;
  readonly copies: number;
}

/** Duplicates are in further folders with their own ids, as in exports of several folders. */
function writeTurn(sink: MailSink, turn: Turn, { before, link, isOnList, copies }: Writing): void {
  const { from, to, address } = turn;
  const sender = isOnList ? `${from.name} via Moor Talk <${LIST}>` : `${from.name} <${address}>`;
  const quoted = before === null || link !== "quotation" ? "" : `\n\n${quotation(before)}`;
  const head = [
    `From: ${encoded(sender)}`,
    `To: ${isOnList ? LIST : `${encoded(to.name)} <${to.addresses[turn.sentAt % to.addresses.length]!}>`}`,
    ...(isOnList ? [`Reply-To: ${encoded(from.name)} <${from.addresses[0]!}>`, `List-Post: <mailto:${LIST}>`] : []),
    `Subject: ${turn.subject}`,
    `Date: ${new Date(turn.sentAt).toUTCString().replace("GMT", "+0000")}`,
    ...(before === null || link !== "references" ? [] : [`References: <${before.id}.0@truth.example>`]),
    "Content-Type: text/plain; charset=utf-8",
  ].join("\r\n");
  for (let copy = 0; copy < copies; copy++) {
    const message = `Message-ID: <${turn.id}.${copy}@truth.example>\r\n${head}\r\n\r\n${signed(turn)}${quoted}\n`;
    sink.add(copy === 0 ? `p${to.number}/Inbox` : `p${to.number}/Kept`, Buffer.from(message));
  }
}

function signed({ from, text }: Turn): string {
  const office = from.number % 2 === 0 ? "Harbour Office" : "Dock Services";
  return `${text}\n\n${from.name}\n${office}\n555-01${String(from.number).padStart(2, "0")}`;
}

function quotation(turn: Turn): string {
  const { from, subject, sentAt, to } = turn;
  const sent = new Date(sentAt).toLocaleString("en-US", { dateStyle: "full", timeStyle: "short", timeZone: "UTC" });
  return `-----Original Message-----\nFrom: ${from.name}\nSent: ${sent.replace(" at ", " ").replaceAll("\u202f", " ")}\nTo: ${to.name}\nSubject: ${subject}\n\n${signed(turn)}`;
}

/** RFC 2047, for the only family name that needs it. */
function encoded(text: string): string {
  const [, name, rest] = /^([^<]*?)( <.*)?$/.exec(text)!;
  return /^[\x00-\x7f]*$/.test(text) ? text : `=?utf-8?b?${Buffer.from(name!).toString("base64")}?=${rest ?? ""}`;
}

function sentence(language: Language, words: number, random: Random): string {
  const own = WORDS[language];
  return Array.from({ length: words }, () => own[Math.floor(random() * own.length)]!).join(" ");
}

function prose(language: Language, random: Random): string {
  return Array.from({ length: 2 + Math.floor(random() * 4) }, () => `${sentence(language, 12, random)}.`).join("\n");
}
