import type { z } from "zod";
import type { eventsSchema } from "../../http/explore-api/wire/wire-tables.ts";

/** The response of `/events`. */
export type EventPage = z.infer<typeof eventsSchema>;
export type ListedEvent = EventPage["events"][number];
