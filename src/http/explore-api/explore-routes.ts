import * as z from "zod";
import { publishedDate } from "../../document/published-values.ts";
import type { Archive } from "../../mail/archive.ts";
import {
  EXPLORED_SORTS,
  type ExploredMessage,
  FACETS,
  type FacetName,
  REPEAT_MODES,
  TIMELINE_UNITS,
  type UnderstoodClause,
} from "../../mail/exploration.ts";
import type { DescribedApi } from "../query-api/openapi.ts";
import { queryRoute } from "../query-api/query-route.ts";
import { filter, limit, mustBe, offset, sortBy } from "../query-api/wire-requests.ts";
import { files } from "./routes/files-route.ts";
import { graph } from "./routes/graph-route.ts";
import { hits } from "./routes/hits-route.ts";
import { mailboxes } from "./routes/mailboxes.ts";
import { mentions } from "./routes/mention-routes.ts";
import { messageRoutes } from "./routes/message-routes.ts";
import { outlookRoutes } from "./routes/outlook-routes.ts";
import { overview } from "./routes/overview-route.ts";
import { peopleRoutes } from "./routes/people-routes.ts";
import { provenance, warnings } from "./routes/provenance.ts";
import { suggest } from "./routes/suggest-route.ts";
import { threadRoutes } from "./routes/thread-routes.ts";
import { topicRoutes } from "./routes/topic-routes.ts";
import { disambiguateLabels } from "./setting/disambiguate-labels.ts";
import type { ExploreSetting } from "./setting/explore-setting.ts";
import { facetWire, timelineWire } from "./setting/facet-wire.ts";
import { mailboxNames, type NamedMailbox } from "./setting/mailbox-names.ts";
import { personWire } from "./setting/people-wire.ts";
import { queryParameters } from "./setting/query-parameters.ts";
import { oneOf } from "./setting/table-parameters.ts";
import {
  type ClauseWire,
  clauseSchema,
  facetSchema,
  facetsSchema,
  pageSchema,
  personSchema,
  type RowWire,
  rowSchema,
  timelineSchema,
} from "./wire/wire.ts";

/** Maximum messages per page: a screen shows about twenty. */
const MAX_PAGE = 200;
/** Maximum messages with the text of a row that are listed. */
const MAX_SAME_TEXT = 100;
/** Maximum values per facet. */
const MAX_VALUES = 1000;

const facetNames = mustBe(`comma-separated facet names: ${FACETS.join(", ")}`);

const facetParameters = z.object({
  ...queryParameters,
  of: z
    .string({ error: facetNames })
    .refine((text) => text.split(",").every(isFacet), { error: facetNames })
    .default(FACETS.join(","))
    .describe(`comma-separated facets to count: ${FACETS.join(", ")}`),
  limit: limit(10, MAX_VALUES),
  search: filter("substring of the value's label, ignoring case and accents"),
});

function isFacet(name: string): name is FacetName {
  return FACETS.some((known) => known === name);
}

const messages = queryRoute({
  path: "/messages",
  summary: "A page of matching messages and the parsed query",
  parameters: z.object({
    ...queryParameters,
    sort: sortBy(EXPLORED_SORTS),
    repeats: sortBy(REPEAT_MODES).describe("whether messages with the same text share one row"),
    limit: limit(50, MAX_PAGE),
    offset,
  }),
  data: pageSchema,
  async answer({ archive, parameters: { q, ...rest } }) {
    const page = await archive.explore.page({ query: q, ...rest });
    return { ...page, understood: page.understood.map(clauseWire), messages: await rowsWire(archive, page.messages) };
  },
});

const facets = queryRoute({
  path: "/facets",
  summary: "Facet counts of matching messages by sender, year, topic and more",
  parameters: facetParameters,
  data: facetsSchema,
  async answer({ archive, parameters: { q, of, match, limit: most, search } }) {
    const names = of.split(",").filter(isFacet);
    const counted = await archive.explore.facets({
      query: q,
      match,
      of: Array.from(new Set(names)),
      limit: most,
      search: search ?? "",
    });
    return { facets: (await disambiguateLabels(archive, counted)).map(facetWire) };
  },
});

const timeline = queryRoute({
  path: "/timeline",
  summary: "Counts of matching messages by year, month or day",
  parameters: z.object({
    ...queryParameters,
    by: sortBy(["auto", ...TIMELINE_UNITS] as const),
    stack: oneOf(FACETS, "facet whose most frequent values are counted per bin"),
  }),
  data: timelineSchema,
  async answer({ archive, parameters: { q, match, by, stack } }) {
    const request = { query: q, match, by, ...(stack === undefined ? {} : { stack }) };
    return timelineWire(await archive.explore.timeline(request));
  },
});

export const EXPLORE_API: DescribedApi<ExploreSetting> = {
  title: "Email archive explore API",
  routes: [
    overview,
    messages,
    ...messageRoutes,
    ...threadRoutes,
    facets,
    timeline,
    suggest,
    ...peopleRoutes,
    ...topicRoutes,
    mentions,
    hits,
    provenance,
    warnings,
    mailboxes,
    files,
    ...outlookRoutes,
    graph,
  ],
  components: { Clause: clauseSchema, Person: personSchema, Row: rowSchema, Facet: facetSchema },
};

function clauseWire({ isExcluded, isNoOperator, forms, ...clause }: UnderstoodClause): ClauseWire {
  return { ...clause, is_excluded: isExcluded, is_no_operator: isNoOperator, forms: [...forms] };
}

export async function rowsWire(archive: Archive, messages: readonly ExploredMessage[]): Promise<RowWire[]> {
  const mailboxOf = await mailboxNames(archive);
  return messages.map((message) => rowWire(message, mailboxOf(message.source, message.mailbox)));
}

function rowWire(message: ExploredMessage, mailbox: NamedMailbox): RowWire {
  return {
    id: message.id,
    message_id: message.messageId,
    thread_id: message.threadId,
    thread_messages: message.threadMessages,
    thread_hits: message.threadHits,
    from: message.from === null ? null : personWire(message.from),
    to: message.to.map(personWire),
    to_count: message.recipientCount,
    subject: message.subject,
    snippet: message.snippet.map(([text, isMatch]) => [text, isMatch]),
    sent_at: publishedDate(message.sentAt),
    mailbox: message.mailbox,
    mailbox_label: mailbox.label,
    attachment_count: message.attachmentCount,
    attachments: [...message.attachments],
    topic_id: message.topicId,
    labels: [...message.labels],
    tags: [...message.tags],
    size_bytes: message.sizeBytes,
    places: message.places,
    same_text: { count: message.sameText.length, message_ids: message.sameText.slice(0, MAX_SAME_TEXT) },
  };
}
