import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { fuzzStore } from "../pst-writer/sample-store.ts";
import { HAS_POSTGRES, testPair } from "../stores.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { askedOf, contentOf, killAll, start, startWorker, until } from "./running-workers.ts";

/** A run of workers whose server is lost for good in the middle, and whose standby takes its place. */

const TIMEOUT_MS = 300_000;
const scratch = scratchDirectory("failover");
const mail = join(scratch, "mail");
const LETTERS_A_BOX = 40;
/** Milliseconds in which whoever looks for the lost server finds a standby: a worker speaks of its tasks four times. */
const STANDBY_MS = 2_000;

const letter = (number: number): string =>
  `From mara@harbour.example Wed Jan  1 12:00:00 2003\nFrom: Mara <mara@harbour.example>\nTo: jon@harbour.example\nSubject: Berth ${number}\nMessage-ID: <${number}@harbour.example>\nDate: Mon, 14 May 2001 09:${String(number % 60).padStart(2, "0")}:00 +0000\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nBerth ${number} is free.\n--b\nContent-Type: application/octet-stream; name="plan ${number}.bin"\nContent-Transfer-Encoding: base64\n\n${Buffer.from(`plan of berth ${number}`).toString("base64")}\n--b--\n\n`;

/** Stores of Outlook, one of them twice, and mailboxes with files that share half of their letters. */
function writeMail(): void {
  mkdirSync(mail);
  const store = fuzzStore({ layout: "unicode", encoding: "permute" }, 60);
  for (const name of ["a.pst", "again.pst"]) writeFileSync(join(mail, name), store);
  writeFileSync(join(mail, "b.pst"), fuzzStore({ layout: "ansi", encoding: "cyclic" }, 90));
  for (let box = 0; box < 8; box++) {
    const numbers = Array.from({ length: LETTERS_A_BOX }, (_, at) => (at % 2 === 0 ? at : box * 1000 + at));
    writeFileSync(join(mail, `box-${box}.mbox`), numbers.map(letter).join(""));
  }
}

afterEach(killAll);

describe.skipIf(!HAS_POSTGRES)("workers whose server is lost", { timeout: TIMEOUT_MS }, () => {
  it("go on at its standby, and make of stores and files what one process does", async () => {
    writeMail();
    const flags = ["--json", "--csv", "--extract-attachments"];
    const alone = archivetool("extract", mail, "-o", join(scratch, "alone"), ...flags);
    expect(alone.exitCode, alone.stderr).toBe(0);
    const pair = testPair();
    const at = ["--store", pair.url, "--collection", "shared"];
    const run = start(["extract", mail, "-o", join(scratch, "shared"), ...flags, "--workers", ...at]);
    const worker = { server: pair.url, scratch };
    const first = await startWorker(worker);
    const done = async (): Promise<boolean> =>
      (await askedOf(pair.url, "SELECT 1 FROM tasks WHERE state = 'done'")).length > 0;
    await until("a task that is done", done);
    // Its tasks are there: whoever acknowledged them has the standby's word.
    first.child.kill("SIGSTOP");
    pair.lose();
    first.child.kill("SIGCONT");
    await pause(STANDBY_MS);
    pair.promote();
    expect([run.child.exitCode, first.child.exitCode]).toEqual([null, null]);
    const second = await startWorker(worker);
    expect(await run.closed, run.said()).toBe(0);
    for (const { child, closed } of [first, second]) {
      child.kill("SIGTERM");
      await closed;
    }
    expect(contentOf(join(scratch, "shared"))).toEqual(contentOf(join(scratch, "alone")));
    const stats = archivetool("stats", "--json", ...at);
    expect(stats.stdout).toBe(archivetool("stats", "--json", join(scratch, "shared")).stdout);
  });
});
