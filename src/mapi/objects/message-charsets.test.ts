import { decode, encode } from "iconv-lite";
import { describe, expect, it } from "vitest";
import { buildMsg } from "../../../test/msg-writer/msg-writer.ts";
import { binary, integer, string8, text, type WrittenProperty } from "../../../test/pst-writer/property-writer.ts";
import { PID } from "../../properties/property-ids.ts";
import { readMapiMessage } from "../message/mapi-message.ts";
import { openMsg } from "../tnef/msg-object.ts";
import { NO_DIRECTORY } from "./mapi-address.ts";

const CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy";
const GERMAN = "Grüße – Maß geändert €";
const RUSSIAN = "Привет, это письмо на русском языке";
const ARABIC = "مرحبا بكم في البريد";

/** Code pages of the message, of its original encoding, and of its locale. */
interface Named {
  readonly own?: number;
  readonly sent?: number;
  readonly locale?: number;
  readonly headers?: string;
}

function propertiesOf({ own, sent, locale, headers }: Named): readonly WrittenProperty[] {
  return [
    ...(own === undefined ? [] : [integer(PID.messageCodePage, own)]),
    ...(sent === undefined ? [] : [integer(PID.internetCodePage, sent)]),
    ...(locale === undefined ? [] : [integer(PID.messageLocaleId, locale)]),
    ...(headers === undefined ? [] : [text(PID.transportHeaders, headers)]),
  ];
}

function messageOf(...properties: readonly WrittenProperty[]) {
  return readMapiMessage(openMsg(buildMsg({ properties }))!.object, NO_DIRECTORY);
}

describe("HTML", () => {
  const page = (body: string, meta = ""): string => `<html><head>${meta}</head><body><p>${body}</p></body></html>`;
  const meta = (charset: string): string => `<meta http-equiv="Content-Type" content="text/html; charset=${charset}">`;

  it.each<[string, string, string, string, Named]>([
    ["the code page of the message", CZECH, "windows-1250", "", { own: 1250 }],
    ["the page", CZECH, "windows-1250", meta("windows-1250"), {}],
    ["the page, which was sent as Latin", CZECH, "windows-1250", meta("windows-1250"), { sent: 28591 }],
    ["the page, against all others", RUSSIAN, "windows-1251", meta("windows-1251"), { own: 1252, sent: 1252 }],
    ["what it was sent in, against the page", RUSSIAN, "windows-1251", meta("windows-1252"), { sent: 1251 }],
    ["the code page of the message, for Arabic", ARABIC, "windows-1256", "", { own: 1256 }],
    ["a short word's code page", "Да", "windows-1251", "", { own: 1251 }],
    ["valid UTF-8 under another label", GERMAN, "utf-8", "", { sent: 1252, own: 1252 }],
    ["valid UTF-8 under a label of wide strings", GERMAN, "utf-8", "", { own: 1200, sent: 1200 }],
    ["valid UTF-8 under UTF-32", GERMAN, "utf-8", "", { sent: 12000 }],
    ["8-bit text under a label of wide strings", GERMAN, "windows-1252", "", { sent: 1200 }],
    ["UTF-16 under any label", GERMAN, "utf-16le", "", { sent: 1252 }],
    ["the message, where UTF-8 is named and is not", CZECH, "windows-1250", "", { own: 1250, sent: 65001 }],
    ["the page, where UTF-8 is named and is not", CZECH, "windows-1250", meta("windows-1250"), { sent: 65001 }],
    ["the locale", CZECH, "windows-1250", "", { locale: 0x0405 }],
    ["seven bits", "日本語のメール", "iso-2022-jp", "", { sent: 50220 }],
    ["Shift-JIS that was sent in seven bits", "日本語のメール", "shift_jis", "", { sent: 50220 }],
  ])("is read by %s", (_, body, charset, head, named) => {
    const bytes = charset === "iso-2022-jp" ? sevenBitJapanese(page(body)) : encode(page(body, head), charset);
    const { htmlBody } = messageOf(binary(PID.html, bytes), ...propertiesOf(named));
    expect(htmlBody).toBe(page(body, charset === "iso-2022-jp" ? "" : head));
  });

  it("is read as bytes from an 8-bit string", () => {
    const { htmlBody } = messageOf(
      string8(PID.html, encode(page(GERMAN), "utf-8")),
      integer(PID.messageCodePage, 1252),
    );
    expect(htmlBody).toBe(page(GERMAN));
  });
});

/** ISO-2022-JP for characters of JIS X 0208, made from their EUC-JP bytes. */
function sevenBitJapanese(whole: string): Buffer {
  const pieces = whole.split(/([^\x00-\x7f]+)/);
  return Buffer.concat(
    pieces.map((piece) => {
      const bytes = encode(piece, "euc-jp");
      return /^[\x00-\x7f]*$/.test(piece)
        ? bytes
        : Buffer.concat([Buffer.from("\x1b$B"), bytes.map((byte) => byte & 0x7f), Buffer.from("\x1b(B")]);
    }),
  );
}

describe("8-bit texts", () => {
  const type = "Subject: x\r\nContent-Type: text/plain; charset=windows-1250\r\n";

  it.each<[string, string, string, Named]>([
    ["the code page of the message", CZECH, "windows-1250", { own: 1250, sent: 65001 }],
    ["what it was sent in", CZECH, "windows-1250", { sent: 28592 }],
    ["the locale", CZECH, "windows-1250", { locale: 0x0405 }],
    ["the locale, against a Latin code page", RUSSIAN, "windows-1251", { own: 1252, locale: 0x0419 }],
    ["its headers", CZECH, "windows-1250", { headers: type }],
    ["valid UTF-8", GERMAN, "utf-8", { own: 1252 }],
    ["8-bit text under a code page of wide strings", GERMAN, "windows-1252", { own: 1200 }],
    ["8-bit text under UTF-8", GERMAN, "windows-1252", { own: 65001 }],
    [
      "the code page of what was sent, where the message names another",
      RUSSIAN,
      "windows-1251",
      { own: 1252, sent: 1251 },
    ],
  ])("are read by %s", (_, body, charset, named) => {
    const message = messageOf(
      string8(PID.subject, encode(body, charset)),
      string8(PID.body, encode(body, charset)),
      ...propertiesOf(named),
    );
    expect([message.envelope.subject, message.textBody]).toEqual([body, body]);
  });

  it("are not read as UTF-8 by accident", () => {
    const names = ["CAFÉ®", "L'ÉTÉ…"].map((name) => encode(name, "windows-1252"));
    for (const name of names) {
      const { envelope } = messageOf(string8(PID.subject, name), integer(PID.messageCodePage, 1252));
      expect(envelope.subject).toBe(decode(name, "windows-1252"));
    }
    const chinese = messageOf(string8(PID.subject, encode("袛邪", "gbk")), integer(PID.messageCodePage, 936));
    expect(chinese.envelope.subject).toBe("袛邪");
  });
});
