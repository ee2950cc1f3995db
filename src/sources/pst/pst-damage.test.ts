import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, inject, it } from "vitest";
import { DAMAGE_KINDS, damageStore } from "../../../test/pst-writer/corruption.ts";
import { binary, integer } from "../../../test/pst-writer/property-writer.ts";
import { buildStore, fuzzStore, STORE_FORMATS, sampleMail } from "../../../test/pst-writer/sample-store.ts";
import type { WrittenMessage } from "../../../test/pst-writer/store-writer.ts";
import { ArchiveError } from "../../errors.ts";
import { PID } from "../../properties/property-ids.ts";
import type { SourceItem } from "../reading/source.ts";
import { readUnit } from "../work-units.ts";
import { pst } from "./pst.ts";

/** Variants of each format and kind of damage: 270 in all, different ones for each seed of the property tests. */
const VARIANTS = Math.max(1, Number(process.env["PST_FUZZ"] ?? 5));
const FIRST_VARIANT = inject("propertySeed") - 1;
/**
 * Variants of each of two layouts and kind of damage that readpst also reads: 36 in all; `npm run bench --
 * pst-damage` compares all.
 */
const COMPARED_VARIANTS = 3;
/** Few enough messages to read hundreds of variants in seconds: damage then hits trees and tables as often as mail. */
const MAILS = 12;
const directory = mkdtempSync(join(tmpdir(), "pst-damage-"));
const path = join(directory, "store.pst");
const hasReadpst = spawnSync("readpst", ["-V"]).status === 0;

afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Outcome {
  readonly items: readonly SourceItem[];
  readonly notes: readonly SourceItem[];
  readonly refusal: string | null;
}

async function readDamaged(bytes: Buffer): Promise<Outcome> {
  writeFileSync(path, bytes);
  const items: SourceItem[] = [];
  const notes: SourceItem[] = [];
  try {
    const opened = await pst.open(path, { password: null, skipProtected: false });
    for (const unit of opened.units()) {
      for (const item of await readUnit(unit)) {
        (item.kind === "note" ? notes : items).push(item);
        // Attachments are read while their item is the current one.
        if (item.kind === "object") for (const part of item.message.attachments) part.bytes();
      }
    }
    return { items, notes: [...opened.notes, ...notes], refusal: null };
  } catch (error) {
    if (error instanceof ArchiveError) return { items, notes: [], refusal: error.code };
    throw error;
  }
}

const store = (format: (typeof STORE_FORMATS)[number]): Buffer => fuzzStore(format, MAILS);

const mails = (outcome: Outcome): number => outcome.items.filter(({ kind }) => kind === "object").length;

const fingerprints = (outcome: Outcome): readonly string[] =>
  outcome.items.flatMap((item) => (item.kind === "object" ? [item.sha256] : []));

