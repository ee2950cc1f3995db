import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { listTokens, withCatalog } from "./manage-access.ts";

const scratch = mkdtempSync(join(tmpdir(), "archivetool-access-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

it("creates a missing data directory only for a new token", async () => {
  const service = { dataDirectory: join(scratch, "data"), store: null };
  await expect(withCatalog({ ...service, mayCreate: false }, listTokens)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(existsSync(service.dataDirectory)).toBe(false);
  expect(await withCatalog({ ...service, mayCreate: true }, listTokens)).toEqual([]);
  expect(await withCatalog({ ...service, mayCreate: false }, listTokens)).toEqual([]);
});
