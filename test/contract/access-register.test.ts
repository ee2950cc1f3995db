import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { uploadEventData } from "../../src/http/upload-service/event-log.ts";
import { openSharedCatalogue } from "../../src/http/upload-service/shared-catalogue.ts";
import type { NewAccessToken } from "../../src/mail/access.ts";
import { openUploadCatalogue } from "../../src/store/sqlite/upload-catalogue.ts";
import type { UploadCatalogue } from "../../src/store/upload-catalogue.ts";
import { postgresPrograms, startPostgres } from "../postgres-cluster.ts";

/** Tokens and grants, wherever the catalogue is kept. */

const STORES = ["file", "PostgreSQL"] as const;

const programs = postgresPrograms();
const server = programs === null ? null : startPostgres(programs).url;

let directory: string;
const open: UploadCatalogue[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "archivetool-access-"));
});
afterEach(() => {
  for (const catalogue of open.splice(0)) catalogue.close();
  rmSync(directory, { recursive: true, force: true });
});

const token = (name: string, change: Partial<NewAccessToken> = {}): NewAccessToken => ({
  name,
  tokenHash: `token of ${name}`,
  sessionHash: `session of ${name}`,
  mayUpload: false,
  createdAt: 1000,
  ...change,
});

describe.each(STORES)("the register of access in a %s", (store) => {
  const isMissing = store === "PostgreSQL" && server === null;

  function openOne(): UploadCatalogue {
    const catalogue =
      store === "file"
        ? openUploadCatalogue(join(directory, "catalogue.db"), uploadEventData)
        : openSharedCatalogue({ server: server!, directory: "one for all", owner: "tester", leaseSeconds: 600 });
    open.push(catalogue);
    return catalogue;
  }

  it.skipIf(isMissing)("knows holders by the hashes of their tokens and sessions, until they are revoked", () => {
    const { access } = openOne();
    const other = openOne().access;
    expect([access.hasTokens(), access.tokens()]).toEqual([false, []]);
    expect(access.addToken(token("mara", { mayUpload: true }))).toBe(true);
    expect(access.addToken(token("ada"))).toBe(true);
    expect(access.addToken(token("mara", { tokenHash: "x", sessionHash: "y" }))).toBe(false);
    const mara = { name: "mara", mayUpload: true, createdAt: 1000, revokedAt: null };
    expect([other.hasTokens(), other.tokens().map(({ name }) => name)]).toEqual([true, ["ada", "mara"]]);
    expect([other.holderOfToken("token of mara"), other.holderOfSession("session of mara")]).toEqual([mara, mara]);
    expect([other.holderOfToken("session of mara"), other.holderOfSession("token of mara")]).toEqual([null, null]);
    expect([other.revoke("mara", 2000), other.revoke("mara", 3000), other.revoke("nobody", 1)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([access.holderOfToken("token of mara"), access.holderOfSession("session of mara")]).toEqual([null, null]);
    expect(access.addToken(token("mara", { tokenHash: "z", sessionHash: "z" }))).toBe(false);
    expect(access.tokens().map(({ name, revokedAt }) => [name, revokedAt])).toEqual([
      ["ada", null],
      ["mara", 2000],
    ]);
    expect(access.hasTokens()).toBe(true);
  });

  it.skipIf(isMissing)(
    "grants an upload to a token in one role, until it is taken away or the token is revoked",
    () => {
      const { access } = openOne();
      for (const name of ["petra", "paul"]) access.addToken(token(name));
      expect(access.grant({ name: "nobody", uploadId: "a", role: "reader" })).toBe(false);
      for (const uploadId of ["b", "a"]) expect(access.grant({ name: "petra", uploadId, role: "reader" })).toBe(true);
      expect(access.grant({ name: "petra", uploadId: "a", role: "owner" })).toBe(true);
      expect(access.grant({ name: "paul", uploadId: "a", role: "reader" })).toBe(true);
      expect(access.grants("petra")).toEqual([
        { name: "petra", uploadId: "a", role: "owner" },
        { name: "petra", uploadId: "b", role: "reader" },
      ]);
      expect(["petra", "paul", "nobody"].map((name) => access.roleOf(name, "a"))).toEqual(["owner", "reader", null]);
      expect(access.roleOf("paul", "b")).toBeNull();
      expect([access.ungrant("petra", "b"), access.ungrant("petra", "b")]).toEqual([true, false]);
      access.revoke("petra", 5);
      expect([access.grants("petra"), access.roleOf("petra", "a")]).toEqual([[], null]);
      expect(access.grant({ name: "petra", uploadId: "a", role: "reader" })).toBe(false);
      expect(access.grants(null)).toEqual([{ name: "paul", uploadId: "a", role: "reader" }]);
    },
  );

  it.skipIf(isMissing)("has one key for the ids of events, the same for all that open it", () => {
    const key = openOne().access.eventKey();
    expect(key).toMatch(/^[\da-f]{64}$/);
    expect(openOne().access.eventKey()).toBe(key);
  });
});