describe("damaged stores", () => {
  it.each(STORE_FORMATS)(
    "$layout, $encoding: any damage results in items, losses and notes, never in a fault",
    async (format) => {
      const whole = store(format);
      let recovered = 0;
      for (const kind of DAMAGE_KINDS) {
        for (let seed = FIRST_VARIANT; seed < FIRST_VARIANT + VARIANTS; seed++) {
          const outcome = await readDamaged(damageStore(whole, kind, seed));
          recovered += mails(outcome);
          const faults = outcome.items.filter((item) => item.kind === "damaged" && item.code === "reader-fault");
          expect(faults, `${kind} ${seed}`).toEqual([]);
          expect([null, "DAMAGED_SOURCE", "PASSWORD_REQUIRED"], `${kind} ${seed}`).toContain(outcome.refusal);
        }
      }
      expect(recovered).toBeGreaterThan(MAILS);
    },
  );

  it("lose one item per lost block, and report its location", async () => {
    const whole = store({ layout: "unicode", encoding: "permute" });
    const intact = await readDamaged(whole);
    expect([mails(intact), intact.notes, intact.items.length]).toEqual([MAILS, [], MAILS]);
    // The stored text of report 33 is in one block, found by reading the store with that block zeroed.
    let losses = 0;
    for (let offset = 0x5000; offset < 0x5000 + 40 * 512; offset += 512) {
      const damaged = Buffer.from(whole);
      damaged.fill(0, offset, offset + 512);
      const outcome = await readDamaged(damaged);
      const lost = outcome.items.filter(
        (item) => item.kind === "damaged" || (item.kind === "object" && item.message.findings.length > 0),
      );
      // A block of 512 bytes may contain the end of one item, the start of the next, and their tables.
      expect(lost.length).toBeLessThanOrEqual(5);
      expect(outcome.items.length).toBe(MAILS);
      for (const item of lost) expect(item.location).toMatch(/^nid:[0-9a-f]+$/);
      // Damage of an imported message is reported for the run.
      const locations = new Set(outcome.notes.map(({ location }) => location));
      for (const item of lost) if (item.kind === "object") expect(locations).toContain(item.location);
      losses += lost.length;
    }
    expect(losses).toBeGreaterThan(0);
  });

  it("are read through their blocks if the header lost both trees", async () => {
    const whole = store({ layout: "unicode", encoding: "cyclic" });
    const damaged = Buffer.from(whole);
    damaged.fill(0xff, 216, 248);
    const outcome = await readDamaged(damaged);
    expect(mails(outcome)).toBe(MAILS);
    expect(outcome.notes.map((note) => (note.kind === "note" ? note.code : note.kind))).toContain("tree-rebuilt");
    expect(new Set(outcome.items.map(({ mailbox }) => mailbox))).toEqual(new Set(["Inbox"]));
  });

  it("are read by block trailers if all pages of the block tree are lost", async () => {
    for (const [layout, size] of [
      ["unicode", 512],
      ["unicode-4k", 4096],
    ] as const) {
      const damaged = Buffer.from(store({ layout, encoding: "permute" }));
      const trailer = layout === "unicode" ? 496 : 4072;
      for (let at = 0; at + size <= damaged.length; at += size) {
        if (damaged[at + trailer] === 0x80 && damaged[at + trailer + 1] === 0x80) damaged.fill(0, at, at + size);
      }
      expect(mails(await readDamaged(damaged)), layout).toBe(MAILS);
    }
  });

  it("reuse the memory of closed stores, also with late attachments", async () => {
    const whole = store({ layout: "unicode", encoding: "permute" });
    const first = await readDamaged(whole);
    const second = await readDamaged(whole);
    expect(fingerprints(second)).toEqual(fingerprints(first));
    const late = first.items.flatMap((item) => (item.kind === "object" ? item.message.attachments : []));
    expect(late.length).toBeGreaterThan(0);
    for (const part of late) expect(() => part.bytes()).toThrow("after the next item began");
  });

  it("report that they were truncated", async () => {
    const whole = store({ layout: "unicode", encoding: "permute" });
    const outcome = await readDamaged(whole.subarray(0, whole.length - 3000));
    expect(outcome.notes.map((note) => (note.kind === "note" ? note.code : note.kind))).toContain("file-truncated");
  });

  it("are survived when they point at themselves", async () => {
    // Every pointer of the root pages leads back to the root.
    for (const layout of ["unicode", "ansi"] as const) {
      const whole = store({ layout, encoding: "permute" });
      for (const at of layout === "unicode" ? [224, 240] : [188, 196]) {
        const looped = Buffer.from(whole);
        const root = looped.readUInt32LE(at);
        const [size, step, place] = layout === "unicode" ? [488, 24, 16] : [496, 12, 8];
        for (let entry = root; entry + step <= root + size; entry += step) looped.writeUInt32LE(root, entry + place);
        const outcome = await readDamaged(looped);
        expect(outcome.refusal === null || outcome.refusal === "DAMAGED_SOURCE").toBe(true);
        expect(outcome.items.filter((item) => item.kind === "damaged" && item.code === "reader-fault")).toEqual([]);
      }
    }
  });

  it("limit nested messages, and sizes to those of the file", async () => {
    let message: WrittenMessage = sampleMail(0);
    for (let depth = 0; depth < 40; depth++)
      message = { ...sampleMail(depth), attachments: [{ properties: [], message }] };
    const nested = await readDamaged(
      buildStore({ layout: "unicode", encoding: "none" }, (writer) =>
        writer.addMessage(writer.addFolder("Inbox"), message),
      ),
    );
    expect(nested.items).toHaveLength(1);
    const bomb = Buffer.alloc(32);
    bomb.writeUInt32LE(28, 0);
    bomb.writeUInt32LE(0xffff_ff00, 4);
    bomb.write("LZFu", 8, "latin1");
    const claimed = await readDamaged(
      buildStore({ layout: "unicode", encoding: "none" }, (writer) =>
        writer.addMessage(writer.addFolder("Inbox"), {
          properties: [integer(PID.messageFlags, 0), binary(PID.rtfCompressed, bomb)],
        }),
      ),
    );
    expect(mails(claimed)).toBe(1);
  });

  it.skipIf(!hasReadpst)("return at least as many messages as readpst", async () => {
    let ours = 0;
    let theirs = 0;
    for (const layout of ["unicode", "ansi"] as const) {
      const whole = store({ layout, encoding: "permute" });
      for (const kind of DAMAGE_KINDS) {
        for (let seed = 100; seed < 100 + COMPARED_VARIANTS; seed++) {
          ours += mails(await readDamaged(damageStore(whole, kind, seed)));
          const output = join(directory, "readpst");
          rmSync(output, { recursive: true, force: true });
          mkdirSync(output);
          spawnSync("readpst", ["-j", "0", "-e", "-o", output, path], { stdio: "ignore", timeout: 6000 });
          theirs += readdirSync(output, { recursive: true, encoding: "utf8" }).filter((name) =>
            name.endsWith(".eml"),
          ).length;
        }
      }
    }
    expect(ours).toBeGreaterThanOrEqual(theirs);
    expect(theirs).toBeGreaterThan(0);
  });
});
