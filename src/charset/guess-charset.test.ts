import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { decodeUnlabeledField, guessedCharset } from "./decode-charset.ts";

describe("guessCharset", () => {
  it.each([
    ["gbk", "会议通知"],
    ["gbk", "您好"],
    ["gbk", "关于年度预算的讨论"],
    ["gbk", "Re: 发票 2003"],
    ["gbk", "王小明 <wang@site.example>"],
    ["big5", "會議通知"],
    ["big5", "台灣大學"],
    ["big5", "以上"],
    ["big5", "中文"],
    ["shift_jis", "会議のお知らせ"],
    ["shift_jis", "テスト"],
    ["shift_jis", "Re: 見積書の件"],
    ["euc-jp", "お問い合わせありがとうございます"],
    ["euc-kr", "안녕하세요"],
    ["euc-kr", "회의 안내"],
    ["koi8-u", "Привет"],
    ["koi8-u", "Приглашение на встречу"],
    ["koi8-u", "Вітаємо"],
    ["windows-1251", "Иван Петров"],
    ["windows-1251", "КАК УВЕЛИЧИТЬ ПРОДАЖИ"],
    ["windows-1253", "Πρόσκληση σε συνάντηση"],
    ["windows-1255", "הזמנה לפגישה"],
    ["windows-1252", "Grüße aus der Straßenüberführung"],
    ["windows-1252", "Größe"],
    ["windows-1252", "Réponse à l'été, créée"],
    ["windows-1252", "à é è"],
    ["windows-1252", "Informações sobre reuniões"],
    ["windows-1252", "“Hello” – it’s"],
    ["windows-1252", "Þórður Árnason"],
    ["windows-1252", "20 °C ± 5 µm §§ 5"],
    ["windows-1252", "•• Vente ••"],
    ["windows-1252", "————"],
    ["windows-1252", "ñ"],
  ])("detects %s: %s", (charset, text) => {
    expect(guessedCharset(iconv.encode(text, charset))).toBe(charset);
  });

  it("detects the charset at any offset", () => {
    expect(guessedCharset(Buffer.concat([Buffer.alloc(100_000, "plain "), iconv.encode("会议通知", "gbk")]))).toBe(
      "gbk",
    );
  });

  it("tolerates a truncated last character", () => {
    expect(guessedCharset(Buffer.concat([iconv.encode("テスト", "euc-jp"), Buffer.of(0xb0, 0x9f)]))).toBe("euc-jp");
  });

  it("returns a charset for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const text = decodeUnlabeledField(Buffer.from(bytes), guessedCharset(Buffer.from(bytes)));
        expect(text.isWellFormed() && !text.includes("\0")).toBe(true);
      }),
    );
  });
});

describe("decodeUnlabeledField", () => {
  it.each([
    ["UTF-8 whatever else is said", Buffer.from("Größe"), "gbk", "Größe"],
    ["damaged UTF-8", Buffer.concat([Buffer.from("Größe"), Buffer.of(0xc3)]), "gbk", "Größe\uFFFD"],
    ["the charset of the message", iconv.encode("ÄÖÜ", "windows-1252"), "iso-8859-1", "ÄÖÜ"],
    [
      "what its bytes say where that cannot be",
      iconv.encode("テスト、見積書", "shift_jis"),
      "windows-1252",
      "テスト、見積書",
    ],
    ["ASCII", Buffer.from("plain"), "big5", "plain"],
    ["an unknown charset", Buffer.of(0x46, 0x72, 0xf6), "x-no-such-thing", "Frö"],
  ])("reads %s", (_, bytes, charset, text) => {
    expect(decodeUnlabeledField(bytes, charset)).toBe(text);
  });
});
