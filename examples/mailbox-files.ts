import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ExampleCompany, ExampleMessage, Filing } from "./company/company.ts";
import { asctime } from "./company/dates.ts";
import type { Owner } from "./company/people.ts";

/** The three sources, relative to the directory they are written to. Together they are the company's mail. */
export const SOURCES: Readonly<Record<Owner, string>> = {
  greta: "greta-halvorsen.mbox",
  tomas: "tomas-reyes",
  office: "office-export",
};

interface Filed {
  readonly message: ExampleMessage;
  readonly filing: Filing;
}

/** Writes an MBOX, a Maildir and a directory of .eml files, and returns their paths. */
export function writeSources(company: ExampleCompany, directory: string): readonly string[] {
  writeMbox(join(directory, SOURCES.greta), filedBy(company, "greta"));
  writeMaildir(join(directory, SOURCES.tomas), filedBy(company, "tomas"));
  writeEmlDirectory(join(directory, SOURCES.office), filedBy(company, "office"));
  return Object.values(SOURCES).map((name) => join(directory, name));
}

function filedBy(company: ExampleCompany, owner: Owner): Filed[] {
  return company.messages.flatMap((message) =>
    message.filings.filter((filing) => filing.owner === owner).map((filing) => ({ message, filing })),
  );
}

/** mboxrd with LF line ends and Status fields, as a Unix mail program keeps it. */
function writeMbox(path: string, filed: readonly Filed[]): void {
  const pieces = filed.map(({ message, filing }) => {
    const status = `Status: RO\n${filing.isAnswered ? "X-Status: A\n" : ""}`;
    const text = message.raw.toString("latin1").replaceAll("\r\n", "\n");
    const quoted = text.replace(/^(>*From )/gm, ">$1");
    return `From ${message.from.includes("@") ? message.from : "MAILER-DAEMON"} ${asctime(message.sentAt)}\n${status}${quoted}\n`;
  });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, Buffer.from(pieces.join(""), "latin1"));
}

/** Maildir++ with LF line ends; a folder name that is not ASCII would be modified UTF-7, an `&` is `&-`. */
function writeMaildir(root: string, filed: readonly Filed[]): void {
  const separator = process.platform === "win32" ? ";" : ":";
  const folders = [
    "",
    ...new Set(filed.map(({ filing }) => maildirFolder(filing.folder)).filter((folder) => folder !== "")),
  ];
  for (const folder of folders)
    for (const part of ["cur", "new", "tmp"]) mkdirSync(join(root, folder, part), { recursive: true });
  for (const [index, { message, filing }] of filed.entries()) {
    const flags = `${filing.isAnswered ? "R" : ""}S`;
    const name = `${Math.floor(message.sentAt / 1000)}.M${index}P1.mail.halvorsen-pike.example${separator}2,${flags}`;
    const text = message.raw.toString("latin1").replaceAll("\r\n", "\n");
    writeFileSync(join(root, maildirFolder(filing.folder), "cur", name), Buffer.from(text, "latin1"));
  }
}

function maildirFolder(folder: string): string {
  return folder === "Inbox" ? "" : `.${folder.replaceAll("&", "&-").replaceAll("/", ".")}`;
}

function writeEmlDirectory(root: string, filed: readonly Filed[]): void {
  for (const [index, { message, filing }] of filed.entries()) {
    const path = join(root, filing.folder, `${String(index + 1).padStart(4, "0")}.eml`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, message.raw);
  }
}
