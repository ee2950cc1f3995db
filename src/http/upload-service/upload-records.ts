import type { FastifyInstance } from "fastify";
import { jsonLine } from "../../document/json-line.ts";
import { type CompletedArchives, requireUpload } from "./completed-archives.ts";
import type { Service } from "./service.ts";
import type { UploadOriginals } from "./upload-originals.ts";
import { uploadCountsWire, uploadProvenanceWire } from "./wire.ts";
import { uploadWire } from "./wire-uploads.ts";

const JSON_TYPE = "application/json; charset=utf-8";

/** Adds what is known of uploads: their list, one of them, and its end. */
export function addUploadRecords(
  app: FastifyInstance,
  service: Service,
  { archives, originals }: { readonly archives: CompletedArchives; readonly originals: UploadOriginals },
): void {
  app.get("/uploads", async (_request, reply) => {
    const uploads = service.catalogue.list();
    return reply
      .header("cache-control", "no-store")
      .header("x-total-count", String(uploads.length))
      .type(JSON_TYPE)
      .send(jsonLine(uploads.map(uploadWire)));
  });
  app.get<{ Params: { upload_id: string } }>("/uploads/:upload_id", async ({ params }, reply) => {
    const upload = requireUpload(service, params.upload_id);
    const provenance =
      upload.status === "completed"
        ? await archives.lend(upload.uploadId, async (archive) => uploadProvenanceWire(await archive.provenance()))
        : null;
    const counts = upload.counts === null ? null : uploadCountsWire(upload.counts);
    return reply
      .header("cache-control", "no-store")
      .type(JSON_TYPE)
      .send(jsonLine({ ...uploadWire(upload), counts, provenance }));
  });
  app.delete<{ Params: { upload_id: string } }>("/uploads/:upload_id", async ({ params }, reply) => {
    const { uploadId } = requireUpload(service, params.upload_id);
    archives.forget(uploadId);
    await originals.forget(uploadId);
    await service.queue.cancel(uploadId);
    return reply.code(204).send();
  });
}
