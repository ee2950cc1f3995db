import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "iconv-lite";
import { expect, it } from "vitest";
import { keptItemsOf } from "../../../test/kept-items.ts";
import { buildMsg } from "../../../test/msg-writer/msg-writer.ts";
import { integer, string8, type WrittenProperty } from "../../../test/pst-writer/property-writer.ts";
import { buildStore } from "../../../test/pst-writer/sample-store.ts";
import type { WrittenMessage } from "../../../test/pst-writer/store-writer.ts";
import { PID } from "../../properties/property-ids.ts";
import { readMsgItems } from "../msg/msg-items.ts";
import { pst } from "./pst.ts";

const ANSI = { layout: "ansi", encoding: "permute" } as const;
const CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy";
const POLISH = "Zażółć gęślą jaźń, pchnąć w tę łódź jeża";
const GERMAN = "Grüße – Maß geändert €, für Ännchen öffnen";
const FRENCH = "Où est passé l'élève très âgé ? Là-bas, près du château, où ça gèle à Noël";
const JAPANESE = "日本語のメールです。よろしくお願いします。";

/** Result of reading an ANSI store without a code page. */
async function bodiesOf(
  messages: readonly (readonly WrittenProperty[])[],
  charset?: string,
): Promise<readonly string[]> {
  const directory = mkdtempSync(join(tmpdir(), "charset-"));
  try {
    const path = join(directory, "made.pst");
    const bytes = buildStore(ANSI, (store) => {
      const folder = store.addFolder("Inbox");
      for (const properties of messages) store.addMessage(folder, { properties } satisfies WrittenMessage);
    });
    writeFileSync(path, bytes);
    const limits = { password: null, skipProtected: false, ...(charset === undefined ? {} : { charset }) };
    const items = await keptItemsOf((await pst.open(path, limits)).units());
    return items.map((item) => (item.kind === "object" ? (item.message.textBody ?? "") : item.kind));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const written = (body: string, charset: string): readonly WrittenProperty[] => [
  string8(PID.subject, encode(body.slice(0, 20), charset)),
  string8(PID.body, encode(body, charset)),
];

it.each([
  [CZECH, "windows-1250"],
  [POLISH, "windows-1250"],
  [GERMAN, "windows-1252"],
  [FRENCH, "windows-1252"],
  [JAPANESE, "shift_jis"],
  ["Привет, это письмо на русском языке", "windows-1251"],
  ["Bugün hava çok güzel, dışarıda yürüyüş yapmak istiyoruz", "windows-1254"],
])("the charset of an ANSI store is detected from its letters: %s", async (body, charset) => {
  expect(await bodiesOf([written(body, charset), written(body, charset)])).toEqual([body, body]);
});

it("an ANSI store uses the code page of most messages for others", async () => {
  const named = [...written("Schůzka", "windows-1250"), integer(PID.internetCodePage, 28592)];
  expect(await bodiesOf([written("Můj", "windows-1250"), named, named])).toEqual(["Můj", "Schůzka", "Schůzka"]);
});

it("uses the given charset for undeclared text, and declared charsets otherwise", async () => {
  const short = written("Ì", "windows-1252");
  const own = [...written("Größe", "windows-1252"), integer(PID.messageCodePage, 1252)];
  expect(await bodiesOf([short, own], "windows-1250")).toEqual(["Ě", "Größe"]);
  const [item] = readMsgItems(
    buildMsg({ properties: short }),
    { mailbox: "INBOX", location: "a.msg" },
    [],
    ["windows-1250"],
  );
  expect(item?.kind === "object" && item.message.textBody).toBe("Ě");
});
