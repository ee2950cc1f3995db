import { ArchiveError } from "../../errors.ts";
import type { Correction } from "./correction.ts";

/** The first line of a file of corrections. */
export const HEADER = "# archivetool people 1";
/** Longest line that is read; directory names have up to 1,024 characters. */
const MAX_LINE = 4_096;
/** Size limit of a file in bytes: about 100,000 people. */
export const MAX_PEOPLE_BYTES = 16 << 20;

/** A file of corrections, line by line. */
interface ReadLine {
  readonly number: number;
  readonly text: string;
}

/** Reads people.txt, or a .mailmap. Throws INVALID_ARGUMENT, which names the line. @param name of the file */
export function parseCorrections(text: string, name: string): readonly Correction[] {
  const reading = new PeopleReading(name);
  for (const line of linesOf(text)) reading.take(line);
  return reading.end();
}

/** A block that is being read: the name, and the addresses so far. */
interface OpenBlock {
  readonly name: string | null;
  readonly addresses: string[];
  readonly begin: ReadLine;
}

class PeopleReading {
  private readonly read: (Correction | MappedLine)[] = [];
  private block: OpenBlock | null = null;

  constructor(private readonly file: string) {}

  take(line: ReadLine): void {
    const words = line.text.trim();
    if (words.length > MAX_LINE) throw broken(this.file, line, "the line is too long");
    if (words === "" || words.startsWith("#")) return;
    if (/^\s/.test(line.text)) {
      this.block ??= { name: null, addresses: [], begin: line };
      this.block.addresses.push(bareAddress(words));
      return;
    }
    this.endBlock();
    if (words === "--") return;
    if (words.startsWith("!")) this.read.push(apartOf(words, line, this.file));
    else if (words.startsWith("@list")) this.read.push({ kind: "list", address: listOf(words, line, this.file) });
    else if (words.includes("<")) this.read.push(mappedLine(words, line, this.file));
    else this.block = { name: words, addresses: [], begin: line };
  }

  end(): readonly Correction[] {
    this.endBlock();
    return peopleOf(this.read);
  }

  private endBlock(): void {
    if (this.block === null) return;
    const { name, addresses, begin } = this.block;
    if (addresses.length === 0) throw broken(this.file, begin, "a name without an address below it");
    this.read.push({ kind: "person", name, addresses });
    this.block = null;
  }
}

function* linesOf(text: string): Generator<ReadLine> {
  let number = 0;
  for (const line of text.replace(/^\uFEFF/, "").split(/\r?\n/)) yield { number: ++number, text: line };
}

function broken(name: string, { number }: ReadLine, what: string): ArchiveError {
  return new ArchiveError("INVALID_ARGUMENT", `${name}, line ${number}: ${what}`, {
    hint: "docs/explanation/threads-and-contacts.md describes the file",
  });
}

function apartOf(words: string, line: ReadLine, name: string): Correction {
  const sides = words.slice(1).split("<>").map(bareAddress);
  const [one, other] = sides;
  if (sides.length !== 2 || !one || !other)
    throw broken(name, line, "two people are kept apart as `! ADDRESS <> ADDRESS`");
  return { kind: "apart", one, other };
}

function listOf(words: string, line: ReadLine, name: string): string {
  const address = /^@list\s+(?<address>\S.*)$/.exec(words)?.groups?.["address"];
  if (address === undefined) throw broken(name, line, "a list is written as `@list ADDRESS`");
  return bareAddress(address);
}

/** An address, also between angle brackets. */
function bareAddress(text: string): string {
  const words = text.trim();
  return words.startsWith("<") && words.endsWith(">") ? words.slice(1, -1).trim() : words;
}

/** A line of a .mailmap: a person and a second address. */
interface MappedLine {
  readonly kind: "mapped";
  readonly name: string;
  readonly proper: string;
  /** Name in the commits; null if the line only sets the proper address. */
  readonly other: string | null;
}

function mappedLine(words: string, line: ReadLine, name: string): MappedLine {
  const [proper, after, ...more] = words.replace(/\s#.*$/, "").split("<");
  const [address, between] = (after ?? "").split(">");
  const other = more[0]?.split(">")[0]?.trim() ?? null;
  if (!address?.includes("@") || between === undefined || more.length > 1 || other === "")
    throw broken(name, line, "neither a name, an address nor a line of a .mailmap");
  return { kind: "mapped", name: proper!.trim(), proper: address.trim(), other };
}

/**
 * Corrections in the order of the file, with the people of a .mailmap. An address shared by several people (`noreply@`)
 * belongs to nobody.
 */
function peopleOf(read: readonly (Correction | MappedLine)[]): readonly Correction[] {
  const owners = new Map<string, Set<string>>();
  for (const line of read) {
    if (line.kind !== "mapped" || line.other === null) continue;
    const key = line.other.toLowerCase();
    owners.set(key, (owners.get(key) ?? new Set()).add(line.proper.toLowerCase()));
  }
  return read.flatMap((line) => {
    if (line.kind !== "mapped") return [line];
    const { name, proper, other } = line;
    const isShared = other !== null && owners.get(other.toLowerCase())!.size > 1;
    const addresses = other === null || isShared ? [proper] : [proper, other];
    if (name === "" && addresses.length === 1) return [];
    return [{ kind: "person", name: name === "" ? null : name, addresses }];
  });
}

/** Formats a correction as lines of a file. */
export function linesFor(correction: Correction): readonly string[] {
  switch (correction.kind) {
    case "apart":
      return [`! ${correction.one} <> ${correction.other}`];
    case "list":
      return [`@list ${correction.address}`];
    case "person": {
      const { name, addresses } = correction;
      return [...(name === null ? [] : [name]), ...addresses.map((address) => `  ${address}`), "--"];
    }
  }
}

export function formatCorrections(corrections: readonly Correction[]): string {
  return `${[HEADER, ...corrections.flatMap(linesFor)].join("\n")}\n`;
}

/** Names and merges as a .mailmap; other corrections are omitted. */
export function formatMailmap(corrections: readonly Correction[]): string {
  const lines = corrections.flatMap((correction) => {
    if (correction.kind !== "person") return [];
    const [proper, ...others] = correction.addresses;
    const start = `${correction.name ?? ""} <${proper}>`.trimStart();
    if (others.length > 0) return others.map((other) => `${start} <${other}>`);
    return correction.name === null ? [] : [start];
  });
  return lines.map((line) => `${line}\n`).join("");
}
