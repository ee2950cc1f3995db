import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { BlobStorage } from "../../src/http/upload-service/storage/blob-storage.ts";
import { createUploadService } from "../../src/http/upload-service/upload-service.ts";
import { createServiceFixture, type ServiceFixture } from "./service-fixture.ts";

/** Responses to a request for an upload that is being removed at that moment. */

const SETTING = {
  host: "127.0.0.1",
  token: null,
  allowedHosts: [],
  allowedOrigins: [],
  environment: "contract",
  rateLimit: null,
} as const;

let fixture: ServiceFixture;
let app: FastifyInstance;
let url: string;
let uploadId: string;
/** Events after the check that the upload exists, and before its files are read. */
let inBetween: () => Promise<void>;

beforeEach(async () => {
  fixture = await createServiceFixture();
  inBetween = () => Promise.resolve();
  const storage: Pick<BlobStorage, "bringArchive" | "bringSources"> = {
    bringArchive: () => inBetween(),
    bringSources: async () => {
      await inBetween();
      return true;
    },
  };
  app = await createUploadService({ ...fixture.service, storage: storage as BlobStorage }, SETTING, null);
  url = await app.listen({ host: "127.0.0.1", port: 0 });
  uploadId = await fixture.addCompleted("harbour.mbox");
});
afterEach(async () => {
  await app.close();
  await fixture.remove();
});

const ROUTES = [
  (id: string) => `/messages?upload_id=${id}`,
  (id: string) => `/search?q=the&upload_id=${id}`,
  (id: string) => `/graph?upload_id=${id}`,
  (id: string) => `/uploads/${id}/query/messages`,
  (id: string) => `/uploads/${id}/explore/overview`,
  (id: string) => `/uploads/${id}/explore/notebook`,
  (id: string) => `/uploads/${id}/extraction.json`,
  (id: string) => `/uploads/${id}/wiki.zip`,
  (id: string) => `/uploads/${id}/wiki`,
  (id: string) => `/uploads/${id}/messages/msg-000001/original`,
  (id: string) => `/uploads/${id}/export?format=mbox`,
] as const;

it.each(ROUTES.map((path) => [path("ID"), path] as const))("returns not found for %s", async (_, path) => {
  const removed = async (): Promise<void> => {
    inBetween = () => Promise.resolve();
    await fixture.service.queue.cancel(uploadId);
  };
  inBetween = removed;
  const answer = await fetch(url + path(uploadId));
  expect(inBetween, "the upload was removed in between").not.toBe(removed);
  expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: "NOT_FOUND" } }]);
  expect(await fixture.catalog.list()).toEqual([]);
});

it("returns the error of an existing upload", async () => {
  inBetween = () => Promise.reject(new Error("a fault of ours"));
  const answer = await fetch(`${url}/messages?upload_id=${uploadId}`);
  expect([answer.status, await answer.json()]).toMatchObject([500, { error: { code: "INTERNAL_ERROR" } }]);
});
