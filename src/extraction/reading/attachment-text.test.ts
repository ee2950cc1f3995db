import { expect, it } from "vitest";
import { buildZip } from "../../../test/zip-file.ts";
import { AttachmentTexts } from "./attachment-text.ts";

const docx = (text: string) => buildZip([{ name: "word/document.xml", content: `<w:t>${text}</w:t>` }]);
const BOMB = docx(" ".repeat(17 << 20));
const PLAN = docx(`plan ${"of the quay ".repeat(80_000)}`);

function read(texts: AttachmentTexts, bytes: Buffer, sha256: string, filename = "a.docx") {
  const { text, finding } = texts.read({ filename, mediaType: "application/octet-stream", bytes }, sha256);
  return finding?.message ?? text.slice(0, 4);
}

it("unpacks no more for a message than its size lets expect, remembered or not", () => {
  const texts = new AttachmentTexts();
  texts.beginMessage();
  expect(read(texts, PLAN, "plan")).toBe("plan");
  expect(read(texts, BOMB, "bomb")).toBe("a.docx: it unpacks to more than is read");
  // The room is used up, for what was read before as for what was not.
  expect(read(texts, PLAN, "plan")).toBe("a.docx: it unpacks to more than is read");
  expect(read(texts, PLAN, "other")).toBe("a.docx: it unpacks to more than is read");
  texts.beginMessage();
  expect(read(texts, PLAN, "plan", "b.docx")).toBe("plan");
  expect(read(texts, docx("x"), "damaged", "c.docx").slice(0, 1)).toBe("x");
});

it("reads some attachments of a message, and says which it does not", () => {
  const texts = new AttachmentTexts();
  texts.beginMessage();
  const all = Array.from({ length: 42 }, (_, index) => read(texts, docx(`say ${index}`), String(index)));
  expect(all.filter((said) => said.startsWith("say"))).toHaveLength(40);
  expect(all.at(-1)).toBe("a.docx: the message has more attachments than are read");
});
