import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { PROPERTY_SET } from "../../src/properties/named-properties.ts";
import { PID } from "../../src/properties/property-ids.ts";
import { buildMsg } from "../msg-writer/msg-writer.ts";
import { recurrenceBlob } from "../pst-writer/appointment-blobs.ts";
import { binary, integer, text, time } from "../pst-writer/property-writer.ts";
import { buildStore, patternBytes } from "../pst-writer/sample-store.ts";
import type { WrittenAttachment, WrittenMessage } from "../pst-writer/store-writer.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { startService } from "./running-service.ts";
import { withServedOriginals } from "./served-originals.ts";

/** Attachments of appointments and Outlook items open unchanged, and their displayed availability is correct. */

const scratch = scratchDirectory("item-files");
const source = join(scratch, "source");
const secret = join(scratch, "password");
const HOUR = 3_600_000;
/** Time for an upload that is extracted in parallel with other tests. */
const MAY_13 = Date.UTC(2024, 4, 13);

const FILES = {
  "plan.bin": patternBytes(9000, 3),
  "PLAN.bin": patternBytes(500, 4),
  "ropes.txt": Buffer.from("where the ropes lie"),
  "photo.png": patternBytes(70, 5),
  "list.pdf": patternBytes(20_000, 6),
} as const;

const attached = (name: keyof typeof FILES): WrittenAttachment => ({
  properties: [text(PID.attachLongFilename, name)],
  data: FILES[name],
});
const task = (subject: string, ...attachments: readonly WrittenAttachment[]): WrittenMessage => ({
  properties: [text(PID.messageClass, "IPM.Task"), text(PID.subject, subject)],
  attachments,
});
const link = { properties: [integer(PID.attachMethod, 7), text(PID.attachLongPathname, "https://mill.example/quay")] };

/** Two files in a meeting, one in a changed occurrence, a file and a link in a task, and an item without files. */
function store(password?: string): Buffer {
  return buildStore(
    { layout: "unicode", encoding: "permute" },
    (writer) => {
      const folder = writer.addFolder("Private");
      const lid = (name: number): number => writer.named({ set: PROPERTY_SET.appointment, name });
      const appointment = (subject: string): WrittenMessage["properties"] => [
        text(PID.messageClass, "IPM.Appointment"),
        text(PID.subject, subject),
        time(lid(0x820d), MAY_13 + 7 * HOUR),
        time(lid(0x820e), MAY_13 + 9 * HOUR),
      ];
      writer.addMessage(folder, {
        properties: appointment("Planning"),
        attachments: [attached("plan.bin"), attached("PLAN.bin")],
      });
      const changed = { original: MAY_13 + 7 * HOUR, start: MAY_13 + 11 * HOUR, end: MAY_13 + 12 * HOUR };
      const times = { start: MAY_13, startMinute: 420, endMinute: 540, exceptions: [changed] };
      const weekly = { frequency: "weekly", type: 1, period: 1, specific: [0x02], ...times } as const;
      writer.addMessage(folder, {
        properties: [...appointment("Duty"), binary(lid(0x8216), recurrenceBlob(weekly))],
        attachments: [
          {
            properties: [],
            message: {
              properties: [
                text(PID.messageClass, "IPM.OLE.CLASS.{00061055-0000-0000-C000-000000000046}"),
                time(lid(0x8228), MAY_13 + 7 * HOUR),
              ],
              attachments: [attached("ropes.txt")],
            },
          },
        ],
      });
      writer.addMessage(folder, task("Quay", attached("photo.png"), link));
      writer.addMessage(folder, task("Crane"));
    },
    password === undefined ? {} : { password },
  );
}

interface Said {
  readonly id: string;
  readonly subject: string;
  readonly attachments: readonly {
    readonly number: number;
    readonly filename: string;
    readonly type: string;
    readonly sha256: string;
    readonly link_target?: string;
    readonly availability: string | null;
  }[];
}

const NAMES: Readonly<Record<string, string>> = { "200": "available", ORIGINAL_UNPLACED: "unplaced" };

