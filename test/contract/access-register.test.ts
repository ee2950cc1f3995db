import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { uploadEventData } from "../../src/http/upload-service/jobs/event-log.ts";
import type { NewAccessToken } from "../../src/mail/access.ts";
import { AUDIT_CUT_EVERY, AUDIT_DAYS, SESSION_IDLE_MS } from "../../src/store/contract/access-register.ts";
import type { UploadCatalog } from "../../src/store/contract/upload-catalog.ts";
import { connect } from "../../src/store/postgres/client/postgres-client.ts";
import { postgresCatalog } from "../../src/store/postgres/service/upload-catalog.ts";
import { openDatabase } from "../../src/store/sqlite/database/database.ts";
import { openUploadCatalog } from "../../src/store/sqlite/service/upload-catalog.ts";
import { postgresPrograms, startPostgres } from "../postgres-cluster.ts";

/** Tokens and grants, for every kind of catalog. */

const STORES = ["file", "PostgreSQL"] as const;

const programs = postgresPrograms();
const server = programs === null ? null : startPostgres(programs).url;

let directory: string;
const open: UploadCatalog[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "archivetool-access-"));
});
afterEach(async () => {
  for (const catalog of open.splice(0)) await catalog.close();
  rmSync(directory, { recursive: true, force: true });
});

const BY = { name: "operator", at: 1500 };

const token = (name: string, change: Partial<NewAccessToken> = {}): NewAccessToken => ({
  name,
  tokenHash: `token of ${name}`,
  mayUpload: false,
  createdAt: 1000,
  ...change,
});

