import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fastify from "fastify";
import { expect, it } from "vitest";
import type { ArchiveError } from "../../../errors.ts";
import type { Archive } from "../../../mail/archive.ts";
import { archiveIn } from "../../../store/contract/archive-location.ts";
import {
  correctionsHash,
  correctionsRevision,
  fileCorrections,
  PEOPLE_FILE,
  TOPICS_FILE,
} from "../../../store/notebook/corrections-file.ts";
import { parseTopicCorrections } from "../../../topics/topic-corrections.ts";
import { CorrectionFollower } from "../setting/correction-follower.ts";
import { addCorrections } from "./correction-routes.ts";

it("reports which corrections an archive does not support", async () => {
  const app = fastify();
  const errors: ArchiveError[] = [];
  app.setErrorHandler<ArchiveError>((error, _, reply) => {
    errors.push(error);
    return reply.code(404).send();
  });
  addCorrections(app, (_, use) => use({ archive: {} as Archive, corrections: null }));
  expect((await app.inject("/corrections")).json().data).toBeNull();
  await app.inject("/corrections/suggestions");
  expect(errors.map(({ code }) => code)).toEqual(["NOT_FOUND"]);
  expect(errors[0]!.hint).toContain("a collection and a document");
});

it("corrects a topic only when the archive shows earlier corrections: its name would have no effect", async () => {
  const directory = mkdtempSync(join(tmpdir(), "archivetool-correction-routes-"));
  const topics = fileCorrections(archiveIn(directory), TOPICS_FILE);
  let shown = correctionsHash([], []);
  let runs = 0;
  const follower = new CorrectionFollower(async () => void runs++);
  const archive = {
    provenance: async () => ({ people: { corrections: shown, suggestions: "" } }),
    topics: { get: async () => ({ name: "Dredging" }) },
  } as unknown as Archive;
  const corrections = { people: fileCorrections(archiveIn(directory), PEOPLE_FILE), topics, follower };
  const app = fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_, body, done) => done(null, body));
  app.setErrorHandler<ArchiveError>((error, _, reply) =>
    reply.code(error.code === "NOTEBOOK_CHANGED" ? 409 : 500).send(),
  );
  addCorrections(app, (_, use) => use({ archive, corrections }));
  const correct = async (path: string, body: object): Promise<number> => {
    const revision = correctionsRevision(await topics.text());
    const headers = { host: "127.0.0.1", origin: "http://127.0.0.1", "content-type": "application/json" };
    const payload = JSON.stringify({ ...body, revision });
    return (await app.inject({ method: "POST", url: `/corrections/topics/${path}`, headers, payload })).statusCode;
  };
  expect(await correct("rename", { topic: "topic-001", name: "Dredger" })).toBe(200);
  const text = await topics.text();
  expect(await correct("hide", { topic: "topic-001" })).toBe(409);
  expect(await topics.text()).toBe(text);
  expect(runs).toBe(2);
  shown = correctionsHash([], parseTopicCorrections(text, TOPICS_FILE));
  expect(await correct("hide", { topic: "topic-001" })).toBe(200);
  shown = "";
  expect(await correct("undo", {})).toBe(200);
  expect(await topics.text()).toBe(text);
  rmSync(directory, { recursive: true });
});
