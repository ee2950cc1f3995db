import * as z from "zod";
import { CALENDAR_EVENT, ITEM } from "../../document/extraction-records.ts";
import { ITEM_KINDS } from "../../mail/item.ts";
import { parseDateBound } from "../date-bound.ts";
import { type QueryRoute, queryRoute } from "../query-api/query-route.ts";
import { filter, isoDate, sortBy } from "../query-api/wire-requests.ts";
import { oneOf, page } from "./table-parameters.ts";
import { eventsSchema, itemsSchema } from "./wire-tables.ts";

const SEARCH = "a query, of whose words all must be there; the last one may be the beginning of a word";

const events = queryRoute({
  path: "/events",
  summary: "Events of calendars, by their start",
  parameters: z.object({
    search: filter(SEARCH),
    after: isoDate("first day or instant of the start, inclusive"),
    before: isoDate("last day or instant of the start, inclusive"),
    sort: sortBy(["oldest", "newest"]),
    ...page,
  }),
  data: eventsSchema,
  async answer({ archive, parameters: { search = "", after, before, sort, ...asked } }) {
    const { total, found } = await archive.events.page({
      ...{ query: typedQuery(search), match: "all", sort, ...asked },
      after: after === undefined ? null : parseDateBound(after)!.first,
      before: before === undefined ? null : parseDateBound(before)!.last,
    });
    return { total, events: found.map(({ record }) => CALENDAR_EVENT.write(record)) };
  },
});

const items = queryRoute({
  path: "/items",
  summary: "Items of Outlook that are neither mail nor appointments: contacts, tasks, notes and more",
  parameters: z.object({
    search: filter(SEARCH),
    kind: oneOf(ITEM_KINDS, "items of this kind only"),
    sort: sortBy(["id", "newest", "oldest"]),
    ...page,
  }),
  data: itemsSchema,
  async answer({ archive, parameters: { search = "", kind = null, sort, ...asked } }) {
    const { total, kinds, found } = await archive.items.page({
      ...{ query: typedQuery(search), match: "all", sort, ...asked },
      ...{ kind, after: null, before: null },
    });
    return { total, kinds: [...kinds], items: found.map(({ record }) => ITEM.write(record)) };
  },
});

/** A lone word, or one behind others, at the end of what is typed: more of it may come. */
const UNFINISHED_WORD = /(?:^|\s)[\p{L}\p{N}]{1,64}$/u;

/** What stands in a box while it is typed, as a query. `OR` joins what stands on both of its sides. */
function typedQuery(search: string): string {
  return UNFINISHED_WORD.test(search) && !search.endsWith("OR") ? `${search}*` : search;
}

export const outlookRoutes: readonly QueryRoute[] = [events, items];
