import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { messageFiles } from "./maildir/message-files.ts";
import { openMbox } from "./mbox/mbox.ts";
import type { PstNode, WorkUnit } from "./reading/source.ts";
import { halveUnit, readUnit } from "./work-units.ts";

const directory = mkdtempSync(join(tmpdir(), "archivetool-halves-"));

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Repeated halves down to single items, in order. */
function leaves(unit: WorkUnit): readonly WorkUnit[] {
  const found: WorkUnit[] = [];
  const pending = [unit];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const halves = halveUnit(next);
    if (halves === null) found.push(next);
    else pending.push(halves[1], halves[0]);
  }
  return found;
}

describe("halveUnit", () => {
  it("divides an mbox only at separators", async () => {
    const path = join(directory, "box.mbox");
    const mails = Array.from(
      { length: 7 },
      (_, number) => `From ann@hostile.example Mon May 14 16:39:00 2001\nSubject: ${number}\n\nFrom x\n\n`,
    );
    writeFileSync(path, mails.join(""));
    const [unit] = (await openMbox(path, { mailbox: "box", unitBytes: 1 << 20 })).units();
    const placesOf = async (part: WorkUnit) => Array.from(await readUnit(part), ({ location }) => location);
    const whole = await placesOf(unit!);
    expect(whole).toHaveLength(7);
    expect(await Promise.all(leaves(unit!).map(placesOf))).toEqual(whole.map((location) => [location]));
  });

  it("divides the files of a tree, and keeps their directories", () => {
    const runs = [
      { prefix: "a/", mailbox: "a", names: "1\x002\x003" },
      { prefix: "b/", mailbox: "b", names: "4" },
      { prefix: "", mailbox: "c", names: "5\x006" },
    ];
    const unit = { kind: "files", root: "/mail", runs } as const;
    const single = leaves(unit).map((leaf) => (leaf.kind === "files" ? messageFiles(leaf) : []));
    expect(single.every((files) => files.length === 1)).toBe(true);
    expect(single.flat()).toEqual(messageFiles(unit));
    expect(halveUnit(unit)).toEqual([
      { kind: "files", root: "/mail", runs: [runs[0]] },
      { kind: "files", root: "/mail", runs: runs.slice(1) },
    ]);
  });

  it("divides ranges of nodes of a store", () => {
    const nodes: readonly PstNode[] = Array.from({ length: 5 }, (_, nid) => ({
      nid,
      blocks: null,
      mailbox: "Inbox",
      origin: "listed",
    }));
    const unit = { kind: "pst", path: "store.pst", nodes, password: null, directory: [], charset: null } as const;
    expect(leaves(unit)).toEqual(nodes.map((node) => ({ ...unit, nodes: [node] })));
  });
});
