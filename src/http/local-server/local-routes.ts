import type { z } from "zod";
import { statsDocument } from "../../document/archive-stats.ts";
import { provenanceDocument } from "../../document/provenance.ts";
import { summarizeArchive } from "../../outputs/archive-summary.ts";
import { TOOL_VERSION } from "../../version.ts";
import { MessagePage } from "../query-api/message-page.ts";
import { contactWire, paginationWire, threadWire } from "../query-api/wire-records.ts";
import { noParameters } from "../query-api/wire-requests.ts";
import { type RouteDefinition, type RouteRow, routeRow } from "../route-row.ts";
import { contactDirectoryParameters, emailParameters, statusWire, threadListParameters } from "./wire.ts";

/** Data of the server. */
export interface LocalSetting {
  /** The `<source>` argument it was started with. */
  readonly source: string;
  readonly environment: string;
  uptimeMs(): number;
}

/** A route under /api/. */
type LocalRoute = RouteRow<LocalSetting, object>;

/** Helps the schemas of a row to type its handler. */
function localRoute<Q extends z.ZodObject>(
  route: RouteDefinition<LocalSetting, object, Q, z.ZodUndefined>,
): LocalRoute {
  return routeRow(route);
}

export const LOCAL_ROUTES: readonly LocalRoute[] = [
  localRoute({
    path: "/api/status",
    summary: "archive name and start time",
    parameters: noParameters,
    async answer({ archive, setting }) {
      return statusWire(await archive.stats(), {
        version: TOOL_VERSION,
        source: setting.source,
        uptimeMs: setting.uptimeMs(),
      });
    },
  }),
  localRoute({
    path: "/api/stats",
    summary: "statistics of the archive",
    parameters: noParameters,
    answer: async ({ archive }) => statsDocument(await summarizeArchive(archive)),
  }),
  localRoute({
    path: "/api/emails",
    summary: "messages, newest first",
    parameters: emailParameters,
    async answer({ archive, parameters }) {
      const filter = parameters.sender ? { from: parameters.sender } : {};
      const { items, total } = await archive.messages.list("sent_at", parameters, filter);
      return new MessagePage(items, (emails) => ({ emails, pagination: paginationWire(total, parameters) }));
    },
  }),
  localRoute({
    path: "/api/contacts",
    summary: "contacts",
    parameters: contactDirectoryParameters,
    async answer({ archive, parameters }) {
      const { items, total } = await archive.contacts.list(parameters.sort, parameters, parameters.search);
      return { contacts: items.map(contactWire), pagination: paginationWire(total, parameters) };
    },
  }),
  localRoute({
    path: "/api/threads",
    summary: "threads",
    parameters: threadListParameters,
    async answer({ archive, parameters }) {
      const { items, total } = await archive.threads.list(parameters);
      return { threads: items.map(threadWire), pagination: paginationWire(total, parameters) };
    },
  }),
  localRoute({
    path: "/api/provenance",
    summary: "provenance of the archive",
    parameters: noParameters,
    answer: async ({ archive }) => provenanceDocument(await archive.provenance()),
  }),
];
