import { describe, expect, it } from "vitest";
import { sampleMsg } from "../../test/msg-writer/sample-msg.ts";
import { buildZip, type ZipPart } from "../../test/zip-file.ts";
import { writeCompoundFile } from "../compound/compound-writer.ts";
import { MAX_FILE_TEXT } from "./file-text.ts";
import { readFileText } from "./read-file-text.ts";

const read = (bytes: Buffer | string, filename = "file", mediaType = "application/octet-stream") =>
  readFileText({ filename, mediaType, bytes: Buffer.from(bytes) }, { bytes: 64 << 20 });
const document = (...parts: readonly ZipPart[]): Buffer => buildZip(parts);
const text = (content: string) => ({ state: "read", text: content, isCut: false, gap: null });

describe("documents of office suites", () => {
  it("reads paragraphs, tables and notes of DOCX, without deleted text", async () => {
    const body = `<?xml version="1.0"?><w:document><w:body><w:p><w:r><w:t>Berth </w:t></w:r><w:r><w:t xml:space="preserve">plan &amp; ropes</w:t><w:tab/><w:t>2001</w:t></w:r></w:p><w:p><w:del><w:r><w:delText>secret</w:delText></w:r></w:del></w:p><w:tbl><w:tr><w:tc><w:p><w:t>A</w:t></w:p></w:tc><w:tc><w:p><w:t>Ü</w:t></w:p></w:tc></w:tr></w:tbl><w:p><w:instrText>PAGE</w:instrText></w:p></w:body></w:document>`;
    const notes = "<w:footnotes><w:p><w:t>A note</w:t></w:p></w:footnotes>";
    const file = document({ name: "word/footnotes.xml", content: notes }, { name: "word/document.xml", content: body });
    await expect(read(file)).resolves.toEqual(text("Berth plan & ropes\t2001\n\nA\n\tÜ\n\nA note"));
  });

  it("reads cells of XLSX by row, shared texts without how they are spoken", async () => {
    const shared =
      "<sst><si><t>Rope</t></si><si><r><t>Two </t></r><r><t>parts</t></r><rPh><t>spoken</t></rPh></si></sst>";
    const sheet =
      '<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c t="s"><v>1</v></c><c><v>42.5</v></c></row><row><c t="inlineStr"><is><t>own &lt;text&gt;</t></is></c><c t="s"><v>99</v></c><c t="str"><f>A1</f><v>made</v></c></row></sheetData></worksheet>';
    const other = "<x:worksheet><x:row><x:c><x:v>7</x:v></x:c></x:row></x:worksheet>";
    const file = document(
      { name: "xl/workbook.xml", content: "<workbook/>" },
      { name: "xl/worksheets/sheet10.xml", content: other },
      { name: "xl/worksheets/sheet2.xml", content: sheet },
      { name: "xl/sharedStrings.xml", content: shared },
    );
    await expect(read(file)).resolves.toEqual(text("Rope\tTwo parts\t42.5\nown <text>\t\tmade\n\n7"));
  });

  it("reads dates of XLSX as dates", async () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="d\\. mmmm yyyy;@"/><numFmt numFmtId="165" formatCode="#,##0 &quot;days&quot;;[Red]-0"/><numFmt numFmtId="166" formatCode="[h]:mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="22"/><xf numFmtId="166"/></cellXfs></styleSheet>';
    const cells = [
      ...['<c s="1"><v>36871</v></c>', '<c s="2"><v>37042</v></c>', '<c s="4"><v>36871.3680555556</v></c>'],
      ...['<c s="5"><v>0.368055555555556</v></c>', '<c s="3"><v>36871</v></c>', "<c><v>36871</v></c>"],
      ...[
        '<c s="1" t="str"><v>soon</v></c>',
        '<c s="1"><v>1</v></c>',
        '<c s="1"><v>-3</v></c>',
        '<c s="1"><v>1e9</v></c>',
      ],
    ];
    const file = (workbook: string): Buffer =>
      document(
        { name: "xl/workbook.xml", content: workbook },
        { name: "xl/styles.xml", content: styles },
        { name: "xl/worksheets/sheet1.xml", content: `<worksheet><row>${cells.join("")}</row></worksheet>` },
      );
    await expect(read(file("<workbook/>"))).resolves.toEqual(
      text("2000-12-11\t2001-05-31\t2000-12-11 08:50:00\t08:50:00\t36871\t36871\tsoon\t1900-01-01\t-3\t1e9"),
    );
    await expect(read(file('<workbook><workbookPr date1904="1"/></workbook>'))).resolves.toMatchObject({
      text: expect.stringMatching(/^2004-12-12\t2005-06-01\t/),
    });
  });

  it("reads slides of PPTX in order, each followed by its notes", async () => {
    const slide = (content: string) =>
      `<p:sld><a:p><a:r><a:t>${content}</a:t></a:r><a:br/><a:t>end</a:t></a:p></p:sld>`;
    const file = document(
      { name: "ppt/presentation.xml", content: "<p/>" },
      { name: "ppt/slides/slide10.xml", content: slide("ten") },
      { name: "ppt/notesSlides/notesSlide2.xml", content: slide("note") },
      { name: "ppt/slides/slide2.xml", content: slide("two") },
    );
    await expect(read(file)).resolves.toEqual(text("two\nend\n\nnote\nend\n\nten\nend"));
  });

  it("reads ODT, ODS and ODP by one rule", async () => {
    const content =
      "<office:document-content><office:automatic-styles><text:p>style</text:p></office:automatic-styles><office:body><text:h>Plan</text:h><text:tracked-changes><text:p>deleted</text:p></text:tracked-changes><text:p>of <text:span>the<text:s/>berth</text:span><text:line-break/>two</text:p><table:table-row><table:table-cell><text:p>1</text:p></table:table-cell><table:table-cell/></table:table-row></office:body></office:document-content>";
    await expect(read(document({ name: "mimetype", content: "x" }, { name: "content.xml", content }))).resolves.toEqual(
      text("Plan\nof the berth\ntwo\n1"),
    );
  });
});

