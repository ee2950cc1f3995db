import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { PROPERTY_SET } from "../../src/properties/named-properties.ts";
import { PID } from "../../src/properties/property-ids.ts";
import { propertyRuns } from "../property-runs.ts";
import { binary, text, time, type WrittenProperty } from "../pst-writer/property-writer.ts";
import { buildStore, sampleMail } from "../pst-writer/sample-store.ts";
import type { StoreWriter } from "../pst-writer/store-writer.ts";
import { archiveMeaning } from "./archive-meaning.ts";
import { extractInline, withArchive } from "./extraction.ts";

/** Items that a user keeps and changes in Outlook. */
interface Kept {
  readonly kind: "contact" | "task" | "note" | "appointment" | "appointment without id" | "mail";
  readonly folder: "One" | "Two";
  readonly name: string;
  readonly body: string;
  readonly day: number;
}

interface Dated {
  readonly changedAt: number;
}

const kept = fc.record<Kept>({
  kind: fc.constantFrom("contact", "task", "note", "appointment", "appointment without id", "mail"),
  folder: fc.constantFrom("One", "Two"),
  name: fc.constantFrom("Ann Reed", "Bo Lund", "Mill wheel"),
  body: fc.constantFrom("grain", "wheel", "harvest", "river"),
  day: fc.integer({ min: 1, max: 28 }),
});

/** An item that stays unchanged, and one that is changed; sent or received mail never changes. */
const life = fc.tuple(kept, fc.option(kept)).map(([before, after]) => ({
  before,
  after: after === null || before.kind === "mail" ? before : { ...after, kind: before.kind },
}));

const MESSAGE_CLASS = {
  contact: "IPM.Contact",
  task: "IPM.Task",
  note: "IPM.StickyNote",
  appointment: "IPM.Appointment",
  "appointment without id": "IPM.Appointment",
  mail: "IPM.Note",
} as const;

/** @param number identifies the item: its creation time, and the id of an appointment. */
function properties(
  store: StoreWriter,
  { kind, name, body, day, changedAt }: Kept & Dated,
  number: number,
): readonly WrittenProperty[] {
  if (kind === "mail") return [...sampleMail(number).properties];
  const common = [
    text(PID.messageClass, MESSAGE_CLASS[kind]),
    text(PID.subject, name),
    text(PID.body, body),
    time(PID.creationTime, Date.UTC(2020, 0, 1) + 1000 * number),
    time(PID.lastModificationTime, changedAt),
  ];
  if (kind === "contact") {
    const email = store.named({ set: PROPERTY_SET.address, name: 0x8083 });
    return [...common, text(PID.displayName, name), text(email, `writer${day % 4}@example.org`)];
  }
  if (!kind.startsWith("appointment")) return common;
  const start = time(store.named({ set: PROPERTY_SET.appointment, name: 0x820d }), Date.UTC(2021, 0, day, 9));
  if (kind !== "appointment") return [...common, start];
  const id = Buffer.from(`040000008200E00074C5B7101A82E008${"0".repeat(72)}${String(number).padStart(8, "0")}`, "hex");
  return [...common, start, binary(store.named({ set: PROPERTY_SET.meeting, name: 0x03 }), id)];
}

/** @param year of the last change of all items. */
function storeOf(things: readonly (Kept | null)[], year: number): Buffer {
  return buildStore({ layout: "unicode", encoding: "permute" }, (store) => {
    const folders = { One: store.addFolder("One"), Two: store.addFolder("Two") };
    for (const [number, thing] of things.entries()) {
      if (thing === null) continue;
      const recipients = thing.kind === "mail" ? (sampleMail(number).recipients ?? []) : [];
      store.addMessage(folders[thing.folder], {
        properties: properties(store, { ...thing, changedAt: Date.UTC(year, 0, 1) }, number),
        recipients,
      });
    }
  });
}

const scratch = mkdtempSync(join(tmpdir(), "archivetool-store-"));
let runs = 0;

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/**
 * New mail in the first folder follows the archived mail of the second: the order is that of first appearance.
 */
function inOrder<T extends { readonly messages: readonly { readonly location: string }[] }>(meaning: T): T {
  return { ...meaning, messages: [...meaning.messages].sort((a, b) => (a.location < b.location ? -1 : 1)) };
}

/** Contents of an archive extended from store to store, and of one made from the last store only. */
async function growth(stores: readonly Buffer[]) {
  runs++;
  const directory = join(scratch, String(runs));
  mkdirSync(directory);
  const path = join(directory, "mail.pst");
  for (const bytes of stores) {
    writeFileSync(path, bytes);
    await extractInline([path], join(directory, "grown"), { incremental: true });
  }
  await extractInline([path], join(directory, "full"));
  const grown = await withArchive(join(directory, "grown"), archiveMeaning);
  const full = await withArchive(join(directory, "full"), archiveMeaning);
  rmSync(directory, { recursive: true });
  return { grown: inOrder(grown), full: inOrder(full) };
}

describe("an incremental run over an Outlook file that changed", () => {
  it("equals a full run over it after any change", async () => {
    const lives = fc.array(life, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(lives, fc.array(kept, { maxLength: 3 }), async (old, added) => {
        const stores = [
          storeOf(
            old.map(({ before }) => before),
            2021,
          ),
          storeOf([...old.map(({ after }) => after), ...added], 2022),
        ];
        const { grown, full } = await growth(stores);
        expect(grown).toEqual(full);
      }),
      { numRuns: propertyRuns(25) },
    );
  });

  it("removes the earlier state of a merged appointment", async () => {
    const wheel: Kept = { kind: "appointment without id", folder: "One", name: "Mill wheel", body: "grain", day: 2 };
    const reed: Kept = { ...wheel, name: "Ann Reed", day: 1 };
    const lund: Kept = { ...wheel, name: "Bo Lund", day: 3 };
    const changes: readonly (readonly [readonly Kept[], readonly Kept[]])[] = [
      [
        [wheel, reed],
        [wheel, wheel],
      ],
      [
        [reed, lund],
        [wheel, wheel],
      ],
      [
        [wheel, wheel],
        [wheel, reed],
      ],
    ];
    for (const [before, after] of changes) {
      const { grown, full } = await growth([storeOf(before, 2021), storeOf(after, 2022)]);
      expect(grown).toEqual(full);
    }
  });

  it("keeps items that were deleted from the file", async () => {
    const contact: Kept = { kind: "contact", folder: "One", name: "Ann Reed", body: "grain", day: 1 };
    const things: readonly Kept[] = [
      contact,
      { ...contact, kind: "note" },
      { ...contact, kind: "appointment without id" },
    ];
    const { grown } = await growth([storeOf(things, 2021), storeOf([{ ...contact, body: "wheel" }, null, null], 2022)]);
    expect(grown.items.map(({ kind, fields }) => [kind, fields["body"]])).toEqual([
      ["contact", "wheel"],
      ["note", "grain"],
    ]);
    expect(grown.events).toHaveLength(1);
  });
});
