/** The header in which a server says that the location of the archive now contains another one. */
export const REPLACED_HEADER = "x-archivetool-archive";

/** What the server says in the page itself, so that the first picture needs no second answer. */
export interface ShellData {
  /** `local`: one archive, as `serve` has it; `service`: many, with uploads; `opening`: one that is being extracted. */
  readonly server: "local" | "service" | "opening";
  readonly version: string;
  /** True where somebody signs in. */
  readonly needsToken: boolean;
  /** True if the archive has a writable notebook. */
  readonly hasNotebook: boolean;
  /** What may be uploaded; null where nothing may. */
  readonly intake: ShellIntake | null;
  /** What the page knows of its archive without a request; null if there is none. */
  readonly archive: ShellArchive | null;
  /** Answers that the page would ask for at once, by their paths. */
  readonly answers: Readonly<Record<string, unknown>>;
}

export interface ShellIntake {
  /** How names of files end that are taken. */
  readonly endings: readonly string[];
  readonly maxBytes: number;
}

export interface ShellArchive {
  readonly id: string;
  readonly name: string;
}
