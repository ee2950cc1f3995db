import { contactDetail, contactList } from "./contacts.ts";
import { messageDetail, messageList } from "./messages.ts";
import type { DescribedApi } from "./openapi.ts";
import type { QueryRoute } from "./query-route.ts";
import { search } from "./search.ts";
import { health, statistics } from "./statistics.ts";
import { threadList, threadMessages } from "./threads.ts";
import { topicDetail, topicList } from "./topics.ts";
import {
  contactDetailSchema,
  contactSchema,
  healthSchema,
  messageDetailSchema,
  messageSchema,
  paginationSchema,
  searchResultSchema,
  statisticsSchema,
  threadMessageSchema,
  threadSchema,
  topicDetailSchema,
  topicSchema,
} from "./wire.ts";

/** The eleven routes, in the order of the specification. */
export const QUERY_ROUTES: readonly QueryRoute[] = [
  health,
  contactList,
  contactDetail,
  messageList,
  messageDetail,
  search,
  topicList,
  topicDetail,
  threadList,
  threadMessages,
  statistics,
];

/** The query API as openapi.json describes it. */
export const QUERY_API: DescribedApi = {
  title: "Email archive query API",
  routes: QUERY_ROUTES,
  components: {
    Pagination: paginationSchema,
    Contact: contactSchema,
    ContactDetail: contactDetailSchema,
    Message: messageSchema,
    MessageDetail: messageDetailSchema,
    Topic: topicSchema,
    TopicDetail: topicDetailSchema,
    Thread: threadSchema,
    ThreadMessage: threadMessageSchema,
    SearchResult: searchResultSchema,
    Statistics: statisticsSchema,
    Health: healthSchema,
  },
};
