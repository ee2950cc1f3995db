import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadBetterSqlite } from "./better-sqlite.ts";
import { loadNodeSqlite } from "./node-sqlite.ts";
import { IN_MEMORY, type OpenDatabase, type SqliteDatabase } from "./sqlite-database.ts";
import { missingDriver, preservesValues, sqliteDriver } from "./sqlite-driver.ts";
import { resultCodeName } from "./sqlite-error.ts";

/** A driver of this Node.js, or null if it has none that may be used. */
function usable(load: () => OpenDatabase | null): OpenDatabase | null {
  try {
    const open = load();
    return open !== null && preservesValues(open) ? open : null;
  } catch {
    return null;
  }
}

const DRIVERS = [
  { name: "node:sqlite", open: usable(loadNodeSqlite) },
  { name: "better-sqlite3", open: usable(loadBetterSqlite) },
];

it("runs with one driver at least", () => expect(DRIVERS.some(({ open }) => open !== null)).toBe(true));

for (const { name, open } of DRIVERS) {
  if (open === null) it.skip(`the driver ${name} (not available in this Node)`);
  else describe(`the driver ${name}`, () => contract(open));
}

function contract(open: OpenDatabase): void {
  let directory: string;
  const opened: SqliteDatabase[] = [];
  const at = (name: string): string => join(directory, name);
  const openAt = (path: string, options: Parameters<OpenDatabase>[1] = {}): SqliteDatabase => {
    const database = open(path, options);
    opened.push(database);
    return database;
  };
  const inMemory = (): SqliteDatabase => openAt(IN_MEMORY);

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "archivetool-driver-"));
  });
  afterEach(() => {
    for (const database of opened.splice(0)) database.close();
    rmSync(directory, { recursive: true });
  });

  describe("values", () => {
    const NUMBERS = [
      0,
      1,
      -1,
      5.5,
      -0.25,
      2 ** 31,
      -(2 ** 31),
      Number.MAX_SAFE_INTEGER,
      Number.MIN_SAFE_INTEGER,
      1e300,
      5e-324,
      Infinity,
    ];
    const TEXTS = [
      "",
      "plain",
      "a\0b",
      "\0",
      "zoë 🗝",
      "\u{feff}mark",
      "\u{10ffff}",
      "x".repeat(100_000),
      "é\0".repeat(1000),
    ];

    it("come back as they went in", () => {
      const database = inMemory();
      database.exec("CREATE TABLE t(v)");
      const insert = database.prepare("INSERT INTO t(v) VALUES (?) RETURNING v").pluck();
      for (const value of [...NUMBERS, ...TEXTS, null]) expect(insert.get(value)).toBe(value);
      expect(database.prepare("SELECT v FROM t ORDER BY rowid").pluck().all()).toEqual([...NUMBERS, ...TEXTS, null]);
    });

    it("keep the sign of a zero that is not stored", () => {
      expect(inMemory().prepare("SELECT ?").pluck().get(-0)).toBe(-0);
    });

    it("are stored and counted in the type of their column", () => {
      const database = inMemory();
      database.exec("CREATE TABLE t(i INTEGER, r REAL, t TEXT, b BLOB)");
      database.prepare("INSERT INTO t VALUES (?, ?, ?, ?)").run(7, 7, "7", Buffer.from("7"));
      expect(database.prepare("SELECT typeof(i), typeof(r), typeof(t), typeof(b) FROM t").raw().get()).toEqual([
        "integer",
        "real",
        "text",
        "blob",
      ]);
      expect(database.prepare("SELECT i FROM t LIMIT ? OFFSET ?").pluck().all(1, 0)).toEqual([7]);
    });

    it("can be any bytes, also none, and are returned as a separate array", () => {
      const database = inMemory();
      database.exec("CREATE TABLE t(v BLOB NOT NULL)");
      const insert = database.prepare("INSERT INTO t(v) VALUES (?)");
      const large = Uint8Array.from({ length: 70_000 }, (_, index) => index);
      for (const bytes of [new Uint8Array(0), Buffer.alloc(0), Buffer.from([0, 255]), large.subarray(3, 9), large])
        insert.run(bytes);
      const read = database.prepare("SELECT v FROM t ORDER BY rowid").pluck().all() as Uint8Array[];
      expect(read.every((bytes) => bytes instanceof Uint8Array)).toBe(true);
      expect(read.map((bytes) => bytes.length)).toEqual([0, 0, 2, 6, 70_000]);
      expect([...read[2]!, ...read[3]!]).toEqual([0, 255, 3, 4, 5, 6, 7, 8]);
      expect(Buffer.compare(read[4]!, large)).toBe(0);
      read[4]!.fill(0);
      expect(database.prepare("SELECT hex(substr(v, 2, 2)) FROM t WHERE length(v) = 70000").pluck().get()).toBe("0102");
    });

    it("are bound by name from one object", () => {
      const database = inMemory();
      expect(database.prepare("SELECT @a, @b, @a").raw().get({ a: 1, b: "x" })).toEqual([1, "x", 1]);
    });

    it("are rejected if there are too many, or if they cannot be stored", () => {
      const statement = inMemory().prepare("SELECT ?");
      expect(() => statement.get(1, 2)).toThrow();
      expect(() => statement.get(Symbol("x") as never)).toThrow();
    });
  });

  describe("statements", () => {
    const withRows = (): SqliteDatabase => {
      const database = inMemory();
      database.exec("CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT); INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, 'z')");
      return database;
    };

    it("return rows as objects, as arrays, or their first column", () => {
      const database = withRows();
      const sql = "SELECT a, b FROM t WHERE a >= ? ORDER BY a";
      expect(database.prepare(sql).get(2)).toEqual({ a: 2, b: "y" });
      expect(database.prepare(sql).all(2)).toEqual([
        { a: 2, b: "y" },
        { a: 3, b: "z" },
      ]);
      expect(database.prepare(sql).raw().get(2)).toEqual([2, "y"]);
      expect(database.prepare(sql).raw().all(3)).toEqual([[3, "z"]]);
      expect(database.prepare(sql).pluck().get(2)).toBe(2);
      expect(database.prepare(sql).pluck().all(2)).toEqual([2, 3]);
      expect([...database.prepare(sql).iterate(3)]).toEqual([{ a: 3, b: "z" }]);
      expect([...database.prepare(sql).raw().iterate(2)]).toEqual([
        [2, "y"],
        [3, "z"],
      ]);
      expect([...database.prepare(sql).pluck().iterate(1)]).toEqual([1, 2, 3]);
    });

    it("distinguish no row from a row of NULL", () => {
      const database = withRows();
      expect(database.prepare("SELECT max(a) FROM t WHERE a > 9").pluck().get()).toBeNull();
      for (const mode of ["pluck", "raw"] as const)
        expect(database.prepare("SELECT a FROM t WHERE a > 9")[mode]().get()).toBeUndefined();
      expect(database.prepare("SELECT a FROM t WHERE a > 9").get()).toBeUndefined();
      expect(database.prepare("SELECT a FROM t WHERE a > 9").all()).toEqual([]);
    });

    it("return two columns of the same name separately in an array", () => {
      expect(inMemory().prepare("SELECT 1 AS a, 2 AS a").raw().get()).toEqual([1, 2]);
    });

    it("keep no values of the previous call", () => {
      const find = withRows().prepare("SELECT b FROM t WHERE a = ?").pluck();
      expect([find.get(1), find.get(9), find.get(3)]).toEqual(["x", undefined, "z"]);
    });

    it("return the number of changes", () => {
      const database = withRows();
      expect(database.prepare("INSERT INTO t(b) VALUES (?)").run("w")).toMatchObject({
        changes: 1,
        lastInsertRowid: 4,
      });
      expect(database.prepare("UPDATE t SET b = ? WHERE a < ?").run("v", 3).changes).toBe(2);
      expect(database.prepare("DELETE FROM t WHERE a > ?").run(9).changes).toBe(0);
      expect(database.prepare("UPDATE t SET b = 'u' WHERE a = ? RETURNING a, b").get(4)).toEqual({ a: 4, b: "u" });
    });

    it("are released when an iteration ends early", () => {
      const database = withRows();
      for (const row of database.prepare("SELECT a FROM t").pluck().iterate()) if (row === 2) break;
      database.exec("DROP TABLE t");
      expect(database.prepare("SELECT count(*) FROM sqlite_schema").pluck().get()).toBe(0);
    });

    it("can be many and have many columns", () => {
      const database = inMemory();
      const columns = Array.from({ length: 32 * 13 }, (_, index) => index);
      const wide = database.prepare(`SELECT ${columns.map(() => "?").join()}`).raw();
      expect(wide.get(...columns)).toEqual(columns);
    });
  });

  describe("pragmas", () => {
    it("return the first value, and take effect", () => {
      const database = openAt(at("file"));
      expect(database.pragma("page_size = 8192")).toBeUndefined();
      database.exec("CREATE TABLE t(x)");
      expect(database.pragma("page_size")).toBe(8192);
      database.pragma("application_id = 1095910740");
      expect(database.pragma("application_id")).toBe(1095910740);
      expect(database.pragma("mmap_size = 1048576")).toBe(1048576);
    });

    it("cannot turn off the journal, because a failed write would then damage the file", () => {
      expect(openAt(at("file")).pragma("journal_mode = OFF")).toBe("delete");
    });

    it("create a schema without functions that have side effects", () =>
      expect(inMemory().pragma("trusted_schema")).toBe(0));
  });

  describe("transactions", () => {
    it("are committed when they end and rolled back when they throw", () => {
      const database = inMemory();
      database.exec("CREATE TABLE t(x)");
      const insert = database.prepare("INSERT INTO t VALUES (?)");
      for (const begin of ["deferred", "immediate"] as const)
        expect(database.transaction(begin, () => insert.run(1).changes)).toBe(1);
      const fault = new Error("stop");
      const failing = () =>
        database.transaction("immediate", () => {
          insert.run(2);
          throw fault;
        });
      expect(failing).toThrow(fault);
      expect(database.prepare("SELECT x FROM t").pluck().all()).toEqual([1, 1]);
      expect(database.transaction("deferred", () => 5)).toBe(5);
    });

    it("that are immediate lock at once, and wait no longer than the limit", () => {
      const [first, second] = [openAt(at("file")), openAt(at("file"), { timeout: 0 })];
      first.exec("CREATE TABLE t(x)");
      first.transaction("immediate", () => {
        expect(second.transaction("deferred", () => 1)).toBe(1);
        expect(() => second.transaction("immediate", () => 1)).toThrow(
          expect.objectContaining({ name: "SqliteError", code: "SQLITE_BUSY" }),
        );
      });
      expect(second.transaction("immediate", () => 1)).toBe(1);
    });
  });

  describe("opening and closing", () => {
    it("creates a file, unless it must exist", () => {
      for (const options of [{ fileMustExist: true }, { readonly: true }, { readonly: true, fileMustExist: true }]) {
        expect(() => open(at("none"), options)).toThrow(expect.objectContaining({ code: "SQLITE_CANTOPEN" }));
      }
      const database = openAt(at("new"));
      database.exec("CREATE TABLE t(x)");
      expect(database.name).toBe(at("new"));
      expect(openAt(at("new"), { fileMustExist: true }).prepare("SELECT * FROM t").all()).toEqual([]);
    });

    it("treats every name as a path", () => {
      const name = at("file:a?mode=memory#b%41 ü");
      openAt(name).exec("CREATE TABLE t(x)");
      expect(readFileSync(name).subarray(0, 15).toString()).toBe("SQLite format 3");
    });

    it("can be repeated, and statements fail after closing", () => {
      const database = inMemory();
      const statement = database.prepare("SELECT 1");
      database.close();
      database.close();
      expect(() => database.exec("SELECT 1")).toThrow();
      expect(() => statement.get()).toThrow();
    });

    it("reads rows of the write-ahead journal in another connection", () => {
      const database = openAt(at("wal"));
      expect(database.pragma("journal_mode = WAL")).toBe("wal");
      database.exec("CREATE TABLE t(x); INSERT INTO t VALUES (1)");
      expect(openAt(at("wal"), { readonly: true }).prepare("SELECT x FROM t").pluck().get()).toBe(1);
    });
  });

  describe("faults", () => {
    const thrown = (run: () => unknown): unknown => {
      try {
        run();
      } catch (fault) {
        return fault;
      }
      return null;
    };
    const named = (code: string) =>
      expect.objectContaining({ name: "SqliteError", code, message: expect.stringMatching(/./) });

    it("have the names of SQLite result codes", () => {
      const database = openAt(at("file"));
      database.exec(
        "CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT UNIQUE NOT NULL CHECK (b != 'no')); INSERT INTO t VALUES (1, 'x')",
      );
      const insert = database.prepare("INSERT INTO t VALUES (?, ?)");
      const cases: readonly (readonly [code: string, run: () => unknown])[] = [
        ["SQLITE_ERROR", () => database.prepare("SELECT nothing")],
        ["SQLITE_ERROR", () => database.exec("NO SQL")],
        ["SQLITE_CONSTRAINT_PRIMARYKEY", () => insert.run(1, "y")],
        ["SQLITE_CONSTRAINT_UNIQUE", () => insert.run(2, "x")],
        ["SQLITE_CONSTRAINT_NOTNULL", () => insert.run(2, null)],
        ["SQLITE_CONSTRAINT_CHECK", () => insert.run(2, "no")],
        ["SQLITE_MISMATCH", () => insert.run("one", "y")],
        ["SQLITE_READONLY", () => openAt(at("file"), { readonly: true }).exec("DELETE FROM t")],
        ["SQLITE_CANTOPEN", () => open(directory, {}).exec("SELECT * FROM sqlite_schema")],
      ];
      expect(cases.map(([, run]) => thrown(run))).toEqual(cases.map(([code]) => named(code)));
    });

    it("report a full disk, and keep the earlier rows", () => {
      const database = openAt(at("file"));
      database.exec("CREATE TABLE t(b); INSERT INTO t VALUES ('kept')");
      database.pragma("max_page_count = 20");
      const insert = database.prepare("INSERT INTO t VALUES (?)");
      const filling = () =>
        database.transaction("immediate", () => {
          for (;;) insert.run(Buffer.alloc(4000));
        });
      expect(thrown(filling)).toEqual(named("SQLITE_FULL"));
      expect(database.prepare("SELECT b FROM t").pluck().all()).toEqual(["kept"]);
    });

    it("distinguish a file that is not a database from a damaged one", () => {
      writeFileSync(at("text"), "Return-Path: <nadia@quay.example>\n".repeat(500));
      expect(thrown(() => openAt(at("text")).pragma("application_id"))).toEqual(named("SQLITE_NOTADB"));
      const database = openAt(at("damaged"));
      database.exec("CREATE TABLE t(b)");
      const insert = database.prepare("INSERT INTO t VALUES (?)");
      for (let row = 0; row < 200; row++) insert.run(Buffer.alloc(1000));
      database.close();
      const bytes = readFileSync(at("damaged"));
      bytes.fill(0xff, 20 * 4096);
      writeFileSync(at("damaged"), bytes);
      const rows = () => openAt(at("damaged"), { readonly: true }).prepare("SELECT b FROM t");
      let read = 0;
      const walk = () => {
        for (const _ of rows().iterate()) read++;
      };
      expect(thrown(walk)).toEqual(named("SQLITE_CORRUPT"));
      expect(read).toBeGreaterThan(10);
      expect(thrown(() => rows().all())).toEqual(named("SQLITE_CORRUPT"));
      expect(thrown(() => openAt(at("damaged")).prepare("SELECT max(b) FROM t").get())).toEqual(
        named("SQLITE_CORRUPT"),
      );
      expect(thrown(() => openAt(at("damaged")).prepare("UPDATE t SET b = ''").run())).toEqual(named("SQLITE_CORRUPT"));
    });
  });
}

