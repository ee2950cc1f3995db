import fs, { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  firstBytes,
  ReusableFileReader,
  readFully,
  readFullyAsync,
  writeFully,
  writeFullyAsync,
} from "./read-fully.ts";

const directory = mkdtempSync(join(tmpdir(), "archivetool-whole-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function fileOf(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

/** Opens a descriptor and closes it afterwards. */
function withOpen<T>(path: string, flags: string, act: (descriptor: number) => T): T {
  const descriptor = openSync(path, flags);
  try {
    return act(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

describe("readFully", () => {
  const path = fileOf("read", "0123456789");

  it("fills the target from a position, and reports the end of the file", () => {
    const target = Buffer.alloc(6);
    withOpen(path, "r", (descriptor) => {
      expect(readFully(descriptor, target, 2)).toBe(6);
      expect(target.toString()).toBe("234567");
      expect(readFully(descriptor, target, 7)).toBe(3);
      expect(target.toString("latin1", 0, 3)).toBe("789");
      expect(readFully(descriptor, target, 10)).toBe(0);
      expect(readFully(descriptor, target.subarray(0, 0), 0)).toBe(0);
    });
  });

  it("continues at the position of the descriptor", () => {
    const target = Buffer.alloc(6);
    withOpen(path, "r", (descriptor) => {
      expect([readFully(descriptor, target, null), target.toString()]).toEqual([6, "012345"]);
      expect([readFully(descriptor, target, null), target.toString("latin1", 0, 4)]).toEqual([4, "6789"]);
    });
  });

  it("reads the same while others are served", async () => {
    const handle = await open(path, "r");
    const target = Buffer.alloc(6);
    expect([await readFullyAsync(handle, target, 7), target.toString("latin1", 0, 3)]).toEqual([3, "789"]);
    await handle.close();
  });
});

describe("writeFully", () => {
  it("writes at a position, or after the last write", async () => {
    const path = fileOf("written", "..........");
    withOpen(path, "r+", (descriptor) => {
      writeFully(descriptor, Buffer.from("ab"));
      writeFully(descriptor, Buffer.from("cd"));
      writeFully(descriptor, Buffer.from("ef"), 8);
    });
    expect(readFileSync(path, "latin1")).toBe("abcd....ef");
    const handle = await open(path, "r+");
    await writeFullyAsync(handle, Buffer.from("gh"), 5);
    await handle.close();
    expect(readFileSync(path, "latin1")).toBe("abcd.gh.ef");
  });
});

it("reads the first bytes of a file, or fewer", () => {
  const path = fileOf("head", "From");
  expect([firstBytes(path, 2).toString(), firstBytes(path, 9).toString()]).toEqual(["Fr", "From"]);
});

it("reads several files into the same memory", () => {
  const reader = new ReusableFileReader();
  const long = reader.read(fileOf("long", "12345678"));
  expect(Buffer.from(long).toString()).toBe("12345678");
  expect(Buffer.from(reader.read(fileOf("short", "ab"))).toString()).toBe("ab");
  expect(reader.read(fileOf("none", ""))).toHaveLength(0);
});

describe("a system that reads and writes three bytes at a time", () => {
  const { readSync, writeSync } = fs;
  beforeAll(() => {
    fs.readSync = ((file: number, into: Uint8Array, at: number, length: number, position: number | null) =>
      readSync(file, into, at, Math.min(3, length), position)) as typeof readSync;
    fs.writeSync = ((file: number, from: Uint8Array, at: number, length: number, position: number | null) =>
      writeSync(file, from, at, Math.min(3, length), position)) as typeof writeSync;
    syncBuiltinESMExports();
  });
  afterAll(() => {
    Object.assign(fs, { readSync, writeSync });
    syncBuiltinESMExports();
  });

  it.each([null, 0])("is called until everything is done, from %s on", (position) => {
    const path = fileOf("slow", "");
    withOpen(path, "r+", (descriptor) => writeFully(descriptor, Buffer.from("0123456789"), position));
    expect(readFileSync(path, "latin1")).toBe("0123456789");
    const target = Buffer.alloc(8);
    expect(withOpen(path, "r", (descriptor) => readFully(descriptor, target, position))).toBe(8);
    expect(target.toString()).toBe("01234567");
  });
});
