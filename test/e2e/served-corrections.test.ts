import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type CorrectionsWire,
  correctionsSchema,
  suggestionsSchema,
} from "../../src/http/explore-api/wire/wire-corrections.ts";
import { archivetool, putArchive, scratchDirectory } from "./cli.ts";
import { type RunningService, startServer, startService } from "./running-service.ts";

/** Corrections of a served archive by `serve` and by the service, which respond in the same way. */

const scratch = scratchDirectory("served-corrections");
const source = join(scratch, "mail.mbox");
/** Milliseconds between checks whether the archive is up to date. */
const LOOK_MS = 100;

function mail(number: number, from: string, to: string): string {
  const headers = `Message-ID: <${number}@example>\nDate: Mon, 05 Jan 2026 10:0${number}:00 +0000\nFrom: ${from}\nTo: ${to}`;
  return `From - Mon Jan 05 10:00:00 2026\n${headers}\nSubject: subject ${number}\n\nNews ${number}.\n\n`;
}

const BOB = "Bob Stone <bob@two.example>";
const ROB = "Robert Rock <rob@three.example>";
const ANN = "Ann Reed <ann@one.example>";

interface Answer {
  readonly status: number;
  readonly body: { readonly data: never; readonly error: { readonly code: string } };
}

/** The explore API of a running server. */
class Explored {
  private readonly server: RunningService;
  private readonly prefix: string;

  constructor(server: RunningService, prefix: string) {
    this.server = server;
    this.prefix = prefix;
  }

