import { afterAll, expect, it } from "vitest";
import { buildZip } from "../../../test/zip-file.ts";
import { FileTextReader, TOO_SLOW } from "../../file-text/file-text-reader.ts";
import { AttachmentTexts } from "./attachment-text.ts";

const docx = (text: string) => buildZip([{ name: "word/document.xml", content: `<w:t>${text}</w:t>` }]);
const BOMB = docx(" ".repeat(17 << 20));
const PLAN = docx(`plan ${"of the quay ".repeat(80_000)}`);

const reader = new FileTextReader();
afterAll(() => reader.close());

async function read(texts: AttachmentTexts, bytes: Buffer, sha256: string, filename = "a.docx") {
  const { text, finding } = await texts.read({ filename, mediaType: "application/octet-stream", bytes }, sha256);
  return finding?.message ?? text.slice(0, 4);
}

it("limits unpacked bytes by the size of the message, also with cached texts", async () => {
  const texts = new AttachmentTexts(reader);
  texts.beginMessage();
  expect(await read(texts, PLAN, "plan")).toBe("plan");
  expect(await read(texts, BOMB, "bomb")).toBe("a.docx: it exceeds the size limit when unpacked");
  // Both earlier and later texts count toward the limit.
  expect(await read(texts, PLAN, "plan")).toBe("a.docx: it exceeds the size limit when unpacked");
  expect(await read(texts, PLAN, "other")).toBe("a.docx: it exceeds the size limit when unpacked");
  texts.beginMessage();
  expect(await read(texts, PLAN, "plan", "b.docx")).toBe("plan");
  expect((await read(texts, docx("x"), "damaged", "c.docx")).slice(0, 1)).toBe("x");
});

it("reads some attachments of a message, and reports the others", async () => {
  const texts = new AttachmentTexts(reader);
  texts.beginMessage();
  const all: string[] = [];
  for (let index = 0; index < 42; index++) all.push(await read(texts, docx(`say ${index}`), String(index)));
  expect(all.filter((said) => said.startsWith("say"))).toHaveLength(40);
  expect(all.at(-1)).toBe("a.docx: the message has more attachments than the limit");
});

it("skips further attachments after two that stop the reader, and tries each once", async () => {
  let calls = 0;
  const stopped: Pick<FileTextReader, "read"> = {
    async read({ filename }) {
      calls++;
      if (filename === "good.txt") return { state: "read", text: "good", isCut: false, gap: null };
      return { state: "unread", reason: TOO_SLOW };
    },
  };
  const texts = new AttachmentTexts(stopped as FileTextReader);
  texts.beginMessage();
  expect(await read(texts, PLAN, "1", "1.pdf")).toBe(`1.pdf: ${TOO_SLOW}`);
  expect(await read(texts, PLAN, "2", "good.txt")).toBe("good");
  expect(await read(texts, PLAN, "1", "again.pdf")).toBe(`again.pdf: ${TOO_SLOW}`);
  expect(await read(texts, PLAN, "3", "3.pdf")).toBe("3.pdf: the message has more attachments than the limit");
  texts.beginMessage();
  expect(await read(texts, PLAN, "1", "1.pdf")).toBe(`1.pdf: ${TOO_SLOW}`);
  expect(calls).toBe(2);
});
