/** Units of sizes, each 1,024 of the one before. */
export const SIZE_UNITS = ["bytes", "KB", "MB", "GB"] as const;

/** A moment that is told in UTC, and not in the zone of the reader. */
export const inUtc = (moment: string): string => `${moment} UTC`;
