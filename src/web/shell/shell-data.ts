/** Header that indicates that the archive at this location was replaced. */
export const REPLACED_HEADER = "x-archivetool-archive";

/** Data embedded in the page, so that the first view needs no request. */
export interface ShellData {
  /** `local`: one archive, as in `serve`; `service`: several, with uploads; `opening`: one that is being extracted. */
  readonly server: "local" | "service" | "opening";
  readonly version: string;
  /** True if a sign-in is required. */
  readonly needsToken: boolean;
  /** True if the archive has a writable notebook. */
  readonly hasNotebook: boolean;
  /** Upload settings; null if uploads are not allowed. */
  readonly intake: ShellIntake | null;
  /** Embedded data of the archive, or null. */
  readonly archive: ShellArchive | null;
  /** Embedded responses by path. */
  readonly answers: Readonly<Record<string, unknown>>;
}

export interface ShellIntake {
  /** Accepted file extensions. */
  readonly endings: readonly string[];
  readonly maxBytes: number;
}

export interface ShellArchive {
  readonly id: string;
  readonly name: string;
}
