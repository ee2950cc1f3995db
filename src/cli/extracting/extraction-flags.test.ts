import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, it } from "vitest";
import { PASSWORD_VARIABLE, passwordFromFlags } from "./extraction-flags.ts";

const directory = mkdtempSync(join(tmpdir(), "archivetool-password-"));
const passwordFile = join(directory, "password");
let warnings: string[] = [];
const log = { warning: (line: string): void => void warnings.push(line) };

afterEach(() => {
  warnings = [];
  delete process.env[PASSWORD_VARIABLE];
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it("reads a password from the first line of a file", () => {
  writeFileSync(passwordFile, "tide table \r\nsecond line\n");
  expect(passwordFromFlags({ passwordFile }, log)).toBe("tide table ");
  expect(warnings).toEqual([]);
});

it("reads a password from the environment, and removes it there", () => {
  process.env[PASSWORD_VARIABLE] = "tide";
  expect(passwordFromFlags({}, log)).toBe("tide");
  expect(process.env[PASSWORD_VARIABLE]).toBe(undefined);
  expect(passwordFromFlags({}, log)).toBe(null);
});

it("warns that --password is visible to other users, without printing it", () => {
  process.env[PASSWORD_VARIABLE] = "tide";
  expect(passwordFromFlags({ password: "quay" }, log)).toBe("quay");
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).not.toContain("quay");
});

it("rejects two passwords, and a missing file", () => {
  expect(() => passwordFromFlags({ password: "quay", passwordFile }, log)).toThrow("cannot be combined");
  expect(() => passwordFromFlags({ passwordFile: join(directory, "none") }, log)).toThrow(
    "cannot read --password-file",
  );
});
