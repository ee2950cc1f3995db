import { itemCard } from "../../calendar/item-card.ts";
import { CalendarWriter } from "../../calendar/write-calendar.ts";
import { MESSAGE } from "../../document/extraction-records.ts";
import { jsonLine } from "../../document/json-line.ts";
import type { ArchivedMessage, EncodedMessage } from "../../mail/archive.ts";
import { formatInstant } from "../../mail/dates/instant.ts";
import { flagsOfAll } from "../../mail/records/message.ts";
import { TOOL_NAME } from "../../version.ts";
import { BYTE_ORDER_MARK, type CsvValue, csvList } from "../csv/csv-row.ts";
import { type CsvColumn, EMAIL_COLUMNS } from "../csv/csv-tables.ts";
import { type ExportContent, type ExportPlace, listMessage } from "./export-content.ts";
import type { ExportFormatName } from "./export-names.ts";
import type { ExportFile } from "./export-target.ts";
import { GEXF, GRAPHML, type GraphNotation } from "./graph-xml.ts";
import { writeLoadFile } from "./load-file-writer.ts";
import { MailboxPaths } from "./mailbox-path.ts";
import { maildirFolder, maildirName } from "./maildir-name.ts";
import { CsvLines } from "./manifest.ts";
import { writeMboxMessage } from "./mbox-writer.ts";
import { datedName } from "./message-name.ts";
import { HTML_TAIL, htmlHead, htmlMessage, markdownHead, markdownMessage } from "./message-page.ts";
import { writeOpenSearch } from "./opensearch.ts";
import { vcard } from "./vcard.ts";

/** A message with the path of its source. */
interface SourcedMessage {
  readonly message: ArchivedMessage;
  readonly sourcePath: string;
}

const EVIDENCE_COLUMNS: readonly CsvColumn<SourcedMessage>[] = [
  { name: "sha256", value: ({ message }) => message.sha256 },
  { name: "location", value: ({ message }) => message.location },
  { name: "source_path", value: ({ sourcePath }) => sourcePath },
  { name: "labels", value: ({ message }) => csvList(flagsOfAll(message, message.occurrences)) },
  {
    name: "all_mailboxes",
    value: ({ message }) => csvList([...new Set(message.occurrences.map(({ mailbox }) => mailbox))]),
  },
];

const TABLE_HEADER: readonly string[] = [...EMAIL_COLUMNS, ...EVIDENCE_COLUMNS].map(({ name }) => name);

/** Cells of a message: the columns of emails.csv, and its location in the source. */
function tableRow({ message, sourcePath }: SourcedMessage): readonly CsvValue[] {
  const encoded: EncodedMessage = { ...message, body: Buffer.from(message.body), sortedAt: null };
  return [
    ...EMAIL_COLUMNS.map(({ name, value }) => (name === "body" ? message.body : value(encoded))),
    ...EVIDENCE_COLUMNS.map(({ value }) => value({ message, sourcePath })),
  ];
}

export interface ExportFormat {
  /** Description for the help. */
  readonly gives: string;
  /** `file`, `directory`, or `either`: a file if the path has the extension, else a directory. */
  readonly shape: "file" | "directory" | "either";
  readonly extension: string;
  /** True for formats with messages, which a query can select. */
  readonly ofMessages: boolean;
  write(content: ExportContent, place: ExportPlace): Promise<void>;
}

