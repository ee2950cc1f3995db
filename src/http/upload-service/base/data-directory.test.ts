import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openService, type ServiceSetting } from "../service/service.ts";
import { openDataDirectory } from "./data-directory.ts";

let scratch: string;

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), "archivetool-data-"));
});

afterEach(() => rmSync(scratch, { recursive: true, force: true }));

describe("the data directory", () => {
  it("is created for one user, and can be opened again", () => {
    const root = join(scratch, "deep", "data");
    const directory = openDataDirectory(root);
    for (const path of [directory.root, directory.incoming, directory.uploads])
      expect(statSync(path).mode & 0o777).toBe(0o700);
    chmodSync(root, 0o755);
    openDataDirectory(root);
    expect(statSync(root).mode & 0o777).toBe(0o700);
  });

  it("is rejected if it contains other files", () => {
    writeFileSync(join(scratch, "thesis.txt"), "");
    expect(() => openDataDirectory(scratch)).toThrowError(expect.objectContaining({ code: "OUTPUT_NOT_OURS" }));
    expect(statSync(scratch).mode & 0o777).toBe(0o700);
    expect(readdirSync(scratch)).toEqual(["thesis.txt"]);
  });

  it("is opened if it was created but never used", () => {
    mkdirSync(join(scratch, "incoming"));
    openDataDirectory(scratch);
    expect(existsSync(join(scratch, "uploads"))).toBe(true);
  });

  it("explains why a path is not a directory", () => {
    const file = join(scratch, "file");
    writeFileSync(file, "");
    expect(() => openDataDirectory(file)).toThrowError(expect.objectContaining({ code: "OUTPUT_UNWRITABLE" }));
  });
});

describe("a service", () => {
  const setting = (): ServiceSetting => ({
    dataDirectory: join(scratch, "data"),
    store: null,
    limits: { maxUploadBytes: 1, diskMarginBytes: 1, discardsOriginals: false },
    jobs: 1,
    threads: 1,
    startJob: () => {
      throw new Error("no job in this test");
    },
    log: { info: () => undefined, error: () => undefined },
    now: () => 0,
  });

  it("locks its data directory until it is closed", async () => {
    const first = await openService(setting());
    await expect(openService(setting())).rejects.toMatchObject({ code: "SERVICE_RUNNING" });
    await first.close();
    const second = await openService(setting());
    await second.close();
    const names = ["catalogue.db", "catalogue.db.sha256", "incoming", "service.lock", "uploads"];
    expect(readdirSync(join(scratch, "data")).sort()).toEqual(names);
  });

  it("unlocks it if opening fails", async () => {
    const { root } = openDataDirectory(setting().dataDirectory);
    writeFileSync(join(root, "catalogue.db"), "no catalog ".repeat(100));
    await expect(openService(setting())).rejects.toMatchObject({ code: "NOT_AN_ARCHIVE" });
    rmSync(join(root, "catalogue.db"));
    await (await openService(setting())).close();
  });
});
