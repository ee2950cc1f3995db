import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Message } from "../src/mail/records/message.ts";
import { parseMessage } from "../src/mime/parse-message.ts";
import { decapsulateAddress } from "../src/mime/syntax/encapsulated-address.ts";
import { pst } from "../src/sources/pst/pst.ts";
import type { SourceItem } from "../src/sources/reading/source.ts";
import { readUnit } from "../src/sources/work-units.ts";
import { keptItems } from "../test/kept-items.ts";
import { fuzzStore } from "../test/pst-writer/sample-store.ts";
import { field, filesBelow, ItemComparison, type Outcome, squeeze } from "./pst-oracle-items.ts";
import { emptyWorkDirectory } from "./work-directory.ts";

/** Compared fields of a message; null if a program does not print them. */
interface Compared {
  readonly subject: string;
  readonly sender: string | null;
  /** Seconds since 1970. */
  readonly date: number | null;
  readonly recipients: string | null;
  readonly body: string | null;
  readonly attachments: string;
}

const FIELDS = ["subject", "sender", "date", "recipients", "body", "attachments"] as const;
type Tally = Record<(typeof FIELDS)[number], Record<Outcome, number>>;

/** The password of the two protected stores of the collection. */
const PASSWORD = "test";
const MAILS = 60;
const md5 = (bytes: Uint8Array): string => createHash("md5").update(bytes).digest("hex");

/**
 * Compares every message of the stores in a directory, and of generated ones, with the output of readpst and
 * pffexport.
 */
export async function benchOracle(stores: string, directory: string): Promise<void> {
  emptyWorkDirectory(directory);
  const real = readdirSync(stores).filter((name) => /\.(pst|ost)$/.test(name));
  const made = (["ansi", "unicode", "unicode-4k"] as const).map((layout) => {
    const path = join(directory, `${layout}.pst`);
    writeFileSync(path, fuzzStore({ layout, encoding: "permute" }, MAILS));
    return path;
  });
  const sets = [
    { name: `${real.length} real stores`, paths: real.map((name) => join(stores, name)) },
    { name: `${made.length} made-up stores`, paths: made },
  ];
  console.log("| Stores | Compared with | Messages | Field | Equal | Differs | Not comparable |");
  console.log("|---|---|---|---|---|---|---|");
  for (const set of sets) {
    await compareSet(set, "readpst", (path) => readpst(path, directory));
    await compareSet(set, "pffexport", (path) => pffexport(path, directory));
  }
  await compareItems(sets[0]!.name, sets[0]!.paths, directory);
}

/** The same for appointments and contacts, which generated stores lack. */
async function compareItems(name: string, paths: readonly string[], directory: string): Promise<void> {
  for (const [peer, write] of [
    ["readpst", writeReadpst],
    ["pffexport", writePffexport],
  ] as const) {
    const comparison = new ItemComparison(peer);
    for (const path of paths) {
      const opened = await pst.open(path, { password: PASSWORD, skipProtected: false });
      const items: SourceItem[] = [];
      for (const unit of opened.units()) items.push(...keptItems(await readUnit(unit)));
      comparison.add(items, write(path, directory));
    }
    comparison.print(name);
  }
}

async function compareSet(
  set: { readonly name: string; readonly paths: readonly string[] },
  peer: string,
  read: (path: string) => readonly Compared[],
): Promise<void> {
  const tally = Object.fromEntries(
    FIELDS.map((field) => [field, { equal: 0, differs: 0, "not comparable": 0 }]),
  ) as Tally;
  let messages = 0;
  for (const path of set.paths) {
    const ours = await readOurs(path);
    for (const theirs of read(path)) {
      messages++;
      const found = nearest(ours, theirs);
      for (const field of FIELDS) {
        const outcome =
          theirs[field] === null
            ? "not comparable"
            : found !== null && found[field] === theirs[field]
              ? "equal"
              : "differs";
        tally[field][outcome]++;
        if (outcome === "differs")
          console.error(
            `${peer} ${basename(path)} ${theirs.subject}: ${field} ${found?.[field]} | ${theirs[field]}`.slice(0, 300),
          );
      }
    }
  }
  for (const field of FIELDS)
    console.log(`| ${set.name} | ${peer} | ${messages} | ${field} | ${Object.values(tally[field]).join(" | ")} |`);
}

async function readOurs(path: string): Promise<readonly Compared[]> {
  const opened = await pst.open(path, { password: PASSWORD, skipProtected: false });
  const messages: Message[] = [];
  for (const unit of opened.units()) {
    for (const item of keptItems(await readUnit(unit))) if (item.kind === "object") messages.push(item.message);
  }
  // pffexport treats attached messages as messages.
  for (let at = 0; at < messages.length; at++) {
    for (const part of messages[at]!.attachments)
      if (part.mediaType === "message/rfc822") messages.push(parseMessage(Buffer.from(part.bytes())));
  }
  return messages.map((message) => compared(message));
}

