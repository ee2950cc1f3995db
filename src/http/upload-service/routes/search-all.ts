import type { FastifyInstance } from "fastify";
import * as z from "zod";
import { jsonLine } from "../../../document/json-line.ts";
import { isReadable, type UploadRecord } from "../../../mail/uploads.ts";
import { queryOf } from "../../checked-request.ts";
import { rowsWire } from "../../explore-api/explore-routes.ts";
import { queryParameters } from "../../explore-api/setting/query-parameters.ts";
import { limit } from "../../query-api/wire-requests.ts";
import { refusalOf } from "../../refusal.ts";
import type { SearchedArchiveWire, UploadSearchWire } from "../base/wire-search.ts";
import type { ServiceView, ViewSource } from "../service/service-view.ts";

export const SEARCH_ALL_PATH = "/uploads/search";

/** Maximum results per archive; its own page shows the others. */
const MAX_RESULTS = 50;

const searchAllParameters = z.object({ ...queryParameters, limit: limit(5, MAX_RESULTS) });
type SearchAll = z.infer<typeof searchAllParameters>;

/** Adds the search of all completed uploads that the caller may read. */
export function addSearchAll(app: FastifyInstance, views: ViewSource): void {
  app.get(SEARCH_ALL_PATH, async (request, reply) => {
    const search = queryOf(searchAllParameters, request);
    const body = await searchAll(views.of(request), search);
    return reply.header("cache-control", "no-store").type("application/json; charset=utf-8").send(jsonLine(body));
  });
}

async function searchAll(view: ServiceView, search: SearchAll): Promise<UploadSearchWire> {
  const readable = (await view.uploads()).filter(isReadable);
  const archives: SearchedArchiveWire[] = [];
  const problems = new Set<string>();
  // Sequential, so that few archives are open at a time; one search already uses the processor fully.
  for (const upload of readable) {
    const found = await searchOne(view, upload, search);
    for (const problem of found.problems) problems.add(problem);
    archives.push(found.archive);
  }
  return {
    total: archives.reduce((sum, { total }) => sum + (total ?? 0), 0),
    searched: archives.length,
    problems: [...problems],
    archives: archives.filter(({ total }) => total !== 0).sort((one, other) => (other.total ?? 0) - (one.total ?? 0)),
  };
}

interface FoundInOne {
  readonly archive: SearchedArchiveWire;
  readonly problems: readonly string[];
}

/** The results of an upload. An archive that cannot be read is reported, so that the others are still searched. */
async function searchOne(
  view: ServiceView,
  { uploadId, filename }: UploadRecord,
  { q, match, limit: most }: SearchAll,
): Promise<FoundInOne> {
  const named = { upload_id: uploadId, filename };
  try {
    return await view.lend(uploadId, async (archive) => {
      const request = { query: q, match, sort: "relevance", repeats: "folded", offset: 0, limit: most } as const;
      const { total, problems, messages } = await archive.explore.page(request);
      return { archive: { ...named, total, error: null, messages: await rowsWire(archive, messages) }, problems };
    });
  } catch (error) {
    const { code } = refusalOf(error);
    if (code !== "ARCHIVE_DAMAGED" && code !== "NOT_FOUND") throw error;
    // Deleted after it was listed.
    if (code === "NOT_FOUND") return { archive: { ...named, total: 0, error: null, messages: [] }, problems: [] };
    return { archive: { ...named, total: null, error: code, messages: [] }, problems: [] };
  }
}
