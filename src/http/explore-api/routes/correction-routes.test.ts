import fastify from "fastify";
import { expect, it } from "vitest";
import type { ArchiveError } from "../../../errors.ts";
import type { Archive } from "../../../mail/archive.ts";
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
