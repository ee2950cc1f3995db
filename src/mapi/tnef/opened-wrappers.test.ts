import { describe, expect, it } from "vitest";
import { text } from "../../../test/pst-writer/property-writer.ts";
import { signedBer, signedDer } from "../../../test/signed-data.ts";
import { writeTnef } from "../../../test/tnef-writer.ts";
import type { AttachmentPart } from "../../mail/records/message.ts";
import { parseMessage } from "../../mime/parse-message.ts";
import { PID } from "../../properties/property-ids.ts";
import { openWrappers } from "./opened-wrappers.ts";

const part = (mediaType: string, bytes: Buffer): AttachmentPart => ({
  filename: "smime.p7m",
  mediaType,
  disposition: "attachment",
  contentId: null,
  linkTarget: null,
  bytes: () => bytes,
});
const ENTITY = Buffer.from(
  [
    "Content-Type: multipart/mixed; boundary=b",
    "",
    "--b",
    "Content-Type: text/plain; charset=utf-8",
    "",
    "Bring the säcks.",
    "--b",
    "Content-Type: application/pdf; name=plan.pdf",
    "",
    "%PDF",
    "--b--",
    "",
  ].join("\r\n"),
);
const names = (parts: readonly AttachmentPart[]): readonly string[] => parts.map(({ filename }) => filename);

describe("winmail.dat whose type was lost", () => {
  const tnef = writeTnef({
    properties: [],
    attachments: [{ properties: [text(PID.attachLongFilename, "plan.pdf")], data: Buffer.from("%PDF") }],
  });
  const named = (filename: string, bytes: Buffer) =>
    names(openWrappers([{ ...part("application/octet-stream", bytes), filename }], "See below").attachments);

  it("is detected by its name and first bytes", () => {
    expect(named("winmail.dat", tnef)).toEqual(["plan.pdf"]);
    expect(named("WIN.DAT", tnef)).toEqual(["plan.pdf"]);
    expect(named("winmail.dat", Buffer.from("something else"))).toEqual(["winmail.dat"]);
    expect(named("ATT00001.dat", tnef)).toEqual(["plan.pdf"]);
    expect(named("", tnef)).toEqual(["plan.pdf"]);
    expect(named("att2.bin", Buffer.from("something else"))).toEqual(["att2.bin"]);
    expect(named("plan.dat", tnef)).toEqual(["plan.dat"]);
  });

  it("is opened in another one", () => {
    const inner = { properties: [text(PID.attachLongFilename, "winmail.dat")], data: tnef };
    expect(named("winmail.dat", writeTnef({ properties: [], attachments: [inner] }))).toEqual(["plan.pdf"]);
  });
});

describe("mail that is signed in one piece", () => {
  it.each([
    ["DER", signedDer(ENTITY)],
    ["BER in chunks", signedBer(ENTITY, 50)],
  ])("returns its text and attachments: %s", (_, der) => {
    const mail = [
      "Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m",
      "Content-Transfer-Encoding: base64",
      "",
      der.toString("base64"),
    ];
    const read = openWrappers(parseMessage(Buffer.from(mail.join("\r\n"))).attachments, null);
    expect(read.textBody?.trim()).toBe("Bring the säcks.");
    expect(names(read.attachments)).toEqual(["plan.pdf"]);
  });

  it("returns its text if a gateway lost the type, and if protected fields precede the content type", () => {
    const entity = Buffer.concat([Buffer.from("Subject: Sacks\r\nFrom: ann@mill.example\r\n"), ENTITY]);
    const opened = openWrappers([part("application/octet-stream", signedDer(entity))], null);
    expect([opened.textBody?.trim(), names(opened.attachments)]).toEqual(["Bring the säcks.", ["plan.pdf"]]);
    const other = { ...part("application/octet-stream", signedDer(entity)), filename: "plan.p7m" };
    expect(openWrappers([other], null).attachments).toEqual([other]);
  });

  it("returns those of the entity that Outlook attached, also if signed twice", () => {
    const entity = Buffer.from(
      [
        "Content-Type: multipart/signed; boundary=s",
        "",
        "--s",
        "Content-Type: application/pkcs7-mime; name=smime.p7m",
        "Content-Transfer-Encoding: base64",
        "",
        signedDer(ENTITY).toString("base64"),
        "--s",
        "Content-Type: application/pkcs7-signature; name=smime.p7s",
        "",
        "x",
        "--s--",
      ].join("\r\n"),
    );
    const opened = openWrappers([part("multipart/signed", entity)], null);
    expect(opened.textBody?.trim()).toBe("Bring the säcks.");
    expect(names(opened.attachments)).toEqual(["plan.pdf", "smime.p7s"]);
  });

  it("replaces an equal text, and is kept next to another", () => {
    const attachment = part("multipart/signed", ENTITY);
    const beside = (ownText: string) => names(openWrappers([attachment], ownText).attachments);
    expect(beside("Bring  the\r\nsäcks.\n--\nAda")).toEqual(["plan.pdf"]);
    expect(beside("The list took the text away.")).toEqual(["smime.p7m", "plan.pdf"]);
  });

  it("stays an attachment next to a text, as a signed file, and if encrypted", () => {
    const stays = (attachment: AttachmentPart, ownText: string | null): void =>
      expect(openWrappers([attachment], ownText).attachments).toEqual([attachment]);
    stays(part("application/pkcs7-mime", signedDer(ENTITY)), "See the file.");
    const footer = `${"_".repeat(47)}\nMill mailing list\nhttps://lists.mill.example/mill\n`;
    expect(openWrappers([part("application/pkcs7-mime", signedDer(ENTITY))], footer).textBody?.trim()).toBe(
      "Bring the säcks.",
    );
    stays(part("application/pkcs7-mime", signedDer(Buffer.from("<invoice/>"))), null);
    stays(part("application/pkcs7-mime", Buffer.from("300b06092a864886f70d010703", "hex")), null);
  });

  it("is opened to a limited depth", () => {
    let bytes = ENTITY;
    for (let layer = 0; layer < 20; layer++)
      bytes = Buffer.from(
        `Content-Type: application/pkcs7-mime; name=smime.p7m\r\nContent-Transfer-Encoding: base64\r\n\r\n${signedDer(bytes).toString("base64")}`,
      );
    expect(names(openWrappers(parseMessage(bytes).attachments, null).attachments)).toEqual(["smime.p7m"]);
  });
});