/** Availability of the files of each event and item, and the bytes of those that open; both routes must agree. */
function askedOf(directory: string) {
  return withServedOriginals(directory, scratch, async (app) => {
    const states: Record<string, readonly unknown[]> = {};
    const bytes: Record<string, Buffer> = {};
    for (const kind of ["events", "items"]) {
      const { data } = (await app.inject(`/api/explore/${kind}`)).json() as { data: Record<string, readonly Said[]> };
      for (const listed of data[kind]!) {
        const answer = (await app.inject(`/api/explore/${kind}/${listed.id}`)).json() as { data: Said };
        const { subject, attachments } = answer.data;
        expect(attachments.map(({ availability: _, ...file }) => file)).toEqual(listed.attachments);
        for (const { number, filename, sha256, link_target, availability } of attachments) {
          if (link_target !== undefined) continue;
          const opened = await app.inject(`/api/${kind}/${listed.id}/attachments/${number}`);
          const { statusCode, headers, rawPayload } = opened;
          const met = statusCode === 200 ? "200" : (opened.json() as { error: { code: string } }).error.code;
          expect(NAMES[met] ?? met.slice("ORIGINAL_".length).toLowerCase()).toBe(availability);
          if (statusCode !== 200) continue;
          expect(createHash("sha256").update(rawPayload).digest("hex")).toBe(sha256);
          expect(headers["content-disposition"]).toContain(filename);
          expect(headers["x-archivetool-original"]).toBe("exact");
          expect(headers["content-security-policy"]).toContain("default-src 'none'");
          bytes[filename] = rawPayload;
        }
        if (attachments.length > 0)
          states[subject] = [...(states[subject] ?? []), ...attachments.map(({ availability }) => availability)];
      }
    }
    return { states, bytes };
  });
}

function extracted(name: string, from: string, ...options: readonly string[]): string {
  const output = join(scratch, name);
  const run = archivetool("-q", "extract", from, "-o", output, "--no-wiki", ...options);
  expect(run.exitCode, run.stderr).toBe(0);
  return output;
}

const AVAILABLE = {
  Planning: ["available", "available"],
  Duty: ["available"],
  Quay: ["available", null],
  Berth: ["available"],
};

beforeAll(() => {
  mkdirSync(source);
  writeFileSync(join(source, "ann.pst"), store());
  writeFileSync(join(source, "berth.msg"), buildMsg(task("Berth", attached("list.pdf"))));
  writeFileSync(secret, "sesame\n");
});

