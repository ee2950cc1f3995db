import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { invocationOf, shellWord } from "./shell-word.ts";

it.each([
  ["demo-output/archive", "demo-output/archive"],
  ["my mail", "'my mail'"],
  ["it's", "'it'\\''s'"],
  ["$(rm -rf ~)", "'$(rm -rf ~)'"],
  ["-q", "./-q"],
  ["", "''"],
  ["a\u001bb\nü", "$'a\\033b\\012\\303\\274'"],
])("quotes %j for a shell", (path, word) => expect(shellWord(path, "linux")).toBe(word));

it("quotes for Windows", () => {
  expect([shellWord("C:\\mail\\out", "win32"), shellWord("C:\\my mail", "win32")]).toEqual([
    "C:\\mail\\out",
    '"C:\\my mail"',
  ]);
});

const hasBash = existsSync("/bin/bash");

it.skipIf(!hasBash)("is read back unchanged by bash", () => {
  const path = fc.array(
    fc.constantFrom("a", " ", "'", '"', "\\", "$", "`", "\n", "\u001b", "\u202e", "ü", "*", "~", "-", "!", "1"),
    {
      minLength: 1,
    },
  );
  fc.assert(
    fc.property(
      fc.array(
        path.map((parts) => parts.join("")),
        { minLength: 1, maxLength: 20 },
      ),
      (paths) => {
        const script = `printf '%s\\0' ${paths.map((each) => shellWord(each, "linux")).join(" ")}`;
        const read = execFileSync("/bin/bash", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
        expect(read).toEqual(paths.map((each) => (each.startsWith("-") ? `./${each}` : each)));
      },
    ),
    { numRuns: 25 },
  );
});

it("prints the program as it was started", () => {
  expect(invocationOf("/usr/bin/archivetool", "/home/ada", "linux")).toBe("archivetool");
  expect(invocationOf("/usr/lib/node_modules/archivetool/dist/cli/main.js", "/home/ada", "linux")).toBe("archivetool");
  expect(invocationOf("/home/ada/src/archive tool/dist/cli/main.js", "/home/ada/src/archive tool", "linux")).toBe(
    "node dist/cli/main.js",
  );
  expect(invocationOf("/opt/archive tool/dist/cli/main.js", "/home/ada", "linux")).toBe(
    "node '/opt/archive tool/dist/cli/main.js'",
  );
});
