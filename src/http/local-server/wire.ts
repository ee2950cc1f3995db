import * as z from "zod";
import { publishedDate } from "../../document/published-values.ts";
import type { ArchiveStatistics } from "../../mail/records/provenance.ts";
import { contactParameters, messageParameters, threadParameters } from "../query-api/wire-requests.ts";

/** Parameters of the routes under /api/: those of the query API; `sender` is its `from`. */
export const emailParameters = z.object({
  limit: messageParameters.shape.limit,
  offset: messageParameters.shape.offset,
  sender: messageParameters.shape.from,
});
export const contactDirectoryParameters = contactParameters;
export const threadListParameters = threadParameters;

/** `dataset` of /api/status. */
function datasetWire(statistics: ArchiveStatistics) {
  return {
    messages: statistics.totalMessages,
    contacts: statistics.totalContacts,
    threads: statistics.totalThreads,
    topics: statistics.totalTopics,
    calendar_events: statistics.totalCalendarEvents,
    attachments: statistics.totalAttachments,
    date_range: {
      earliest: publishedDate(statistics.dateRange.earliest),
      latest: publishedDate(statistics.dateRange.latest),
    },
  };
}

/** The body of /api/status. */
export function statusWire(
  statistics: ArchiveStatistics,
  server: { readonly version: string; readonly source: string; readonly uptimeMs: number },
) {
  return {
    status: "ok",
    version: server.version,
    source: server.source,
    uptime_ms: Math.round(server.uptimeMs),
    dataset: datasetWire(statistics),
  };
}

/** `data` of the event `upload` of the server of `open`: the outcome of the extraction. */
export type OpeningWire =
  | { readonly status: "completed"; readonly error: null }
  | { readonly status: "failed"; readonly error: { readonly code: string; readonly message: string } };