/** Parts generated by readpst: the RTF body and its own rendering of a meeting. */
const MADE_BY_READPST = /^(rtf-body\.rtf|i\d+\.ics)$/;

function compared(message: Message): Compared {
  const { envelope } = message;
  const address = envelope.from === null ? "" : decapsulateAddress(envelope.from).email.toLowerCase();
  const recipients = [...envelope.to, ...envelope.cc].map((each) => decapsulateAddress(each).email.toLowerCase());
  const parts = message.attachments.filter(
    (part) => part.mediaType !== "message/rfc822" && !MADE_BY_READPST.test(part.filename),
  );
  return {
    subject: squeeze(envelope.subject),
    sender: address,
    date: envelope.sentAt === null ? null : Math.floor(envelope.sentAt / 1000),
    recipients: recipients.sort().join(" "),
    body: squeeze(message.textBody ?? ""),
    attachments: parts
      .map((part) => md5(part.bytes()))
      .sort()
      .join(" "),
  };
}

function writeReadpst(path: string, directory: string): string {
  const output = join(directory, "readpst");
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output);
  spawnSync("readpst", ["-j", "0", "-e", "-o", output, path], { stdio: "ignore", timeout: 60_000 });
  return output;
}

function writePffexport(path: string, directory: string): string {
  const output = join(directory, "pff");
  rmSync(`${output}.export`, { recursive: true, force: true });
  spawnSync("pffexport", ["-q", "-f", "all", "-t", output, path], { stdio: "ignore", timeout: 60_000 });
  // It omits parts that it cannot open.
  mkdirSync(`${output}.export`, { recursive: true });
  return `${output}.export`;
}

function readpst(path: string, directory: string): readonly Compared[] {
  return filesBelow(writeReadpst(path, directory))
    .filter((file) => file.endsWith(".eml"))
    .map((file) => compared(parseMessage(readFileSync(file))))
    .map((message) => ({
      ...message,
      // Its placeholder for a missing sender, and bodies in RTF or HTML.
      sender: message.sender === "" || message.sender === "mailer-daemon" ? null : message.sender,
      body: message.body === "" ? null : message.body,
      recipients: message.recipients === "" ? null : message.recipients,
    }));
}

function pffexport(path: string, directory: string): readonly Compared[] {
  const files = filesBelow(writePffexport(path, directory));
  return files
    .filter((file) => basename(file) === "OutlookHeaders.txt" && /^Message\d+$/.test(basename(dirname(file))))
    .map((file) => exported(file, files));
}

/** A folder written by pffexport: headers, recipients, text and attachments. */
function exported(file: string, files: readonly string[]): Compared {
  const folder = dirname(file);
  const headers = readFileSync(file, "utf8");
  const beside = (name: string): string | null =>
    files.includes(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : null;
  const hasTransportHeaders = beside("InternetHeaders.txt") !== null;
  const people = (beside("Recipients.txt") ?? "")
    .split(/\n\s*\n/)
    .filter((person) => /Recipient type:\s*(To|CC)/.test(person));
  const emails = people.map((person) => field(person, "Email address") ?? "");
  const sender = field(headers, "Sent representing email address") ?? field(headers, "Sender email address");
  const submitted = field(headers, "Client submit time");
  const attached = files.filter(
    (other) => other.startsWith(join(folder, "Attachments/")) && dirname(other) === join(folder, "Attachments"),
  );
  const body = beside("Message.txt");
  return {
    subject: field(headers, "Subject") ?? "",
    // It prints addresses as stored: X.500 names do not contain an SMTP address.
    sender:
      sender === null || !isSmtp(sender) ? null : decapsulateAddress({ name: "", email: sender }).email.toLowerCase(),
    // Transmitted messages are dated by their header; it prints a property of the store.
    date:
      submitted === null || hasTransportHeaders ? null : Math.floor(Date.parse(submitted.replace(/\.\d+/, "")) / 1000),
    recipients:
      emails.length > 0 && emails.every(isSmtp)
        ? emails
            .map((email) => email.toLowerCase())
            .sort()
            .join(" ")
        : null,
    body: body === null ? null : squeeze(body),
    attachments: attached
      .filter((other) => /^\d+_/.test(basename(other)))
      .map((other) => md5(readFileSync(other)))
      .sort()
      .join(" "),
  };
}

function isSmtp(email: string): boolean {
  return email.includes("@") && !email.startsWith("/");
}

/** The message with that subject; of several, the most similar one. */
function nearest(ours: readonly Compared[], theirs: Compared): Compared | null {
  const alike = (message: Compared): number => FIELDS.filter((field) => message[field] === theirs[field]).length;
  const same = ours.filter(({ subject }) => subject === theirs.subject);
  return same.sort((a, b) => alike(b) - alike(a))[0] ?? null;
}