describe("zip files", () => {
  const letter = { name: "mail/letter.txt", content: "Dear Ann" };

  it("lists their members, each name before its text", async () => {
    const file = document({ name: "mail/", content: "" }, letter, { name: "plan.png", content: "\x89PNG" });
    await expect(read(file, "a.zip")).resolves.toEqual(text("mail/letter.txt\nDear Ann\n\nplan.png"));
  });

  it("reads two levels of texts, and one level of names", async () => {
    const third = document({ name: "deep.txt", content: "third" });
    const second = document({ name: "inner.txt", content: "second" }, { name: "third.zip", content: third });
    const first = document({ name: "outer.txt", content: "first" }, { name: "second.zip", content: second });
    await expect(read(first, "a.zip")).resolves.toEqual(text("outer.txt\nfirst\n\nsecond.zip\nsecond"));
  });

  it("reads documents in them, and reports members that cannot be read", async () => {
    const plan = document({ name: "word/document.xml", content: "<w:t>Berth</w:t>" });
    const locked = { name: "locked.txt", content: "x", flags: 0x0801 };
    const file = document({ name: "plan.docx", content: plan }, locked, letter);
    await expect(read(file, "a.zip")).resolves.toEqual({
      ...text("plan.docx\nBerth\n\nlocked.txt\nmail/letter.txt\nDear Ann"),
      gap: "locked.txt: it is encrypted",
    });
  });
});

describe("messages that Outlook saved", () => {
  it("reads subject and text", async () =>
    expect(read(sampleMsg(), "a.msg")).resolves.toMatchObject({
      state: "read",
      text: expect.stringMatching(/Line of report 49\.$/),
    }));

  it("ignores other compound files", async () =>
    expect(
      read(writeCompoundFile({ streams: new Map([["WordDocument", Buffer.from("x")]]), storages: new Map() }), "a.doc"),
    ).resolves.toBeNull());
});

