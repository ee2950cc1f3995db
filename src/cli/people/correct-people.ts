import type { Correction } from "../../contacts/corrections/correction.ts";
import type { CorrectionEntry } from "../../contacts/corrections/file-entries.ts";
import { parseCorrections } from "../../contacts/corrections/people-file.ts";
import { ArchiveError } from "../../errors.ts";
import type { Archive } from "../../mail/archive.ts";
import type { FileLocation } from "../../store/contract/archive-location.ts";
import type { CorrectionsFile } from "../../store/contract/correction-store.ts";
import { optimizeThriftily } from "../../v8-flags.ts";
import { applyCorrections, isOutputDirectory } from "../extracting/apply-corrections.ts";
import { locateSource } from "../extracting/open-archive.ts";
import type { Session } from "../terminal/session.ts";

/** Corrections that a command adds, dated today. */
type AddedCorrections = Omit<CorrectionEntry, "date">;

/** The address of an argument: itself, or the main address of a contact id. Throws NOT_FOUND. */
export async function contactAddress(archive: Archive, word: string): Promise<string> {
  if (/^contact-\d+$/.test(word)) {
    const contact = await archive.contacts.get(word);
    if (contact?.email) return contact.email;
  } else {
    const [contact] = await archive.contacts.ofAddresses([word]);
    if (contact) return word.trim();
  }
  throw new ArchiveError("NOT_FOUND", `${word} is not a contact of this archive`, {
    hint: "find people with: archivetool show <source> <id>, or in contacts.csv",
  });
}

/** Writes or undoes corrections in the file next to an archive, and applies them. Returns what was undone. */
export async function correctArchive(
  { source, file }: CorrectedFile,
  session: Session,
  change: AddedCorrections | "undo",
): Promise<string | null> {
  const location = await correctable(source, session);
  const { fileCorrections } = await import("../../store/notebook/corrections-file.ts");
  const store = fileCorrections(location, file);
  if (change === "undo") {
    const undone = await store.undo();
    if (undone !== null) await followCorrections(source, session);
    return undone;
  }
  await store.add({ ...change, date: new Date().toISOString().slice(0, "YYYY-MM-DD".length) });
  await followCorrections(source, session);
  return null;
}

/** Undoes the last corrections of a file and prints them. */
export async function undo(corrected: CorrectedFile, session: Session): Promise<void> {
  const undone = await correctArchive(corrected, session, "undo");
  session.print(undone === null ? "Nothing to undo" : `Undone: ${undone}`);
}

/** A corrections file and its archive. */
interface CorrectedFile {
  readonly source: string;
  readonly file: CorrectionsFile;
}

/** The corrections of people next to an archive. */
export async function loadCorrections(source: string, session: Session): Promise<readonly Correction[]> {
  const { fileCorrections, PEOPLE_FILE } = await import("../../store/notebook/corrections-file.ts");
  const text = await fileCorrections(await correctable(source, session), PEOPLE_FILE).text();
  return parseCorrections(text, PEOPLE_FILE);
}

/** Makes an archive follow its corrections, and prints what it contains then. No mail is read. */
export async function followCorrections(source: string, session: Session): Promise<void> {
  const location = await correctable(source, session);
  optimizeThriftily(true);
  const report = await applyCorrections(location, session.signal, (text) => session.log.warning(text));
  if (report.isUnchanged) session.print("Nothing to correct: people.txt and topics.txt are already applied");
  else session.print(`Contacts: ${report.statistics.totalContacts}, topics: ${report.statistics.totalTopics}`);
}

/** Requires an archive in an output directory: only that can be rewritten with all files next to it. */
async function correctable(source: string, session: Session): Promise<FileLocation> {
  const location = await locateSource(source, session);
  if (!isOutputDirectory(location))
    throw new ArchiveError("INVALID_ARGUMENT", `${source} is not an output directory`, {
      hint: "specify an output directory of archivetool extract",
    });
  return location;
}

/** A name that fits in a line of a file of corrections. Throws INVALID_ARGUMENT. */
export function validateName(name: string): string {
  const shown = name.trim().replaceAll(/\s+/g, " ");
  if (shown === "" || /^[#!@-]|[<>]/.test(shown))
    throw new ArchiveError(
      "INVALID_ARGUMENT",
      `${JSON.stringify(name)} cannot be a name: it is empty, begins with # ! @ or -, or contains < or >`,
    );
  return shown;
}
