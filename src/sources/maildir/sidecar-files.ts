import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { systemErrorCode } from "../../errors.ts";
import { encodePath } from "../../files/path-text.ts";
import { readFully } from "../../files/read-fully.ts";
import { flagOfKeyword } from "../../mime/syntax/labels.ts";

/** Programs that export each message with a JSON file of its labels and flags next to it. */
export type SidecarProgram = "proton" | "zimbra";

/** Labels and flags of a message. */
export interface SidecarMarks {
  /** Folder that the program gives instead of the directory; null if the directory is the folder. */
  readonly folder: string | null;
  readonly flags: readonly string[];
}

/** Ends the names of these files: instead of `.eml` for Proton, after it for Zimbra. */
const PROTON_SUFFIX = ".metadata.json";
const ZIMBRA_SUFFIX = ".meta";
/** The labels of a Proton account, in the directory of its messages. */
const PROTON_LABELS = "labels.json";
const EML_SUFFIX = ".eml";
/** Maximum bytes of such a file: the recipients of a message, and the labels of an account. */
const SIDECAR_BYTES_MAX = 4 * 1024 * 1024;
/** The path may be a link or a FIFO. Windows has neither flag. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The files of a directory without these files, and the program that wrote them. */
export function withoutSidecars(
  files: readonly string[],
  directories: readonly string[],
): { readonly files: readonly string[]; readonly sidecars: SidecarProgram | null } {
  if (!files.some((name) => name.endsWith(PROTON_SUFFIX) || name.endsWith(ZIMBRA_SUFFIX)))
    return { files, sidecars: null };
  const owners = new Set([...files, ...directories]);
  const written = new Set<SidecarProgram>();
  const left = files.filter((name) => {
    const program = programOf(name, owners);
    if (program !== null) written.add(program);
    return program === null;
  });
  const [sidecars = null] = written;
  return { files: sidecars === "proton" ? left.filter((name) => name !== PROTON_LABELS) : left, sidecars };
}

function programOf(name: string, owners: ReadonlySet<string>): SidecarProgram | null {
  if (name.endsWith(PROTON_SUFFIX) && owners.has(protonMessage(name))) return "proton";
  return name.endsWith(ZIMBRA_SUFFIX) && owners.has(name.slice(0, -ZIMBRA_SUFFIX.length)) ? "zimbra" : null;
}

function protonMessage(name: string): string {
  return name.slice(0, -PROTON_SUFFIX.length) + EML_SUFFIX;
}

type Fields = Readonly<Record<string, unknown>>;

const NO_FIELDS: Fields = {};

/** Reads these files; the labels of an account once. */
export class SidecarFiles {
  private readonly labels = new Map<string, ProtonLabels>();

  /** Null if the message has none, or it is not readable. @param path of the message */
  marksOf(path: string, program: SidecarProgram): SidecarMarks | null {
    if (program === "zimbra") {
      const fields = readFields(path + ZIMBRA_SUFFIX);
      return fields === NO_FIELDS ? null : { folder: null, flags: zimbraFlags(fields) };
    }
    if (!path.endsWith(EML_SUFFIX)) return null;
    const fields = payloadOf(readFields(path.slice(0, -EML_SUFFIX.length) + PROTON_SUFFIX));
    return fields === NO_FIELDS ? null : protonMarks(fields, this.labelsAt(path.slice(0, path.lastIndexOf("/") + 1)));
  }

  private labelsAt(directory: string): ProtonLabels {
    const known = this.labels.get(directory) ?? protonLabels(readFields(directory + PROTON_LABELS));
    this.labels.set(directory, known);
    return known;
  }
}

/** Letters of Zimbra's FlagStr (https://wiki.zimbra.com/wiki/Message_Flags). */
const ZIMBRA_LETTERS: readonly (readonly [string, string])[] = [
  ["r", "replied"],
  ["f", "flagged"],
  ["d", "draft"],
  ["x", "deleted"],
  ["w", "forwarded"],
];