describe("texts", () => {
  it.each([
    ["notes.txt", "text/plain", "Gr\u00fc\u00dfe\r\n\r\n\r\n\r\nEnd  \r\n", "Gr\u00fc\u00dfe\n\n\nEnd"],
    ["page.html", "text/html", "<html><body><p>One</p><script>x</script><p>Two</p></body></html>", "One\n\nTwo"],
    ["saved.HTM", "application/octet-stream", "<p>One</p><p>Two &amp; a half</p>", "One\n\nTwo & a half"],
    ["part", "text/html", "<b>One</b>", "One"],
    ["no.html", "text/html", "2 < 3\nand\nso on", "2 < 3\nand\nso on"],
    ["a.csv", "application/vnd.ms-excel", "a;b\n1;2\n", "a;b\n1;2"],
    ["a.rtf", "application/rtf", "{\\rtf1\\ansi Berth {\\b plan}\\par two\\'fc}", "Berth plan\ntwo\u00fc"],
    ["a.eml", "application/octet-stream", "Subject: Rope\n\nThe text", "Rope\n\nThe text"],
    ["forwarded", "message/rfc822", "Subject: Rope\nContent-Type: text/html\n\n<p>The text</p>", "Rope\n\nThe text"],
    [
      "a.ics",
      "text/calendar",
      "BEGIN:VCALENDAR\nSUMMARY:Meet\nDESCRIPTION:Rope\\nand cha\r\n in\\, 713-555-\r\n 0123\nEND:VCALENDAR",
      "BEGIN:VCALENDAR\nSUMMARY:Meet\nDESCRIPTION:Rope\nand chain, 713-555-0123\nEND:VCALENDAR",
    ],
  ])("reads %s", (filename, mediaType, bytes, content) =>
    expect(read(bytes, filename, mediaType)).resolves.toEqual(text(content)),
  );

  it("detects UTF-16 by its mark, and rejects binary data", async () => {
    await expect(read(Buffer.from("\ufeffBerth", "utf16le"), "a.txt", "text/plain")).resolves.toEqual(text("Berth"));
    await expect(read(Buffer.from("MZ\0\0\u0001"), "a.txt", "text/plain")).resolves.toBeNull();
    await expect(read("\x89PNG", "a.png", "image/png")).resolves.toBeNull();
  });

  it("truncates long texts", async () => {
    await expect(read("a".repeat(MAX_FILE_TEXT + 1), "a.txt", "text/plain")).resolves.toEqual({
      state: "read",
      text: "a".repeat(MAX_FILE_TEXT),
      isCut: true,
      gap: null,
    });
  });
});

describe("hostile files", () => {
  const word = (part: Partial<ZipPart>): Buffer =>
    document({ name: "word/document.xml", content: "<w:t>x</w:t>", ...part });

  it.each([
    ["a bomb", word({ content: Buffer.alloc(33 << 20) }), "it exceeds the size limit when unpacked"],
    ["an encrypted one", word({ flags: 0x0801 }), "it is encrypted"],
    ["another method", word({ method: 99, packed: Buffer.from("x") }), "a part uses an unsupported compression method"],
    ["one that is cut", word({}).subarray(0, 60), "it ends before its directory"],
    ["broken data", word({ packed: Buffer.from([0xff, 0xff, 0xff]) }), "it is damaged"],
  ])("reports why %s is not read", (_, bytes, reason) =>
    expect(read(bytes)).resolves.toEqual({ state: "unread", reason }),
  );

  it("reads 200,000 nested elements, open tags and entities without end", async () => {
    const nested = `${"<w:p>".repeat(200_000)}<w:t>deep</w:t>`;
    await expect(read(word({ content: nested }))).resolves.toEqual(text("deep"));
    await expect(read(word({ content: `<w:t>${"<w:t ".repeat(200_000)}` }))).resolves.toMatchObject({ state: "read" });
    const laughs = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><w:t>&b;&b;</w:t>`;
    await expect(read(word({ content: laughs }))).resolves.toMatchObject({ state: "read" });
    expect(((await read(word({ content: laughs }))) as { text: string }).text.length).toBeLessThan(60);
  });

  it("never throws for any damaged byte", async () => {
    const file = word({});
    for (let at = 0; at < file.length; at++) {
      const broken = Buffer.from(file);
      broken[at] = broken[at]! ^ 0xff;
      await expect(read(broken)).resolves.toBeDefined();
    }
  });
});
