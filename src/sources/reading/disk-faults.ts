/** Error codes of a failing or missing disk: for one file possibly a damaged sector, for many the source. */
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

/** Error codes for content that exists, or may exist, but is not readable. */
export const READING_FAULTS: ReadonlySet<string> = new Set(["EACCES", "EPERM", ...DISK_FAULTS]);