describe.each(STORES)("the register of access in a %s", (store) => {
  const isMissing = store === "PostgreSQL" && server === null;

  function openOne(): UploadCatalog {
    const catalog =
      store === "file"
        ? openUploadCatalog(join(directory, "catalogue.db"), uploadEventData)
        : postgresCatalog(
            { server: server!, directory: "one for all", owner: "tester", leaseSeconds: 600 },
            uploadEventData,
          );
    open.push(catalog);
    return catalog;
  }

  it.skipIf(isMissing)("recognizes holders by token hashes, and sessions, until they are revoked", async () => {
    const { access } = openOne();
    const other = openOne().access;
    expect([await access.hasTokens(), await access.tokens()]).toEqual([false, []]);
    expect(await access.addToken(token("mara", { mayUpload: true }), BY)).toBe(true);
    expect(await access.addToken(token("ada"), BY)).toBe(true);
    expect(await access.addToken(token("mara", { tokenHash: "x" }), BY)).toBe(false);
    const mara = { name: "mara", mayUpload: true, createdAt: 1000, revokedAt: null };
    expect([await other.hasTokens(), (await other.tokens()).map(({ name }) => name)]).toEqual([true, ["ada", "mara"]]);
    expect([await other.holderOfToken("token of mara"), await other.holderOfToken("session of mara")]).toEqual([
      mara,
      null,
    ]);
    const session = (sessionHash: string, name: string, createdAt: number) => ({
      ...{ sessionHash, name, createdAt, seenAt: createdAt },
      tokenHash: `token of ${name}`,
    });
    const [first, second] = [session("s1", "mara", 1000), session("s2", "ada", 1000)];
    for (const one of [first, second]) await access.startSession(one);
    expect([await other.session("s1"), await other.session("s2"), await other.session("s3")]).toEqual([
      first,
      second,
      null,
    ]);
    await other.touchSession("s2", 5000);
    expect(await access.session("s2")).toEqual({ ...second, seenAt: 5000 });
    // Expired sessions are removed when another one begins.
    await access.startSession(session("s3", "ada", 1001 + SESSION_IDLE_MS));
    expect([await other.session("s1"), await other.session("s2")]).toEqual([null, { ...second, seenAt: 5000 }]);
    await access.endSession("s3");
    expect(await other.session("s3")).toBeNull();
    await access.startSession({ ...first, createdAt: 2000, seenAt: 2000 });
    expect([
      await other.revoke("mara", { ...BY, at: 2000 }),
      await other.revoke("mara", { ...BY, at: 3000 }),
      await other.revoke("nobody", { ...BY, at: 1 }),
    ]).toEqual([true, false, false]);
    expect([await access.holderOfToken("token of mara"), await access.session("s1")]).toEqual([null, null]);
    expect(await access.addToken(token("mara", { tokenHash: "z" }), BY)).toBe(false);
    expect((await access.tokens()).map(({ name, revokedAt }) => [name, revokedAt])).toEqual([
      ["ada", null],
      ["mara", 2000],
    ]);
    expect(await access.hasTokens()).toBe(true);
  });

  it.skipIf(isMissing)(
    "grants an upload to a token in one role, until it is removed or the token is revoked",
    async () => {
      const { access } = openOne();
      for (const name of ["petra", "paul"]) await access.addToken(token(name), BY);
      expect(await access.grant({ name: "nobody", uploadId: "a", role: "reader" }, BY)).toBe(false);
      for (const uploadId of ["b", "a"])
        expect(await access.grant({ name: "petra", uploadId, role: "reader" }, BY)).toBe(true);
      expect(await access.grant({ name: "petra", uploadId: "a", role: "owner" }, BY)).toBe(true);
      expect(await access.grant({ name: "paul", uploadId: "a", role: "reader" }, BY)).toBe(true);
      expect(await access.grants("petra")).toEqual([
        { name: "petra", uploadId: "a", role: "owner" },
        { name: "petra", uploadId: "b", role: "reader" },
      ]);
      const roles = ["petra", "paul", "nobody"].map((name) => access.roleOf(name, "a"));
      expect(await Promise.all(roles)).toEqual(["owner", "reader", null]);
      expect(await access.roleOf("paul", "b")).toBeNull();
      expect([await access.ungrant("petra", "b", BY), await access.ungrant("petra", "b", BY)]).toEqual([true, false]);
      await access.revoke("petra", { ...BY, at: 5 });
      expect([await access.grants("petra"), await access.roleOf("petra", "a")]).toEqual([[], null]);
      expect(await access.grant({ name: "petra", uploadId: "a", role: "reader" }, BY)).toBe(false);
      expect(await access.grants(null)).toEqual([{ name: "paul", uploadId: "a", role: "reader" }]);
    },
  );

  it.skipIf(isMissing)("has one key for event ids, shared by all instances", async () => {
    const key = await openOne().access.eventKey();
    expect(key).toMatch(/^[\da-f]{64}$/);
    expect(await openOne().access.eventKey()).toBe(key);
  });

  const ofServers = store === "PostgreSQL" ? it.skipIf(isMissing) : () => undefined;
  ofServers("ends with a token what it is being granted meanwhile", async () => {
    const setting = { server: server!, directory: "one for all", owner: "another", leaseSeconds: 600 };
    const catalog = postgresCatalog(setting, uploadEventData);
    await catalog.access.addToken(token("una"), BY);
    const granting = await connect(server!, "who grants");
    try {
      await granting.run("BEGIN; SELECT 1 FROM access_tokens WHERE name = 'una' FOR UPDATE");
      await granting.run("INSERT INTO access_grants(name, upload_id, role) VALUES ('una', 'm', 'reader')");
      const revoked = catalog.access.revoke("una", BY);
      await expect.poll(() => granting.rows("SELECT 1 FROM pg_locks WHERE NOT granted")).not.toEqual([]);
      await granting.run("COMMIT");
      expect(await revoked).toBe(true);
      expect(await catalog.access.grants("una")).toEqual([]);
    } finally {
      await granting.close();
      await catalog.close();
    }
  });
  ofServers("comes to the tables of a service that had one token for all", async () => {
    const { access } = openOne();
    await access.addToken(token("early"), BY);
    for (const catalog of open.splice(0)) await catalog.close();
    const client = await connect(server!, "the tables of the first version");
    await client.run("DROP TABLE access_tokens, access_grants, access_state, access_audit CASCADE");
    await client.run("UPDATE service_state SET version = 1");
    await client.close();
    const later = openOne();
    expect([await later.access.hasTokens(), await later.access.auditDays(), await later.list()]).toEqual([
      false,
      AUDIT_DAYS,
      [],
    ]);
    expect(await later.access.addToken(token("early"), BY)).toBe(true);
    // Created once: opening them again changes nothing.
    expect((await openOne().access.tokens()).map(({ name }) => name)).toEqual(["early"]);
  });

  describe("the audit", () => {
    const ALL = { name: null, uploadId: null, since: null };
    const DAY_MS = 86_400_000;

    it.skipIf(isMissing)("has an entry for every change and every recorded access, in order", async () => {
      const { access } = openOne();
      const before = (await access.audited(ALL, 0, 1000)).at(-1)?.sequence ?? 0;
      await access.addToken(token("ines"), BY);
      await access.addToken(token("ines"), BY);
      await access.grant({ name: "ines", uploadId: "z", role: "owner" }, BY);
      await access.grant({ name: "nobody", uploadId: "z", role: "owner" }, BY);
      await access.record({ name: "ines", at: 1600, action: "downloaded", uploadId: "z", detail: "emails.csv" });
      await access.ungrant("ines", "z", { name: "operator", at: 1700 });
      await access.ungrant("ines", "z", BY);
      await access.revoke("ines", { name: "operator", at: 1800 });
      await access.revoke("ines", BY);
      const rows = await openOne().access.audited(ALL, before, 100);
      expect(rows.map(({ sequence: _, ...row }) => Object.values(row).join(" "))).toEqual([
        "1500 operator token made  ines",
        "1500 operator granted z owner ines",
        "1600 ines downloaded z emails.csv",
        "1700 operator ungranted z ines",
        "1800 operator token revoked  ines",
      ]);
      expect(await access.audited({ ...ALL, name: "ines" }, before, 100)).toEqual([rows[2]]);
      expect(await access.audited({ ...ALL, uploadId: "z", since: 1600 }, before, 100)).toEqual([rows[2], rows[3]]);
      expect(await access.audited(ALL, rows[1]!.sequence, 2)).toEqual([rows[2], rows[3]]);
    });

    it.skipIf(isMissing)("keeps entries for a number of days, then removes them", async () => {
      const { access } = openOne();
      expect(await access.auditDays()).toBe(AUDIT_DAYS);
      const now = Date.now();
      const old = { name: "old", at: now - 50 * DAY_MS, action: "opened", uploadId: "o", detail: null } as const;
      await access.record(old);
      await access.record({ ...old, name: "new", at: now - 20 * DAY_MS });
      const names = async (): Promise<readonly string[]> =>
        (await access.audited({ ...ALL, uploadId: "o" }, 0, 100)).map(({ name }) => name);
      await access.keepAudit(60, { name: "operator", at: now });
      expect(await names()).toEqual(["old", "new"]);
      await access.keepAudit(30, { name: "operator", at: now });
      expect(await names()).toEqual(["new"]);
      expect((await access.audited({ ...ALL, since: now }, 0, 100)).map(({ detail }) => detail)).toEqual([
        "60 days",
        "30 days",
      ]);
      await access.keepAudit(AUDIT_DAYS, { name: "operator", at: now });
      // Due entries are deleted automatically, once every few rows.
      for (let row = 0; row < AUDIT_CUT_EVERY; row++) await access.record({ ...old, at: now - 500 * DAY_MS });
      expect((await names()).length).toBeLessThan(AUDIT_CUT_EVERY);
      expect((await names())[0]).toBe("new");
    });

    it.skipIf(isMissing)("is changed and shortened by no statement", async () => {
      await openOne().access.record({ name: "x", at: Date.now(), action: "opened", uploadId: "k", detail: null });
      const statements = ["UPDATE access_audit SET name = 'y'", "DELETE FROM access_audit"];
      if (store === "file") {
        const database = openDatabase(join(directory, "catalogue.db"), {});
        for (const statement of statements) expect(() => database.exec(statement), statement).toThrow(/audit/);
        database.close();
        return;
      }
      const client = await connect(server!, "the audit");
      for (const statement of [...statements, "TRUNCATE access_audit"])
        await expect(client.run(statement), statement).rejects.toThrow(/audit/);
      await client.close();
    });
  });
});
