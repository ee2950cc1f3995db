import type { FastifyInstance } from "fastify";
import { jsonLine } from "../../../document/json-line.ts";
import { isReadable } from "../../../mail/uploads.ts";
import { uploadCountsWire, uploadProvenanceWire } from "../base/wire.ts";
import { uploadWire } from "../base/wire-uploads.ts";
import type { ViewSource } from "../service/service-view.ts";

const JSON_TYPE = "application/json; charset=utf-8";

/** Adds the routes of upload records: list, read, delete. */
export function addUploadRecords(app: FastifyInstance, views: ViewSource): void {
  app.get("/uploads", async (request, reply) => {
    const uploads = await views.of(request).uploads();
    return reply
      .header("cache-control", "no-store")
      .header("x-total-count", String(uploads.length))
      .type(JSON_TYPE)
      .send(jsonLine(uploads.map(uploadWire)));
  });
  app.get<{ Params: { upload_id: string } }>("/uploads/:upload_id", async (request, reply) => {
    const view = views.of(request);
    const upload = await view.upload(request.params.upload_id);
    const provenance = isReadable(upload)
      ? await view.lend(upload.uploadId, async (archive) => uploadProvenanceWire(await archive.provenance()))
      : null;
    const counts = upload.counts === null ? null : uploadCountsWire(upload.counts);
    return reply
      .header("cache-control", "no-store")
      .type(JSON_TYPE)
      .send(jsonLine({ ...uploadWire(upload), counts, provenance }));
  });
  app.delete<{ Params: { upload_id: string } }>("/uploads/:upload_id", async (request, reply) => {
    await views.of(request).remove(request.params.upload_id);
    return reply.code(204).send();
  });
}
