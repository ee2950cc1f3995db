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

it("takes a password from a file, and its first line alone", () => {
  writeFileSync(passwordFile, "tide table \r\nsecond line\n");
  expect(passwordFromFlags({ passwordFile }, log)).toBe("tide table ");
  expect(warnings).toEqual([]);
});

it("takes a password from the environment, where nobody finds it afterwards", () => {
  process.env[PASSWORD_VARIABLE] = "tide";
  expect(passwordFromFlags({}, log)).toBe("tide");
  expect(process.env[PASSWORD_VARIABLE]).toBe(undefined);
  expect(passwordFromFlags({}, log)).toBe(null);
});

it("warns that others can see the one of the command line, without showing it", () => {
  process.env[PASSWORD_VARIABLE] = "tide";
  expect(passwordFromFlags({ password: "quay" }, log)).toBe("quay");
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).not.toContain("quay");
});

it("refuses two passwords, and a file that is not there", () => {
  expect(() => passwordFromFlags({ password: "quay", passwordFile }, log)).toThrow("cannot be combined");
  expect(() => passwordFromFlags({ passwordFile: join(directory, "none") }, log)).toThrow(
    "cannot read --password-file",
  );
});
