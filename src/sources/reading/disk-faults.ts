/** What a system says whose disk fails or is gone: of one file it may be a damaged sector, of many it is the source. */
export const DISK_FAULTS: ReadonlySet<string> = new Set([
  "EHOSTDOWN",
  "EIO",
  "ENODEV",
  "ENOTCONN",
  "ENXIO",
  "EREMOTEIO",
  "ESTALE",
  "ETIMEDOUT",
]);

/** What a system says where it does not let something be read, or cannot: it is there, or may be. */
export const READING_FAULTS: ReadonlySet<string> = new Set(["EACCES", "EPERM", ...DISK_FAULTS]);