  async ask(path: string, body?: object, origin = this.server.url): Promise<Answer> {
    const request =
      body === undefined
        ? {}
        : { method: "POST", headers: { origin, "content-type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(`${this.server.url}${this.prefix}${path}`, request);
    return { status: answer.status, body: (await answer.json()) as never };
  }

  async corrections(): Promise<CorrectionsWire> {
    return correctionsSchema.strict().parse((await this.ask("/corrections")).body.data);
  }

  /** Sends a correction, and waits until the archive shows it. */
  async correct(path: string, body: object): Promise<void> {
    const [corrected] = path.split("/") as ["people" | "topics"];
    const { revision } = (await this.corrections())[corrected];
    const answer = await this.ask(`/corrections/${path}`, { ...body, revision });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    while ((await this.corrections()).state === "applying") await new Promise((settle) => setTimeout(settle, LOOK_MS));
    expect((await this.corrections()).state).toBe("current");
  }

  /** Ids of people by their addresses. */
  async people(): Promise<Readonly<Record<string, string>>> {
    interface Row {
      readonly email: string;
      readonly contact_id: string;
    }
    const { people } = (await this.ask("/people?sort=name")).body.data as { readonly people: readonly Row[] };
    return Object.fromEntries(people.map(({ email, contact_id: id }) => [email, id]));
  }
}

let local: RunningService;
let service: RunningService;
const servers: Record<string, Explored> = {};

beforeAll(async () => {
  writeFileSync(source, mail(1, ANN, BOB) + mail(2, BOB, ANN) + mail(3, ROB, ANN) + mail(4, ANN, ROB));
  const output = join(scratch, "archive");
  putArchive(output, source);
  local = await startServer("serve", output);
  servers["serve"] = new Explored(local, "/api/explore");
  const data = join(scratch, "data");
  service = await startService(data);
  const upload = await fetch(`${service.url}/upload?filename=mail.mbox`, {
    method: "POST",
    body: mail(1, ANN, BOB) + mail(2, BOB, ANN) + mail(3, ROB, ANN) + mail(4, ANN, ROB),
  });
  const { upload_id: id } = (await upload.json()) as { readonly upload_id: string };
  servers["service"] = new Explored(service, `/uploads/${id}/explore`);
  for (;;) {
    const { status } = (await (await fetch(`${service.url}/uploads/${id}`)).json()) as { readonly status: string };
    expect(status).not.toBe("failed");
    if (status === "completed") break;
    await new Promise((settle) => setTimeout(settle, LOOK_MS));
  }
});
afterAll(async () => {
  await local?.end("SIGTERM");
  await service?.end("SIGTERM");
});

describe.each(["serve", "service"])("%s", (name) => {
  const explored = (): Explored => servers[name]!;

  it("merges, renames, splits and undoes while it answers", async () => {
    const before = await explored().people();
    expect(Object.keys(before)).toHaveLength(3);
    const { "bob@two.example": bob, "rob@three.example": rob } = before;
    await explored().correct("people/merge", { people: [bob, rob] });
    expect(Object.values(await explored().people()).sort()).toEqual([before["ann@one.example"], bob].sort());
    const found = (await explored().ask("/messages?q=from:rob@three.example")).body.data as { readonly total: number };
    expect(found.total).toBe(2);
    await explored().correct("people/rename", { person: bob, name: "Bobby" });
    const detail = (await explored().ask(`/people/${bob}`)).body.data as { readonly name: string };
    expect(detail.name).toBe("Bobby");
    await explored().correct("people/split", { addresses: ["bob@two.example", "rob@three.example"] });
    expect(Object.keys(await explored().people())).toHaveLength(3);
    for (const verb of ["split", "rename", "merge"]) {
      expect((await explored().corrections()).people.last).toMatch(new RegExp(` ${verb}$`));
      await explored().correct("people/undo", {});
    }
    expect((await explored().corrections()).people.last).toBeNull();
    expect(await explored().people()).toEqual(before);
  });

  it("loses nothing if two users write at once: one gets a conflict", async () => {
    const { "ann@one.example": ann, "bob@two.example": bob } = await explored().people();
    const { revision } = (await explored().corrections()).people;
    const [one, other] = await Promise.all([
      explored().ask("/corrections/people/rename", { person: ann, name: "Annie", revision }),
      explored().ask("/corrections/people/rename", { person: bob, name: "Bobby", revision }),
    ]);
    expect([one!.status, other!.status].sort()).toEqual([200, 409]);
    const refused = one!.status === 409 ? one! : other!;
    expect(refused.body.error.code).toBe("NOTEBOOK_CHANGED");
    await explored().correct("people/undo", {});
  });

  it("rejects other origins, unknown people and invalid names, and merges each person once", async () => {
    const { revision } = (await explored().corrections()).people;
    const { "ann@one.example": ann } = await explored().people();
    const statusOf = async (path: string, body: object, origin?: string): Promise<number> =>
      (await explored().ask(`/corrections/${path}`, { ...body, revision }, origin)).status;
    expect(await statusOf("people/undo", {}, "http://elsewhere.example")).toBe(400);
    expect(await statusOf("people/merge", { people: [ann, "contact-999999"] })).toBe(404);
    expect(await statusOf("people/merge", { people: [ann, ann] })).toBe(400);
    expect(await statusOf("people/merge", { people: [ann] })).toBe(400);
    for (const wrong of ["", "# note", "a <b>", "two\nlines"])
      expect(await statusOf("people/rename", { person: ann, name: wrong }), wrong).toBe(400);
    expect(await statusOf("topics/hide", { topic: "topic-000" })).toBe(400);
    expect((await explored().corrections()).people.revision).toBe(revision);
  });

  it("lists suggestions", async () => {
    const { data } = (await explored().ask("/corrections/suggestions")).body;
    expect(suggestionsSchema.strict().parse(data).suggestions).toEqual([]);
  });
});

it("records every correction of the service", () => {
  const { stdout } = archivetool("service", "audit", "--data", join(scratch, "data"), "--json");
  const details = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly action: string; readonly detail: string | null })
    .flatMap(({ action, detail }) => (action === "corrected" ? [detail] : []));
  expect(details).toContain("explore/corrections/people/merge");
  expect(details.filter((detail) => detail === "explore/corrections/people/undo").length).toBeGreaterThanOrEqual(4);
});