describe("names of result codes", () => {
  it.each([
    [1, "SQLITE_ERROR"],
    [5, "SQLITE_BUSY"],
    [11, "SQLITE_CORRUPT"],
    [13, "SQLITE_FULL"],
    [26, "SQLITE_NOTADB"],
    [266, "SQLITE_IOERR_READ"],
    [516, "SQLITE_ABORT_ROLLBACK"],
    [517, "SQLITE_BUSY_SNAPSHOT"],
    [778, "SQLITE_IOERR_WRITE"],
    [1034, "SQLITE_IOERR_FSYNC"],
    [1032, "SQLITE_READONLY_DBMOVED"],
    [1544, "SQLITE_READONLY_DIRECTORY"],
    [2067, "SQLITE_CONSTRAINT_UNIQUE"],
    [8714, "SQLITE_IOERR_IN_PAGE"],
    [778 + (100 << 8), "SQLITE_IOERR"],
    [99, "SQLITE_99"],
  ])("%i is %s", (code, name) => expect(resultCodeName(code)).toBe(name));
});

describe("the driver of this Node", () => {
  it("is node:sqlite unless that loses data", () => {
    const own = DRIVERS[0]!.open;
    const database = sqliteDriver()(IN_MEMORY, {});
    const isOwn = database.constructor.name === "OpenedDatabase";
    database.close();
    expect(isOwn).toBe(own !== null);
  });

  it("preserves all text of mail", () => {
    const cutting =
      (value: unknown): OpenDatabase =>
      () =>
        ({
          prepare: () => ({
            raw: () => ({ get: () => ["\0.", new Uint8Array(0)].map((kept, place) => (place === 0 ? value : kept)) }),
          }),
          close: () => {},
        }) as unknown as SqliteDatabase;
    expect(preservesValues(cutting("\0."))).toBe(true);
    expect(preservesValues(cutting(""))).toBe(false);
  });

  it.each([
    {
      what: "absent",
      message: "Cannot find module 'better-sqlite3/package.json'\nRequire stack:\n- x",
      code: "MODULE_NOT_FOUND",
      hint: "npm install -g --allow-scripts=better-sqlite3 better-sqlite3@12.11.1",
    },
    {
      what: "without a binary",
      message: "Could not locate the bindings file. Tried:\n x",
      code: undefined,
      hint: "npm rebuild -g --allow-scripts=better-sqlite3 better-sqlite3",
    },
    {
      what: "built for another Node",
      message: "The module was compiled against a different Node.js version",
      code: "ERR_DLOPEN_FAILED",
      hint: "npm rebuild -g --allow-scripts=better-sqlite3 better-sqlite3",
    },
    { what: "too new", message: "version 13.2.0 needs Node.js 22", code: undefined, hint: "better-sqlite3@12.11.1" },
  ])("that is $what is reported in one line, with a solution", ({ message, code, hint }) => {
    const fault = missingDriver(Object.assign(new Error(message), { code }), "20.19.0");
    expect(fault).toMatchObject({
      code: "DRIVER_MISSING",
      message: expect.stringContaining("Node.js 20.19.0"),
      hint: expect.stringContaining(hint),
    });
    expect(`${fault.message}${fault.hint}`).not.toContain("\n");
    expect(fault.hint).toMatch(/^use Node\.js 24\.16 or newer/);
  });
});
