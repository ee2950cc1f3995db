import { describe, expect, it } from "vitest";
import { objectOf } from "../../../test/msg-writer/made-object.ts";
import { binary, integer, text, type WrittenProperty } from "../../../test/pst-writer/property-writer.ts";
import { PROPERTY_SET } from "../../properties/named-properties.ts";
import { PID } from "../../properties/property-ids.ts";
import { NO_DIRECTORY } from "../objects/mapi-address.ts";
import { fileInMacBinary, MAC_BINARY_ENCODING } from "../objects/packed-file.ts";
import { readMapiMessage } from "./mapi-message.ts";

const DATA = Buffer.from("29 bytes of some short words!");

/** The attachment with these properties, of a message with this HTML. */
function partOf(properties: readonly WrittenProperty[], html = "", data: Buffer = DATA) {
  const object = objectOf(() => ({
    properties: [text(PID.subject, "Plan"), binary(PID.html, Buffer.from(html))],
    attachments: [{ properties, data }],
  }));
  return readMapiMessage(object, NO_DIRECTORY).attachments[0]!;
}

describe("the name of an attachment", () => {
  it.each<[string, readonly WrittenProperty[], string]>([
    ["decoded", [text(PID.attachLongFilename, "=?iso-8859-1?Q?Pl=E4n.pdf?=")], "Plän.pdf"],
    ["its transport name", [text(PID.attachTransportName, "plan.pdf")], "plan.pdf"],
    ["no blank name", [text(PID.attachLongFilename, " "), text(PID.attachFilename, "a.pdf")], "a.pdf"],
    [
      "its full name",
      [text(PID.attachFilename, "QUARTE~1.DOC"), text(PID.displayName, "Quarterly.docx")],
      "Quarterly.docx",
    ],
    [
      "no title of another type",
      [text(PID.attachFilename, "QUARTE~1.DOC"), text(PID.displayName, "v1.2")],
      "QUARTE~1.DOC",
    ],
  ])("is %s", (_, properties, filename) => {
    expect(partOf(properties).filename).toBe(filename);
  });

  it("is the last name in the address of a linked file", () => {
    const address = "https://files.example/a%20b/plan%20one.docx?web=1";
    const links = [[text(PID.attachLongPathname, address)], [text(PID.attachLongFilename, "plan.docx")]];
    const object = objectOf((named) => ({
      properties: [text(PID.subject, "Plan")],
      attachments: [
        { properties: [integer(PID.attachMethod, 7), ...links[0]!] },
        {
          properties: [
            integer(PID.attachMethod, 7),
            ...links[1]!,
            text(named({ set: PROPERTY_SET.attachment, name: "AttachmentOriginalUrl" }), address),
          ],
        },
      ],
    }));
    const { attachments } = readMapiMessage(object, NO_DIRECTORY);
    expect(attachments.map(({ filename, linkTarget }) => [filename, linkTarget])).toEqual([
      ["plan one.docx", address],
      ["plan.docx", address],
    ]);
  });
});

describe("an attachment", () => {
  it.each<[string, readonly WrittenProperty[], string, string]>([
    ["in an address", [text(PID.attachContentId, "i1@x")], '<img src="cid:i1@x">', "inline"],
    ["percent-encoded", [text(PID.attachContentId, "i 1@x")], "<img src='cid:i%201@x'>", "inline"],
    ["in another case", [text(PID.attachContentId, "Image1@X")], '<img src="CID:image1@x">', "inline"],
    ["by its location", [text(PID.attachContentLocation, "i.png")], '<img src="i.png">', "inline"],
    ["under another name", [text(PID.attachContentId, "i1@x")], '<img src="cid:i2@x"> %', "attachment"],
  ])("is shown in HTML %s", (_, properties, html, disposition) => {
    expect(partOf([text(PID.attachLongFilename, "i.png"), ...properties], html).disposition).toBe(disposition);
  });

  it("in MacBinary format is its data fork", () => {
    const encoding = binary(PID.attachEncoding, MAC_BINARY_ENCODING);
    const part = partOf([encoding], "", macBinary("plan.pdf", DATA));
    expect([part.filename, part.mediaType, Buffer.from(part.bytes()).toString()]).toEqual([
      "plan.pdf",
      "application/pdf",
      DATA.toString(),
    ]);
    expect(Buffer.from(partOf([encoding], "", DATA).bytes())).toEqual(DATA);
    expect(fileInMacBinary(macBinary("plan.pdf", DATA).subarray(0, 130))).toBeNull();
    expect(fileInMacBinary(macBinary("plan.pdf", Buffer.alloc(0)))).toBeNull();
  });
});

function macBinary(name: string, data: Buffer): Buffer {
  const header = Buffer.alloc(128);
  header[1] = name.length;
  header.write(name, 2, "latin1");
  header.writeUInt32BE(data.length, 83);
  return Buffer.concat([header, data, Buffer.alloc(128 - data.length)]);
}
