import { contactDetail, contactList } from "./contacts.ts";
import { messageDetail, messageList } from "./messages.ts";
import type { QueryRoute } from "./query-route.ts";
import { search } from "./search.ts";
import { health, statistics } from "./statistics.ts";
import { threadList, threadMessages } from "./threads.ts";
import { topicDetail, topicList } from "./topics.ts";

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
