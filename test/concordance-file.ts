import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";

/** Reads a production like a review platform, using only the conventions of Concordance load files. */

export type LoadRecord = Readonly<Record<string, string>>;

export interface Production {
  readonly directory: string;
  readonly records: readonly LoadRecord[];
}

/** The production in a directory: the records of its only DAT file. */
export function readProduction(directory: string): Production {
  const [name, ...more] = readdirSync(directory).filter((file) => file.toLowerCase().endsWith(".dat"));
  expect(more).toEqual([]);
  return { directory, records: readRecords(join(directory, name!)) };
}

/** Records of a DAT file: a byte order mark, þ around values, DC4 between them, CRLF after each record. */
function readRecords(path: string): readonly LoadRecord[] {
  const text = readFileSync(path, "utf8");
  expect(text.startsWith("\ufeff")).toBe(true);
  expect(text.endsWith("\u00fe\r\n")).toBe(true);
  const [names, ...rows] = text
    .slice(1, -2)
    .split("\r\n")
    .map((line) => line.split("\u0014").map((cell) => /^\u00fe([^\u00fe\r\n]*)\u00fe$/.exec(cell)![1]!));
  expect(new Set(names).size).toBe(names!.length);
  for (const row of rows) expect(row).toHaveLength(names!.length);
  return rows.map((row) => Object.fromEntries(names!.map((name, at) => [name, row[at]!])));
}

/** Lines of a value. */
export const linesOf = (value: string): readonly string[] => (value === "" ? [] : value.split("\u00ae"));

/** Elements of a value with several. */
export const valuesOf = (value: string): readonly string[] => (value === "" ? [] : value.split("; "));

/** Path of a link in a record. */
export const linkedFile = ({ directory }: Production, link: string): string =>
  join(directory, ...link.split("\\").filter((level) => level !== ""));

/** Checks for errors that platforms reject: gaps in numbers, broken families, missing, changed or unlisted files. */
export function expectImportable(
  production: Production,
  first: { readonly prefix: string; readonly start: number },
): void {
  const { directory, records } = production;
  const numbers = records.map((record) => record["BEGDOC"]!);
  expect(numbers).toEqual(records.map((_, at) => first.prefix + String(first.start + at).padStart(8, "0")));
  const placeOf = new Map(numbers.map((number, at) => [number, at]));
  for (const [at, record] of records.entries()) {
    const number = numbers[at]!;
    expect([record["DOCID"], record["ENDDOC"]]).toEqual([number, number]);
    const [begin, end] = [placeOf.get(record["BEGATTACH"]!)!, placeOf.get(record["ENDATTACH"]!)!];
    expect(begin <= at && at <= end, number).toBe(true);
    // Exactly the documents of the range name it: families do not overlap and leave no document out.
    expect([records[begin]!["BEGATTACH"], records[begin]!["PARENTID"]], number).toEqual([numbers[begin], ""]);
    expect(records[end]!["ENDATTACH"], number).toBe(numbers[end]);
    expect(record["BEGATTACH"] === records[begin]!["BEGATTACH"] && record["ENDATTACH"] === numbers[end]).toBe(true);
    const parent = placeOf.get(record["PARENTID"]!);
    if (at === begin) expect([record["PARENTID"], record["RECORDTYPE"]], number).toEqual(["", "message"]);
    else expect(parent !== undefined && begin <= parent && parent < at, number).toBe(true);
    if (parent !== undefined) expect(records[parent]!["RECORDTYPE"], number).not.toBe("attachment");
  }
  for (const [at, record] of records.entries()) {
    const children = records.filter((child) => child["PARENTID"] === numbers[at]);
    expect(record["ATTACHMENTCOUNT"], numbers[at]).toBe(String(children.length));
  }
  expectFiles(production);
  const listed = records
    .flatMap((record) => [record["NATIVELINK"]!, record["TEXTLINK"]!])
    .filter((link) => link !== "");
  expect(new Set(listed).size).toBe(listed.length);
  const there = ["NATIVES", "TEXT"].flatMap((level) =>
    readdirSync(join(directory, level), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
  );
  expect(there).toHaveLength(listed.length);
}

function expectFiles(production: Production): void {
  for (const record of production.records) {
    expect(existsSync(linkedFile(production, record["TEXTLINK"]!)), record["BEGDOC"]).toBe(true);
    if (record["NATIVELINK"] === "") continue;
    const bytes = readFileSync(linkedFile(production, record["NATIVELINK"]!));
    expect(String(bytes.length), record["BEGDOC"]).toBe(record["FILESIZE"]);
    expect(createHash("sha256").update(bytes).digest("hex"), record["BEGDOC"]).toBe(record["SHA256"]);
  }
}
