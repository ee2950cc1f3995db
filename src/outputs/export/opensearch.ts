import { MESSAGE } from "../../document/extraction-records.ts";
import { jsonLine } from "../../document/json-line.ts";
import type { Shape } from "../../document/published-record.ts";
import { REQUIRED_DATE } from "../../document/published-values.ts";
import type { ArchivedMessage } from "../../mail/archive.ts";
import { type ExportContent, type ExportPlace, listMessage } from "./export-content.ts";

/**
 * Messages for the bulk API of OpenSearch and Elasticsearch: `index.json` creates the index, and each file of
 * `bulk-00001.ndjson` and so on is one request.
 */

/** Bytes of a bulk file. Servers accept requests of up to 100 MB (`http.max_content_length`). */
const MAX_BULK_BYTES = 64 << 20;
/** Characters of body and attached texts of a document: with escapes, at most 6 bytes each in JSON. */
const MAX_TEXT_CHARACTERS = 10_000_000;
/** Maximum characters of an exact value: Lucene rejects terms of more than 32,766 bytes. */
const MAX_KEYWORD_CHARACTERS = 8191;
/** Hex digits of the SHA-256 in an id: archives in one index have messages of the same number. */
const ID_DIGITS = 32;

/** A field of an index. */
type Mapping = Readonly<Record<string, unknown>>;

const KEYWORD: Mapping = { type: "keyword", ignore_above: MAX_KEYWORD_CHARACTERS };
/** Words, and the exact value for sorting and counting. */
const WORDS: Mapping = { type: "text", fields: { keyword: KEYWORD } };

/** Fields that are searched by their words; all other text is searched by its whole value. */
const FIELDS_OF_WORDS: Readonly<Record<string, Mapping>> = {
  subject: WORDS,
  name: WORDS,
  filename: WORDS,
  message: WORDS,
  body: { type: "text" },
};

/** The field of a value, by its published name and its JSON type. */
function mappingOf(name: string, shape: Shape): Mapping {
  if (shape === REQUIRED_DATE.shape) return { type: "date", format: "strict_date_optional_time" };
  switch (shape.kind) {
    case "text":
      return FIELDS_OF_WORDS[name] ?? KEYWORD;
    case "choice":
      return KEYWORD;
    case "integer":
      return { type: "long" };
    case "number":
      return { type: "double" };
    case "flag":
      return { type: "boolean" };
    case "texts-by-name":
      return { type: "object", enabled: false };
    case "list":
    case "nullable":
      return mappingOf(name, shape.of);
    case "record":
      return { properties: propertiesOf(shape) };
  }
}

function propertiesOf(shape: Shape & { readonly kind: "record" }): Readonly<Record<string, Mapping>> {
  return Object.fromEntries(shape.fields.map((field) => [field.name, mappingOf(field.name, field.shape)]));
}

/** The body of the request that creates the index. Documents with other fields are rejected. */
export function indexOf(shape: Shape = MESSAGE.shape): object {
  if (shape.kind !== "record") throw new Error("documents are records");
  const properties = {
    ...propertiesOf(shape),
    attachment_texts: { type: "text" },
    text_truncated: { type: "boolean" },
  };
  return { mappings: { dynamic: "strict", properties } };
}

/** The document of a message: its published record, and the texts of its attachments. */
export function documentOf(message: ArchivedMessage, fileTexts: readonly string[], maxCharacters: number): object {
  let left = maxCharacters;
  const cut = (text: string): string => {
    const kept = text.slice(0, left);
    left -= kept.length;
    return kept;
  };
  const body = cut(message.body);
  const attachmentTexts = fileTexts.map(cut).filter((text) => text !== "");
  const total = fileTexts.reduce((sum, text) => sum + text.length, message.body.length);
  return {
    ...MESSAGE.write({ ...message, body }),
    ...(attachmentTexts.length > 0 ? { attachment_texts: attachmentTexts } : {}),
    ...(total > maxCharacters ? { text_truncated: true } : {}),
  };
}

/** The same for the same message in every export, and different for messages of other archives. */
function documentId({ sha256, id }: ArchivedMessage): string {
  return `${sha256.slice(0, ID_DIGITS)}-${id}`;
}

/** Writes the index and its documents, one at a time. */
export async function writeOpenSearch(
  content: ExportContent,
  place: ExportPlace,
  maxBulkBytes = MAX_BULK_BYTES,
): Promise<void> {
  const { target } = place;
  target.writeFile("index.json", `${JSON.stringify(indexOf(), null, 2)}\n`);
  let count = 1;
  let bytes = 0;
  const open = () => target.openFile(`bulk-${String(count).padStart(5, "0")}.ndjson`);
  let file = open();
  for await (const message of content.messages()) {
    const texts = message.attachments.length === 0 ? [] : await content.archive.messages.fileTexts(message.id);
    const document = documentOf(message, texts, MAX_TEXT_CHARACTERS);
    const lines = Buffer.from(`${jsonLine({ index: { _id: documentId(message) } })}\n${jsonLine(document)}\n`);
    if (bytes > 0 && bytes + lines.length > maxBulkBytes) {
      target.closeFile(file);
      count++;
      bytes = 0;
      file = open();
    }
    file.write(lines);
    bytes += lines.length;
    listMessage(content, place, message, { path: file.path, read: null });
  }
  target.closeFile(file);
}