export const FORMATS: Readonly<Record<ExportFormatName, ExportFormat>> = {
  mbox: {
    gives: "MBOX (mboxrd), one file or one file per folder",
    shape: "either",
    extension: ".mbox",
    ofMessages: true,
    write: writeMbox,
  },
  eml: {
    gives: "one file per message, one directory per folder",
    shape: "directory",
    extension: ".eml",
    ofMessages: true,
    write: writeEml,
  },
  maildir: {
    gives: "a Maildir with folders (Maildir++)",
    shape: "directory",
    extension: "",
    ofMessages: true,
    write: writeMaildir,
  },
  csv: { gives: "table for spreadsheets", shape: "file", extension: ".csv", ofMessages: true, write: writeCsv },
  jsonl: {
    gives: "records of extraction.json, one per line",
    shape: "file",
    extension: ".jsonl",
    ofMessages: true,
    write: writeJsonLines,
  },
  html: { gives: "one printable page", shape: "file", extension: ".html", ofMessages: true, write: writeHtml },
  markdown: { gives: "one markdown page", shape: "file", extension: ".md", ofMessages: true, write: writeMarkdown },
  "load-file": {
    gives: "Concordance DAT with natives, texts and families",
    shape: "directory",
    extension: "",
    ofMessages: true,
    write: writeLoadFile,
  },
  opensearch: {
    gives: "mapping and bulk requests for OpenSearch and Elasticsearch",
    shape: "directory",
    extension: "",
    ofMessages: true,
    write: (content, place) => writeOpenSearch(content, place),
  },
  vcf: {
    gives: "contacts and address books as vCards",
    shape: "file",
    extension: ".vcf",
    ofMessages: false,
    write: writeVcards,
  },
  ics: {
    gives: "calendar as iCalendar",
    shape: "file",
    extension: ".ics",
    ofMessages: false,
    write: writeCalendar,
  },
  graphml: {
    gives: "contact graph as GraphML",
    shape: "file",
    extension: ".graphml",
    ofMessages: false,
    write: graphWriter(GRAPHML),
  },
  gexf: {
    gives: "contact graph as GEXF",
    shape: "file",
    extension: ".gexf",
    ofMessages: false,
    write: graphWriter(GEXF),
  },
};

async function writeMbox(content: ExportContent, place: ExportPlace): Promise<void> {
  if (place.fileName !== "") return writeOneMbox(content, place);
  const paths = new MailboxPaths("/", place.room);
  const done = new Set<string>();
  let isWhole = false;
  // Makes one pass over the messages, and another for each further OPEN_FILES folders: a closed file is not reopened.
  while (!isWhole) {
    isWhole = true;
    const files = new Map<string, { readonly file: ExportFile; readonly path: string }>();
    for await (const message of content.messages()) {
      const { mailbox } = message;
      if (done.has(mailbox)) continue;
      if (!files.has(mailbox) && files.size >= OPEN_FILES) {
        isWhole = false;
        continue;
      }
      const path = `${paths.of(mailbox).join("/")}.mbox`;
      const { file } = files.get(mailbox) ?? { file: place.target.openFile(path) };
      files.set(mailbox, { file, path });
      const read = await content.bytesOf(message);
      writeMboxMessage(file, message, read.bytes);
      listMessage(content, place, message, { path, read });
    }
    for (const [mailbox, { file }] of files) {
      place.target.closeFile(file);
      done.add(mailbox);
    }
  }
}

/** Maximum open files: less than the smallest system limit. */
const OPEN_FILES = 200;

async function writeOneMbox(content: ExportContent, place: ExportPlace): Promise<void> {
  const file = place.target.openFile(place.fileName);
  for await (const message of content.messages()) {
    const read = await content.bytesOf(message);
    writeMboxMessage(file, message, read.bytes);
    listMessage(content, place, message, { path: place.fileName, read });
  }
  place.target.closeFile(file);
}

async function writeEml(content: ExportContent, place: ExportPlace): Promise<void> {
  const paths = new MailboxPaths("/", place.room);
  for await (const message of content.messages()) {
    const read = await content.bytesOf(message);
    const folder = paths.of(message.mailbox).join("/");
    const name = content.names === "date" ? datedName(message, place.room - folder.length - 1) : `${message.id}.eml`;
    const path = `${folder}/${name}`;
    place.target.writeFile(path, read.bytes, message.sentAt ?? message.receivedAt);
    listMessage(content, place, message, { path, read });
  }
}

async function writeMaildir(content: ExportContent, place: ExportPlace): Promise<void> {
  const paths = new MailboxPaths(".", Number.POSITIVE_INFINITY);
  const made = new Set<string>();
  const make = (folder: string): void => {
    for (const part of ["cur", "new", "tmp"]) place.target.makeDirectory(folder + part);
    if (folder !== "") place.target.writeFile(`${folder}maildirfolder`, "");
    made.add(folder);
  };
  // Readers open the root as INBOX, and reject it unless it is a Maildir itself.
  make(maildirFolder(["INBOX"]));
  for await (const message of content.messages()) {
    const folder = maildirFolder(paths.of(message.mailbox));
    if (!made.has(folder)) make(folder);
    const read = await content.bytesOf(message);
    const path = `${folder}cur/${maildirName({ ...message, flags: flagsOfAll(message, message.occurrences) })}`;
    place.target.writeFile(path, read.bytes, message.receivedAt ?? message.sentAt);
    listMessage(content, place, message, { path, read });
  }
}

