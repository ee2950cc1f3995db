import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fastify from "fastify";
import { expect, it } from "vitest";
import { addExport } from "./export-files.ts";

it("leaves no files if the server ends right after an export", async () => {
  const directory = join(mkdtempSync(join(tmpdir(), "export-files-")), "one");
  const app = fastify();
  addExport(app, "/export", {
    newDirectory: () => directory,
    // Enough files that removing them takes longer than the response.
    async lend() {
      for (let number = 0; number < 3_000; number++) writeFileSync(join(directory, `${number}.eml`), "mail");
      return [] as never;
    },
  });
  const origin = await app.listen({ host: "127.0.0.1", port: 0 });
  const answer = await fetch(`${origin}/export?format=eml`, { headers: { connection: "close" } });
  const zip = Buffer.from(await answer.arrayBuffer());
  expect([answer.status, zip.subarray(0, 2).toString()]).toEqual([200, "PK"]);
  await app.close();
  expect(existsSync(directory)).toBe(false);
});
