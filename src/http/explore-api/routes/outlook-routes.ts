import * as z from "zod";
import { CALENDAR_EVENT, ITEM, ITEM_ATTACHMENT } from "../../../document/extraction-records.ts";
import { publishedDate } from "../../../document/published-values.ts";
import type { Archive } from "../../../mail/archive.ts";
import { formatInstant } from "../../../mail/dates/instant.ts";
import { attachmentType } from "../../../mail/records/attachment-types.ts";
import type { CalendarEvent } from "../../../mail/records/calendar-event.ts";
import { type ArchivedItem, ITEM_KINDS, type ItemAttachment } from "../../../mail/records/item.ts";
import { parseDateBound } from "../../date-bound.ts";
import { orNotFound, type QueryRoute, queryRoute } from "../../query-api/query-route.ts";
import { filter, isoDate, sortBy } from "../../query-api/wire-requests.ts";
import type { ExploreRequest, ExploreSetting } from "../setting/explore-setting.ts";
import { oneOf, page } from "../setting/table-parameters.ts";
import {
  type EventWire,
  eventDetailSchema,
  eventsSchema,
  type ItemFileWire,
  type ItemWire,
  itemDetailSchema,
  itemsSchema,
} from "../wire/wire-tables.ts";
import { itemFileStates } from "./attachment-states.ts";

const SEARCH = "query whose words must all match; the last word can be a prefix";

const events = queryRoute({
  path: "/events",
  summary: "Calendar events by start time",
  parameters: z.object({
    search: filter(SEARCH),
    after: isoDate("earliest start date or time, inclusive"),
    before: isoDate("latest start date or time, inclusive"),
    sort: sortBy(["oldest", "newest"]),
    ...page,
  }),
  data: eventsSchema,
  async answer({ archive, parameters: { search = "", after, before, sort, ...asked } }) {
    const query = typedQuery(search);
    const { total, found } = await archive.events.page({
      ...{ query, match: "all", sort, ...asked },
      after: after === undefined ? null : parseDateBound(after)!.first,
      before: before === undefined ? null : parseDateBound(before)!.last,
    });
    return { total, month: await openingMonth(archive, query), events: found.map(({ record }) => eventWire(record)) };
  },
});

/** Recurring and mistyped events start in years without mail: the last event alone would open an empty calendar. */
async function openingMonth(archive: Archive, query: string): Promise<string | null> {
  const { last } = await archive.explore.timeline({ query: "", match: "all", by: "month" });
  const page = { query, match: "all", sort: "newest", after: null, offset: 0, limit: 1 } as const;
  const end = last === null ? null : parseDateBound(formatInstant(last).slice(0, 7))!.last;
  const inMail = await archive.events.page({ ...page, before: end });
  const { found } = inMail.total > 0 ? inMail : await archive.events.page({ ...page, sort: "oldest", before: null });
  const start = found[0]?.record.start ?? null;
  return publishedDate(start)?.slice(0, 7) ?? null;
}

const items = queryRoute({
  path: "/items",
  summary: "Outlook items other than mail and appointments: contacts, tasks, notes and more",
  parameters: z.object({
    search: filter(SEARCH),
    kind: oneOf(ITEM_KINDS, "only items of this kind"),
    sort: sortBy(["id", "newest", "oldest"]),
    ...page,
  }),
  data: itemsSchema,
  async answer({ archive, parameters: { search = "", kind = null, sort, ...asked } }) {
    const { total, kinds, found } = await archive.items.page({
      ...{ query: typedQuery(search), match: "all", sort, ...asked },
      ...{ kind, after: null, before: null },
    });
    return { total, kinds: [...kinds], items: found.map(({ record }) => itemWire(record)) };
  },
});

/** A word at the end of the typed text, which may be unfinished. */
const UNFINISHED_WORD = /(?:^|\s)[\p{L}\p{N}]{1,64}$/u;

/** Converts the text of a search box to a query: an unfinished last word becomes a prefix, except `OR`. */
function typedQuery(search: string): string {
  return UNFINISHED_WORD.test(search) && !search.endsWith("OR") ? `${search}*` : search;
}

/** The ETag depends on whether the files can be opened. */
const changing = ({ attachments }: { readonly attachments: readonly { readonly availability: string | null }[] }) =>
  Array.from(new Set(attachments.map(({ availability }) => availability))).join("-");

const event = queryRoute({
  path: "/events/{event_id}",
  summary: "One event and whether its files can be opened",
  parameters: z.object({}),
  data: eventDetailSchema,
  changing,
  async answer({ archive, id, setting }: ExploreRequest) {
    const found = orNotFound(await archive.events.get(id), "Event", id);
    return withStates(eventWire(found), await itemFileStates(archive, setting, found));
  },
});

const item = queryRoute({
  path: "/items/{item_id}",
  summary: "One Outlook item and whether its files can be opened",
  parameters: z.object({}),
  data: itemDetailSchema,
  changing,
  async answer({ archive, id, setting }: ExploreRequest) {
    const found = orNotFound(await archive.items.get(id), "Item", id);
    return withStates(itemWire(found), await itemFileStates(archive, setting, found));
  },
});

function withStates<Row extends { readonly attachments: readonly ItemFileWire[] }, State>(
  row: Row,
  states: readonly State[],
) {
  return { ...row, attachments: row.attachments.map((file, at) => ({ ...file, availability: states[at]! })) };
}

function eventWire(found: CalendarEvent): EventWire {
  return { ...CALENDAR_EVENT.write(found), attachments: found.attachments.map(fileWire) };
}

function itemWire(found: ArchivedItem): ItemWire {
  return { ...ITEM.write(found), attachments: found.attachments.map(fileWire) };
}

function fileWire(attachment: ItemAttachment, index: number): ItemFileWire {
  return { number: index + 1, type: attachmentType(attachment), ...ITEM_ATTACHMENT.write(attachment) };
}

export const outlookRoutes: readonly QueryRoute<ExploreSetting>[] = [events, event, items, item];
