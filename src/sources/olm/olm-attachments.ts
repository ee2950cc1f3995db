import { posix } from "node:path";
import type { FindOlmFile } from "../../olm/olm-message.ts";
import type { ZipMember } from "../../unpacking/zip-member-list.ts";
import type { ZipMembers } from "../../unpacking/zip-members.ts";
import type { ItemPlace, SourceItem } from "../reading/source.ts";

/** 2 GiB - 1, the largest buffer that is made of one file. */
const FILE_BYTES_MAX = 2 ** 31 - 1;
/**
 * Maximum messages of a unit that use the same file: Outlook writes one file per attachment, and a large one named by
 * every message would be unpacked each time.
 */
const MAX_SHARES = 16;

/** Directory in each folder with the attachments of its messages. */
export const ATTACHMENTS = "com.microsoft.__Attachments";

/** The attachments of one message: a finder, and the results. */
interface MessageFiles {
  readonly find: FindOlmFile;
  found(): readonly ZipMember[];
}

/** Attachment files of an archive by name, listed on first use. */
export class OlmAttachments {
  private byName: ReadonlyMap<string, ZipMember> | null = null;
  private byFileName: ReadonlyMap<string, ZipMember | null> | null = null;
  private readonly shares = new Map<ZipMember, number>();
  private unreported: string[] = [];

  constructor(private readonly zip: ZipMembers) {}

  /** @param location name of the file of the message, from which some writers name its attachments */
  ofMessage(location: string): MessageFiles {
    const members: ZipMember[] = [];
    const find: FindOlmFile = (url) => {
      const folder = posix.dirname(location);
      const member =
        this.named(url, folder) ?? this.named(unescaped(url), folder) ?? this.attached(posix.basename(unescaped(url)));
      const shares = member === null ? 0 : (this.shares.get(member) ?? 0) + 1;
      if (member === null || shares > MAX_SHARES) return null;
      this.shares.set(member, shares);
      members.push(member);
      return { bytes: () => this.read(member) };
    };
    return { find, found: () => members };
  }

  /** Files that could not be read since the last call. */
  *faults({ mailbox, location }: ItemPlace): Generator<SourceItem> {
    for (const message of this.unreported)
      yield { kind: "note", code: "attachment-damaged", message, sha256: null, mailbox, location };
    this.unreported = [];
  }

  private read(member: ZipMember): Buffer {
    const content = this.zip.read(member, FILE_BYTES_MAX);
    if ("bytes" in content) return content.bytes;
    this.unreported.push(`an attachment cannot be read, ${content.fault}: ${member.name}`);
    return Buffer.alloc(0);
  }

  private named(url: string, folder: string): ZipMember | null {
    const members = this.members();
    return members.get(nameKey(url)) ?? members.get(nameKey(posix.join(folder, url))) ?? null;
  }

  /** The one attachment of the archive that has a file name. */
  private attached(name: string): ZipMember | null {
    this.byFileName ??= byFileName(this.members());
    return this.byFileName.get(nameKey(name)) ?? null;
  }

  private members(): ReadonlyMap<string, ZipMember> {
    this.byName ??= new Map([...this.zip.members()].map((member) => [nameKey(member.name), member]));
    return this.byName;
  }
}

/** Attachments by their own names; null for a name that several have. */
function byFileName(members: ReadonlyMap<string, ZipMember>): ReadonlyMap<string, ZipMember | null> {
  const found = new Map<string, ZipMember | null>();
  for (const [path, member] of members) {
    if (!path.includes(`${ATTACHMENTS}/`)) continue;
    const name = unescaped(posix.basename(path));
    found.set(name, found.has(name) ? null : member);
  }
  return found;
}

/** Normalizes accents in names: macOS writes them in another form than other programs. */
function nameKey(name: string): string {
  return name.replace(/^\/+/, "").normalize("NFC");
}

/** `my%20plan.pdf` is `my plan.pdf`: some writers escape the names of files as in a URL. */
function unescaped(name: string): string {
  if (!name.includes("%")) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
