/** Units of sizes, each 1,024 times the previous one. */
export const SIZE_UNITS = ["bytes", "KB", "MB", "GB"] as const;

/** A moment in UTC instead of the reader's time zone. */
export const inUtc = (moment: string): string => `${moment} UTC`;
