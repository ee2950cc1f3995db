import type { z } from "zod";
import { statsDocument } from "../../document/archive-stats.ts";
import { provenanceDocument } from "../../document/provenance.ts";
import type { Archive } from "../../mail/archive.ts";
import { summarizeArchive } from "../../outputs/archive-summary.ts";
import { TOOL_VERSION } from "../../version.ts";
import { MessagePage } from "../query-api/message-page.ts";
import { contactWire, paginationWire, threadWire } from "../query-api/wire-records.ts";
import { noParameters } from "../query-api/wire-requests.ts";
import { contactDirectoryParameters, emailParameters, statusWire, threadListParameters } from "./wire.ts";

/** What the server knows of itself. */
export interface LocalSetting {
  /** The `<source>` argument it was started with. */
  readonly source: string;
  readonly environment: string;
  uptimeMs(): number;
}

/** One row of the table of routes under /api/. */
export interface LocalRoute {
  readonly path: string;
  readonly parameters: z.ZodObject;
  answer(archive: Archive, parameters: unknown, setting: LocalSetting): Promise<object>;
}

function localRoute<Q extends z.ZodObject>(
  path: string,
  parameters: Q,
  answer: (archive: Archive, parameters: z.infer<Q>, setting: LocalSetting) => Promise<object>,
): LocalRoute {
  return { path, parameters, answer: (archive, checked, setting) => answer(archive, checked as z.infer<Q>, setting) };
}

export const LOCAL_ROUTES: readonly LocalRoute[] = [
  localRoute("/api/status", noParameters, async (archive, _, setting) =>
    statusWire(await archive.stats(), { version: TOOL_VERSION, source: setting.source, uptimeMs: setting.uptimeMs() }),
  ),
  localRoute("/api/stats", noParameters, async (archive) => statsDocument(await summarizeArchive(archive))),
  localRoute("/api/emails", emailParameters, async (archive, parameters) => {
    const filter = parameters.sender ? { from: parameters.sender } : {};
    const { items, total } = await archive.messages.list("sent_at", parameters, filter);
    return new MessagePage(items, (emails) => ({ emails, pagination: paginationWire(total, parameters) }));
  }),
  localRoute("/api/contacts", contactDirectoryParameters, async (archive, parameters) => {
    const { items, total } = await archive.contacts.list(parameters.sort, parameters, parameters.search);
    return { contacts: items.map(contactWire), pagination: paginationWire(total, parameters) };
  }),
  localRoute("/api/threads", threadListParameters, async (archive, parameters) => {
    const { items, total } = await archive.threads.list(parameters);
    return { threads: items.map(threadWire), pagination: paginationWire(total, parameters) };
  }),
  localRoute("/api/provenance", noParameters, async (archive) => provenanceDocument(await archive.provenance())),
];
