import { expect, it } from "vitest";
import { ConsoleLog } from "./console-log.ts";

it("logs the cause in parentheses, once", () => {
  const written: string[] = [];
  const log = new ConsoleLog("info", (line) => void written.push(line));
  const cause = new Error("archive rejected: a name leads out of it");
  log.error(new Error("cannot unpack", { cause }));
  log.error(new Error(`mail.zip: ${cause.message}`, { cause }));
  expect(written).toEqual([
    "archivetool: cannot unpack (archive rejected: a name leads out of it)\n",
    "archivetool: mail.zip: archive rejected: a name leads out of it\n",
  ]);
});