describe("files of events and items", () => {
  it("open as extracted, from stores and single items, also of a changed occurrence", async () => {
    const output = extracted("archive", source, "--json");
    const { states, bytes } = await askedOf(output);
    expect(states).toEqual(AVAILABLE);
    expect(bytes).toEqual(FILES);
    const document = JSON.parse(readFileSync(join(output, "extraction.json"), "utf8")) as {
      readonly calendar_events: readonly object[];
      readonly items: readonly object[];
    };
    for (const record of [...document.calendar_events, ...document.items]) {
      expect(Object.keys(record)).not.toContain("origin");
      if ("fields" in record) expect(Object.keys(record)).not.toContain("attachments");
    }
    // A document does not contain their locations: events name their files, items only in a field.
    const moved = join(scratch, "moved.json");
    renameSync(join(output, "extraction.json"), moved);
    expect(archivetool("show", moved, "event-000001").stdout).toMatch(
      /^Attachments: +plan\.bin \(9,000 bytes\), PLAN\.bin \(500 bytes\)$/m,
    );
  });

  it("keep their places through a later run that adds to the archive", async () => {
    const output = extracted("grown", join(source, "ann.pst"));
    extracted("grown", join(source, "berth.msg"), "--incremental");
    expect((await askedOf(output)).states).toEqual(AVAILABLE);
  });

  it("are reported as moved, changed and protected", async () => {
    const mail = join(scratch, "lost");
    mkdirSync(mail);
    const path = join(mail, "ann.pst");
    writeFileSync(path, store());
    const output = extracted("lost-archive", mail);
    renameSync(path, `${path}-away`);
    expect((await askedOf(output)).states).toEqual({
      Planning: ["moved", "moved"],
      Duty: ["moved"],
      Quay: ["moved", null],
    });
    // Another store replaces it, with other items in its nodes.
    writeFileSync(
      path,
      buildStore({ layout: "unicode", encoding: "permute" }, (writer) => {
        for (const subject of ["a", "b", "c", "d"]) writer.addMessage(writer.addFolder(subject), task(subject));
      }),
    );
    expect((await askedOf(output)).states["Planning"]).toEqual(["changed", "changed"]);
    writeFileSync(path, store("sesame"));
    const locked = extracted("protected", path, "--password-file", secret);
    expect((await askedOf(locked)).states["Quay"]).toEqual(["protected", null]);
  });

  it("are withheld by a redacted archive, and unplaced in an archive of an earlier version", async () => {
    expect((await askedOf(extracted("redacted", source, "--redact"))).states).toEqual({
      Planning: ["withheld", "withheld"],
      Duty: ["withheld"],
      Quay: ["withheld", null],
      Berth: ["withheld"],
    });
    const document = extracted("unplaced", source, "--json");
    const imported = join(scratch, "imported");
    expect(archivetool("-q", "copy", join(document, "extraction.json"), imported).exitCode).toBe(0);
    expect((await askedOf(imported)).states).toEqual({ Planning: ["unplaced", "unplaced"], Duty: ["unplaced"] });
  });

  it("can also be opened from a service under the path of their upload, with its token, unless the archive is redacted", async () => {
    const authorization = "Bearer quay";
    const service = await startService(join(scratch, "service"), "--token", "quay");
    const asked = (path: string): Promise<Response> => fetch(service.url + path, { headers: { authorization } });
    const uploaded = async (query: string): Promise<string> => {
      const sent = { method: "POST", headers: { authorization }, body: new Uint8Array(store()) };
      const answer = await fetch(`${service.url}/upload?filename=ann.pst${query}`, sent);
      const { upload_id: id } = (await answer.json()) as { readonly upload_id: string };
      await expect
        .poll(async () => ((await (await asked(`/uploads/${id}`)).json()) as { status: string }).status)
        .toBe("completed");
      return `/uploads/${id}`;
    };
    try {
      const upload = await uploaded("");
      const found: Record<string, Buffer> = {};
      for (const kind of ["events", "items"]) {
        const { data } = (await (await asked(`${upload}/explore/${kind}`)).json()) as {
          data: Record<string, readonly Said[]>;
        };
        for (const { id, attachments } of data[kind]!)
          for (const { number, filename, link_target } of attachments) {
            if (link_target !== undefined) continue;
            const path = `${upload}/${kind}/${id}/attachments/${number}`;
            const opened = await asked(path);
            expect(opened.status).toBe(200);
            expect(opened.headers.get("content-security-policy")).toContain("default-src 'none'");
            found[filename] = Buffer.from(await opened.arrayBuffer());
            expect((await fetch(service.url + path)).status).toBe(401);
            expect((await asked(path.replace(/\d+$/, "9"))).status).toBe(404);
          }
      }
      const { "list.pdf": _, ...inStore } = FILES;
      expect(found).toEqual(inStore);
      const redacted = await uploaded("&redact=all");
      const withheld = await asked(`${redacted}/events/event-000001/attachments/1`);
      expect([withheld.status, ((await withheld.json()) as { error: { code: string } }).error.code]).toEqual([
        403,
        "ORIGINAL_WITHHELD",
      ]);
    } finally {
      await service.end("SIGTERM");
    }
  });

  it("return 404 for items without attachments and other numbers", async () => {
    await withServedOriginals(join(scratch, "archive"), scratch, async (app) => {
      for (const path of [
        "events/event-000001/attachments/3",
        "items/item-000099/attachments/1",
        "events/x/attachments/1",
      ])
        expect((await app.inject(`/api/${path}`)).statusCode).toBe(404);
      expect((await app.inject("/api/explore/items/item-000099")).json()).toMatchObject({
        error: { code: "NOT_FOUND" },
      });
    });
  });
});
