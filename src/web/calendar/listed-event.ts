import type { z } from "zod";
import type { eventsSchema } from "../../http/explore-api/wire/wire-tables.ts";

/** The answer of `/events`. */
export type EventPage = z.infer<typeof eventsSchema>;
export type ListedEvent = EventPage["events"][number];
