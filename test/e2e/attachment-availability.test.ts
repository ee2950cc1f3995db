import { mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { DetailWire } from "../../src/http/explore-api/wire/wire-messages.ts";
import { PID } from "../../src/properties/property-ids.ts";
import { text } from "../pst-writer/property-writer.ts";
import { buildStore, sampleMail } from "../pst-writer/sample-store.ts";
import { signedDer } from "../signed-data.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { withServedOriginals } from "./served-originals.ts";

/** The displayed availability of files matches the result of opening them. */

const scratch = scratchDirectory("attachment-availability");
const mail = join(scratch, "mail");
const store = join(scratch, "store.pst");
const secret = join(scratch, "password");

const plan = 'Content-Type: application/pdf; name="plan.pdf"\n\n%PDF-1.4 a plan\n';
const inSignature = `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="i"\n\n--i\n\nSigned.\n--i\n${plan}--i--\n`;

const head = (id: string): string =>
  `From: ann@quay.example\nTo: bob@quay.example\nSubject: ${id}\nDate: Mon, 14 May 2001 10:00:00 +0000\nMessage-ID: <${id}@quay.example>\nMIME-Version: 1.0\n`;

const LETTERS: Readonly<Record<string, string>> = {
  plain: `${head("plain")}\nNothing hangs on this.\n`,
  files: `${head("files")}Content-Type: multipart/mixed; boundary="b"\n\n--b\n\nSee the plan.\n--b\n${plan}--b\nContent-Type: text/plain; name="notes.txt"\nContent-Disposition: attachment\n\nnotes\n--b--\n`,
  signed: `${head("signed")}Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m\nContent-Transfer-Encoding: base64\n\n${signedDer(Buffer.from(inSignature)).toString("base64")}\n`,
};

beforeAll(() => {
  mkdirSync(mail);
  for (const [name, letter] of Object.entries(LETTERS)) writeFileSync(join(mail, `${name}.eml`), letter);
  const file = { properties: [text(PID.attachLongFilename, "plan.bin")], data: Buffer.from("a plan") };
  writeFileSync(
    store,
    buildStore(
      { layout: "unicode", encoding: "permute" },
      (writer) => writer.addMessage(writer.addFolder("Inbox"), { ...sampleMail(1), attachments: [file] }),
      { password: "sesame" },
    ),
  );
  writeFileSync(secret, "sesame\n");
});

/** Availability of the files of each message by subject, and the status of opening them. */
function askedOf(directory: string) {
  return withServedOriginals(directory, scratch, async (app, archive) => {
    const states: Record<string, readonly unknown[]> = {};
    const codes: Record<string, readonly unknown[]> = {};
    const tags: Record<string, unknown> = {};
    for (let number = 1; number <= (await archive.stats()).totalMessages; number++) {
      const id = `msg-00000${number}`;
      const answer = await app.inject(`/api/explore/messages/${id}`);
      const { subject, attachments } = answer.json().data as DetailWire;
      states[subject] = attachments.map(({ availability }) => availability);
      tags[subject] = answer.headers["etag"];
      const opened = [];
      for (const { number: file } of attachments) {
        const { statusCode, payload } = await app.inject(`/api/messages/${id}/attachments/${file}`);
        opened.push(
          statusCode === 200 ? "available" : JSON.parse(payload).error.code.slice("ORIGINAL_".length).toLowerCase(),
        );
      }
      codes[subject] = opened;
    }
    expect(states).toEqual(codes);
    return { states, tags };
  });
}

function extracted(name: string, source: string, ...options: readonly string[]): string {
  const output = join(scratch, name);
  const run = archivetool("-q", "extract", source, "-o", output, "--no-wiki", ...options);
  expect(run.exitCode, run.stderr).toBe(0);
  return output;
}

describe("the displayed availability of files", () => {
  it("is correct for available, changed and missing files", async () => {
    const output = extracted("archive", mail);
    const there = await askedOf(output);
    expect(there.states).toEqual({ plain: [], files: ["available", "available"], signed: ["available"] });

    const path = join(mail, "files.eml");
    writeFileSync(path, readFileSync(path, "utf8").replace("See", "Sea"));
    const changed = await askedOf(output);
    expect(changed.states).toEqual({ ...there.states, files: ["changed", "changed"] });
    // A client with the first response in its cache gets the new one.
    expect(changed.tags["files"]).not.toBe(there.tags["files"]);
    expect(changed.tags["plain"]).toBe(there.tags["plain"]);

    renameSync(mail, `${mail}-elsewhere`);
    expect((await askedOf(output)).states).toEqual({ plain: [], files: ["moved", "moved"], signed: ["moved"] });
    renameSync(`${mail}-elsewhere`, mail);
  });

  it("is correct for unreadable sources", async () => {
    const output = extracted("unread", mail);
    const path = join(mail, "files.eml");
    renameSync(path, `${path}-away`);
    mkdirSync(path);
    expect((await askedOf(output)).states["files"]).toEqual(["unreadable", "unreadable"]);
    rmdirSync(path);
    renameSync(`${path}-away`, path);
  });

  it("reports that its source needs a password", async () => {
    const output = extracted("protected", store, "--password-file", secret);
    expect(Object.values((await askedOf(output)).states)).toEqual([["protected"]]);
  });

  it("is withheld in a redacted archive, whether the files exist or not", async () => {
    const output = extracted("redacted", mail, "--redact");
    const { states } = await askedOf(output);
    expect(states).toEqual({ plain: [], files: ["withheld", "withheld"], signed: ["withheld"] });
  });
});