function zimbraFlags(fields: Fields): readonly string[] {
  const letters = text(fields["FlagStr"]);
  const tags = text(fields["TagNames"]) || zimbraTagNames(text(fields["TagStr"]));
  return [
    ...(fields["unread"] === 0 ? ["seen"] : []),
    ...ZIMBRA_LETTERS.flatMap(([letter, flag]) => (letters.includes(letter) ? [flag] : [])),
    ...labelFlags(separatedByColons(tags)),
  ];
}

/** Versions before 6.0.7 write names after a colon, and older ones only numbers. */
function zimbraTagNames(tags: string): string {
  return tags.startsWith(":") ? tags : "";
}

/** Names between colons, in which a backslash escapes both. */
function separatedByColons(names: string): readonly string[] {
  return Array.from(names.matchAll(/(?:[^:\\]|\\.)+/gs), ([name]) => name.replace(/\\(.)/gs, "$1"));
}

interface ProtonLabels {
  /** Paths of folders and names of labels, by their ids. */
  readonly folders: ReadonlyMap<string, string>;
  readonly labels: ReadonlyMap<string, string>;
}

/** Types of labels in Proton's API. */
const PROTON_LABEL = 1;
const PROTON_FOLDER = 3;
/** Proton's own folders, by their ids. */
const PROTON_FOLDERS: ReadonlyMap<string, string> = new Map([
  ["0", "Inbox"],
  ["3", "Trash"],
  ["4", "Spam"],
  ["6", "Archive"],
  ["7", "Sent"],
  ["8", "Drafts"],
  ["9", "Outbox"],
]);
const PROTON_DRAFTS = "8";
const PROTON_STARRED = "10";

function protonLabels(file: Fields): ProtonLabels {
  const folders = new Map<string, string>();
  const labels = new Map<string, string>();
  const payload = file["Payload"];
  for (const label of Array.isArray(payload) ? payload.map(fieldsOf) : []) {
    const id = text(label["ID"]);
    const name = text(label["Name"]);
    if (label["Type"] === PROTON_LABEL) labels.set(id, name);
    else if (label["Type"] === PROTON_FOLDER && !PROTON_FOLDERS.has(id)) folders.set(id, text(label["Path"]) || name);
  }
  return { folders, labels };
}

function protonMarks(fields: Fields, { folders, labels }: ProtonLabels): SidecarMarks {
  const listed = fields["LabelIDs"];
  const ids = Array.isArray(listed) ? listed.map(text) : [];
  const folder = ids.map((id) => folders.get(id) ?? PROTON_FOLDERS.get(id)).find((name) => name !== undefined);
  const isSet = (...names: readonly string[]): boolean => names.some((name) => Boolean(fields[name]));
  const marks: readonly (readonly [string, boolean])[] = [
    ["seen", "Unread" in fields && !isSet("Unread")],
    ["replied", isSet("IsReplied", "IsRepliedAll")],
    ["flagged", ids.includes(PROTON_STARRED)],
    ["draft", ids.includes(PROTON_DRAFTS)],
    ["forwarded", isSet("IsForwarded")],
  ];
  const flags = marks.flatMap(([flag, isMarked]) => (isMarked ? [flag] : []));
  return { folder: folder ?? null, flags: [...flags, ...labelFlags(ids.map((id) => labels.get(id) ?? ""))] };
}

function labelFlags(names: readonly string[]): readonly string[] {
  return names.map((name) => flagOfKeyword(name.trim())).filter((flag) => flag !== null);
}

function payloadOf(file: Fields): Fields {
  return "Payload" in file ? fieldsOf(file["Payload"]) : NO_FIELDS;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : NO_FIELDS;
}

/** The fields of a JSON file; none if it is not readable. */
function readFields(path: string): Fields {
  try {
    const descriptor = openSync(encodePath(path), OPEN_FLAGS);
    try {
      const bytes = Buffer.allocUnsafe(Math.min(fstatSync(descriptor).size, SIDECAR_BYTES_MAX));
      return fieldsOf(JSON.parse(bytes.toString("utf8", 0, readFully(descriptor, bytes, 0))));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (systemErrorCode(error) === null && !(error instanceof SyntaxError)) throw error;
    return NO_FIELDS;
  }
}
