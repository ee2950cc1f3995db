import type { Archive } from "../mail/archive.ts";

/** An archive that is only searched: its messages, events and items. */
export type SearchedArchive = Pick<Archive, "search" | "explore" | "events" | "items" | "close">;
