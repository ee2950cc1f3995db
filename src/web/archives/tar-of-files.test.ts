import { expect, it } from "vitest";
import { tarOfFiles } from "./tar-of-files.ts";

/** Names, sizes and texts that a tar reader finds; pax records contain the names of the files after them. */
async function filesOf(tar: Blob): Promise<readonly (readonly [string, string])[]> {
  const bytes = new Uint8Array(await tar.arrayBuffer());
  const text = (from: number, to: number): string => new TextDecoder().decode(bytes.subarray(from, to));
  const files: [string, string][] = [];
  let named: string | null = null;
  for (let at = 0; bytes[at] !== 0; ) {
    const sum = bytes
      .subarray(at, at + 512)
      .reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
    expect(Number.parseInt(text(at + 148, at + 154), 8)).toBe(sum);
    const size = Number.parseInt(text(at + 124, at + 135), 8);
    const content = text(at + 512, at + 512 + size);
    if (text(at + 156, at + 157) === "x") {
      const [, length, path] = /^(\d+) path=(.*)\n$/s.exec(content)!;
      expect(Number(length)).toBe(size);
      named = path!;
    } else {
      files.push([named ?? text(at, at + 100).replace(/\0.*$/s, ""), content]);
      named = null;
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

it("contains every file with its path, also long and non-ASCII ones", async () => {
  const files = [
    ["mail/cur/1", "From: ann@x.example\n\nrope"],
    [`mail/${"long/".repeat(40)}2`, "x".repeat(512)],
    ["mail/Entwürfe/3", ""],
    [`${"p".repeat(93)}`, "y"],
  ] as const;
  const entries = files.map(([path, text]) => ({ path, file: new Blob([text]), modifiedAt: 1e12 }));
  const tar = new Blob(tarOfFiles(entries));
  expect(tar.size % 512).toBe(0);
  expect(await filesOf(tar)).toEqual(files);
});
