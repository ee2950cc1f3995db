import * as z from "zod";
import { CALENDAR_EVENT, ITEM } from "../../document/extraction-records.ts";
import type { CalendarEvent } from "../../mail/calendar-event.ts";
import { foldKey } from "../../mail/fold-key.ts";
import { EARLIEST_INSTANT, type Instant, LATEST_INSTANT } from "../../mail/instant.ts";
import { type ArchivedItem, ITEM_KINDS } from "../../mail/item.ts";
import { parseDateBound } from "../date-bound.ts";
import { type QueryRoute, queryRoute } from "../query-api/query-route.ts";
import { filter, isoDate, sortBy } from "../query-api/wire-requests.ts";
import { oneOf, page } from "./table-parameters.ts";
import { eventsSchema, itemsSchema } from "./wire-tables.ts";

const events = queryRoute({
  path: "/events",
  summary: "Events of calendars, by their start",
  parameters: z.object({
    search: filter("part of a subject, place or attendee, any case, accents ignored"),
    after: isoDate("first day or instant of the start, inclusive"),
    before: isoDate("last day or instant of the start, inclusive"),
    sort: sortBy(["oldest", "newest"]),
    ...page,
  }),
  data: eventsSchema,
  async answer({ archive, parameters: { search = "", after, before, sort, limit, offset } }) {
    const isWanted = eventTest(search, after, before);
    const found: { readonly start: Instant | null; readonly record: ReturnType<typeof CALENDAR_EVENT.write> }[] = [];
    for await (const batch of archive.events.scan())
      for (const event of batch.filter(isWanted))
        found.push({ start: event.start, record: CALENDAR_EVENT.write(event) });
    const direction = sort === "oldest" ? 1 : -1;
    // What has no start comes last in either direction.
    const keyOf = (start: Instant | null): number => (start === null ? LATEST_INSTANT : direction * start);
    found.sort((left, right) => keyOf(left.start) - keyOf(right.start));
    return { total: found.length, events: found.slice(offset, offset + limit).map(({ record }) => record) };
  },
});

function eventTest(
  search: string,
  after: string | undefined,
  before: string | undefined,
): (event: CalendarEvent) => boolean {
  const isNamed = textTest(search);
  const first = after === undefined ? EARLIEST_INSTANT : parseDateBound(after)!.first;
  const last = before === undefined ? LATEST_INSTANT : parseDateBound(before)!.last;
  const isBound = after !== undefined || before !== undefined;
  return ({ start, subject, location, organizer, attendees }) => {
    if (isBound && (start === null || start < first || start > last)) return false;
    const people = organizer === null ? attendees : [organizer, ...attendees];
    return isNamed([subject, location, ...people.flatMap(({ name, email }) => [name, email])]);
  };
}

const items = queryRoute({
  path: "/items",
  summary: "Items of Outlook that are neither mail nor appointments: contacts, tasks, notes and more",
  parameters: z.object({
    search: filter("part of a subject or field, any case, accents ignored"),
    kind: oneOf(ITEM_KINDS, "items of this kind only"),
    ...page,
  }),
  data: itemsSchema,
  async answer({ archive, parameters: { search = "", kind, limit, offset } }) {
    const isNamed = textTest(search);
    const kinds = new Map<string, number>();
    const found: ArchivedItem[] = [];
    for await (const batch of archive.items.scan()) {
      const named = batch.filter(({ subject, fields }) => isNamed([subject, ...Object.values(fields)]));
      for (const item of named) kinds.set(item.kind, (kinds.get(item.kind) ?? 0) + 1);
      found.push(...named.filter((item) => kind === undefined || item.kind === kind));
    }
    return {
      total: found.length,
      kinds: Array.from(kinds, ([name, count]) => ({ kind: name, count })),
      items: found.slice(offset, offset + limit).map(ITEM.write),
    };
  },
});

/** Whether any of some texts holds what is searched for. */
function textTest(search: string): (texts: readonly string[]) => boolean {
  const wanted = foldKey(search);
  return (texts) => wanted === "" || texts.some((text) => foldKey(text).includes(wanted));
}

export const outlookRoutes: readonly QueryRoute[] = [events, items];