/** Writes a file with one text per message. */
async function writeTexts(
  content: ExportContent,
  place: ExportPlace,
  texts: {
    readonly head: string;
    of(message: ArchivedMessage, number: number): string | Buffer;
    readonly tail: string;
  },
): Promise<void> {
  const file = place.target.openFile(place.fileName);
  file.write(texts.head);
  let number = 0;
  for await (const message of content.messages()) {
    number++;
    file.write(texts.of(message, number));
    listMessage(content, place, message, { path: place.fileName, read: null });
  }
  file.write(texts.tail);
  place.target.closeFile(file);
}

async function writeCsv(content: ExportContent, place: ExportPlace): Promise<void> {
  const lines = new CsvLines();
  const { sources } = content.provenance;
  await writeTexts(content, place, {
    head: BYTE_ORDER_MARK + lines.line(TABLE_HEADER).toString(),
    of: (message) => lines.line(tableRow({ message, sourcePath: sources[message.source]?.path ?? "" })),
    tail: "",
  });
}

async function writeJsonLines(content: ExportContent, place: ExportPlace): Promise<void> {
  await writeTexts(content, place, {
    head: "",
    of: (message) => `${jsonLine(MESSAGE.write(message))}\n`,
    tail: "",
  });
}

async function writeHtml(content: ExportContent, place: ExportPlace): Promise<void> {
  await writeTexts(content, place, { head: htmlHead(titleOf(content)), of: htmlMessage, tail: HTML_TAIL });
}

async function writeMarkdown(content: ExportContent, place: ExportPlace): Promise<void> {
  await writeTexts(content, place, { head: markdownHead(titleOf(content)), of: markdownMessage, tail: "" });
}

function titleOf({ title, count, exportedAt }: ExportContent) {
  return { title, messages: count, exportedAt: formatInstant(exportedAt) };
}

async function writeVcards(
  { archive, provenance }: ExportContent,
  { target, fileName, manifest }: ExportPlace,
): Promise<void> {
  const file = target.openFile(fileName);
  for await (const batch of archive.contacts.scan()) {
    for (const contact of batch) {
      file.write(vcard(contact));
      manifest.add({ ...RECORD, path: fileName, id: contact.id });
    }
  }
  for await (const batch of archive.items.scan()) {
    for (const item of batch) {
      const card = itemCard(item);
      if (card === null) continue;
      file.write(card);
      manifest.add({ ...RECORD, path: fileName, id: item.id, source: provenance.sources[item.source]?.path ?? "" });
    }
  }
  target.closeFile(file);
}

async function writeCalendar({ archive, provenance, exportedAt }: ExportContent, place: ExportPlace): Promise<void> {
  const file = place.target.openFile(place.fileName);
  const head = { producer: `${TOOL_NAME} ${provenance.toolVersion}`, madeAt: exportedAt, method: null };
  const calendar = new CalendarWriter(head, (text) => file.write(text));
  for await (const batch of archive.events.scan()) for (const event of batch) calendar.describeZone(event);
  for await (const batch of archive.events.scan()) {
    for (const event of batch) {
      calendar.add(event);
      const source = provenance.sources[event.source]?.path ?? "";
      place.manifest.add({ ...RECORD, path: place.fileName, id: event.id, messageId: event.uid, source });
    }
  }
  calendar.end();
  place.target.closeFile(file);
}

function graphWriter(notation: GraphNotation): ExportFormat["write"] {
  return async ({ archive }, { target, fileName, manifest }) => {
    const file = target.openFile(fileName);
    file.write(notation.head);
    for await (const batch of archive.contacts.scan()) {
      for (const contact of batch) {
        file.write(notation.node(contact));
        manifest.add({ ...RECORD, path: fileName, id: contact.id });
      }
    }
    file.write(notation.between);
    let index = 0;
    for await (const batch of archive.contacts.edges()) {
      for (const edge of batch) {
        file.write(notation.edge(edge, index));
        index++;
      }
    }
    file.write(notation.tail);
    target.closeFile(file);
  };
}

/** A manifest row for something other than a message. */
const RECORD = { messageId: "", sha256: null, source: "", location: "", origin: "record", note: "" } as const;
