import { sanitizeFilename } from "../../text/tokens/attachment-name.ts";
import { shortenedFolder } from "./path-length.ts";

/** Maximum directory levels of a mailbox; deeper ones are joined to the last, to limit the path length. */
const MAX_LEVELS = 16;

/** The names of the levels of a mailbox, each a safe file name on any system. Names that became equal get numbers. */
export class MailboxPaths {
  private readonly paths = new Map<string, readonly string[]>();
  private readonly taken = new Set<string>();

  /**
   * @param separator level separator of the format, replaced in levels @param room UTF-16 units of the path of a file
   * in a folder
   */
  constructor(
    private readonly separator: "/" | ".",
    private readonly room: number,
  ) {}

  of(mailbox: string): readonly string[] {
    const known = this.paths.get(mailbox);
    if (known !== undefined) return known;
    const levels = mailbox.split("/").filter((level) => level !== "");
    const kept =
      levels.length <= MAX_LEVELS
        ? levels
        : [...levels.slice(0, MAX_LEVELS - 1), levels.slice(MAX_LEVELS - 1).join("_")];
    // A backslash is part of the name, not a path separator as in client paths.
    const names = kept.map((level) =>
      sanitizeFilename(level.replaceAll("\\", "_"), "folder").replaceAll(this.separator, "_"),
    );
    const path = this.free(shortenedFolder(names.length === 0 ? ["folder"] : names, this.room));
    this.paths.set(mailbox, path);
    return path;
  }

  /** Names that differ only in case count as equal, as on some systems. */
  private free(names: readonly string[]): readonly string[] {
    for (let count = 1; ; count++) {
      const last = names[names.length - 1]!;
      const path = count === 1 ? names : [...names.slice(0, -1), `${last} (${count})`];
      const key = path.join("/").toLowerCase();
      if (this.taken.has(key)) continue;
      this.taken.add(key);
      return path;
    }
  }
}
