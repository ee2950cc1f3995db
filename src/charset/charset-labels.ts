import type { EbcdicCharset } from "./ebcdic.ts";

/** How a charset is decoded: by our own code, by the tables of the Encoding Standard, or by an iconv-lite name. */
type CharsetDecoding =
  | { readonly by: "own"; readonly name: BuiltInCharset }
  | { readonly by: "standard"; readonly label: string }
  | { readonly by: "iconv"; readonly name: string };

export type BuiltInCharset =
  | "utf-8"
  | "us-ascii"
  | "windows-1252"
  | "utf-16"
  | "utf-16le"
  | "utf-16be"
  | "utf-7"
  | "iso-2022-kr"
  | "iso-2022-cn"
  | "hz-gb-2312"
  | "johab"
  | EbcdicCharset;

/**
 * Labels our own code decodes. ISO-8859-1 is read as windows-1252, as every mail client writes it (WHATWG Encoding
 * 4.2).
 */
const OWN_ALIASES: Readonly<Record<BuiltInCharset, string>> = {
  "utf-8": "utf-8 utf8 unicode-1-1-utf-8 utf-8-mac utf8mb4 utf8mb3 utf_8 cp65001 x-unicode20utf8 unicode utf8-strict",
  "us-ascii":
    "us-ascii ascii us iso646-us ansi_x3.4-1968 ansi_x3.4-1986 iso-ir-6 iso_646.irv:1991 cp367 ibm367 646 x-user-defined default default_charset unknown unknown-8bit x-unknown 7bit 8bit binary none cp20127",
  "windows-1252":
    "windows-1252 windows1252 win-1252 win1252 cp1252 cp-1252 x-cp1252 ms-ansi ansi iso-8859-1 iso8859-1 iso88591 iso_8859-1 iso-8859-1:1987 iso_8859-1:1987 iso-ir-100 latin1 latin-1 latin l1 8859-1 8859_1 cp819 ibm819 iso-8859-1-windows-3.1-latin-1 iso-8859-1-windows-3.0-latin-1 iso-8859",
  "utf-16": "utf-16 utf16 utf_16 ucs-2 ucs2 iso-10646-ucs-2 csunicode",
  "utf-16le": "utf-16le utf16le utf-16-le ucs-2le cp1200 unicodelittle",
  "utf-16be": "utf-16be utf16be utf-16-be ucs-2be cp1201 unicodefffe unicodebig",
  "utf-7": "utf-7 utf7 unicode-1-1-utf-7 unicode-2-0-utf-7 csunicode11utf7 x-unicode-2-0-utf-7 cp65000",
  "iso-2022-kr": "iso-2022-kr iso2022kr csiso2022kr cp50225",
  "iso-2022-cn": "iso-2022-cn iso-2022-cn-ext iso2022cn csiso2022cn cp50227",
  "hz-gb-2312": "hz-gb-2312 hz hzgb2312 hz-gb2312 cp52936",
  johab: "johab x-johab ms1361 cp1361 windows-1361 ksc5601-1992 ks_c_5601-1992 ksc5601_1992",
  ibm037: "ibm037 ibm-037 ibm-37 ibm37 cp037 cp37 037 ebcdic-cp-us ebcdic-cp-ca ebcdic-cp-wt ebcdic-cp-nl ebcdic-us",
  ibm500: "ibm500 ibm-500 cp500 ebcdic-cp-be ebcdic-cp-ch ebcdic-international",
  ibm1047: "ibm1047 ibm-1047 cp1047 open_edition_ibm_1047",
  ibm1140: "ibm1140 ibm01140 ibm-1140 cp1140 cp01140 ccsid01140 ebcdic-us-37+euro",
  ibm1148: "ibm1148 ibm01148 ibm-1148 cp1148 cp01148 ccsid01148 ebcdic-international-500+euro",
};

/** Names of the WHATWG Encoding Standard, each with the spellings seen in mail. */
const STANDARD_ALIASES: Readonly<Record<string, string>> = {
  "iso-8859-2": "iso-8859-2 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 iso-ir-101 latin2 latin-2 l2 8859-2 cp28592",
  "iso-8859-3": "iso-8859-3 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 latin3 l3 cp28593",
  "iso-8859-4": "iso-8859-4 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 latin4 l4 cp28594",
  "iso-8859-5": "iso-8859-5 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988 cyrillic iso-ir-144 cp28595",
  "iso-8859-6":
    "iso-8859-6 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987 iso-8859-6-e iso-8859-6-i arabic asmo-708 ecma-114 cp28596 cp708",
  "iso-8859-7": "iso-8859-7 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 greek greek8 ecma-118 elot_928 cp28597",
  "iso-8859-8": "iso-8859-8 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 iso-8859-8-e visual hebrew cp28598",
  "iso-8859-8-i": "iso-8859-8-i csiso88598i logical cp38598",
  "iso-8859-10": "iso-8859-10 iso8859-10 iso885910 latin6 l6 cp28600",
  "iso-8859-13": "iso-8859-13 iso8859-13 iso885913 cp28603",
  "iso-8859-14": "iso-8859-14 iso8859-14 iso885914 latin8 cp28604",
  "iso-8859-15": "iso-8859-15 iso8859-15 iso885915 iso_8859-15 latin9 latin-9 l9 cp28605",
  "windows-874":
    "windows-874 cp874 ibm874 tis-620 tis620 tis620.2533-0 tis620.2533-1 iso-ir-166 iso-8859-11 iso8859-11 iso885911 dos-874 x-windows-874 cp28601",
  "windows-1250": "windows-1250 windows1250 win-1250 cp1250 cp-1250 x-cp1250",
  "windows-1251": "windows-1251 windows1251 win-1251 win1251 cp1251 cp-1251 x-cp1251 ansi-1251",
  "windows-1253": "windows-1253 windows1253 win-1253 cp1253 x-cp1253",
  "windows-1254":
    "windows-1254 windows1254 win-1254 cp1254 x-cp1254 iso-8859-9 iso8859-9 iso88599 iso_8859-9 latin5 l5 cp28599",
  "windows-1255": "windows-1255 windows1255 win-1255 cp1255 x-cp1255",
  "windows-1256": "windows-1256 windows1256 win-1256 cp1256 x-cp1256",
  "windows-1257": "windows-1257 windows1257 win-1257 cp1257 x-cp1257",
  "windows-1258": "windows-1258 windows1258 win-1258 cp1258 x-cp1258",
  "koi8-r": "koi8-r koi8 koi koi8_r koi-8-r iso-ir-111 ecma-cyrillic cskoi8r cp20866",
  "koi8-u": "koi8-u koi8-ru cp21866",
  macintosh: "macintosh mac x-mac-roman macroman cp10000",
  "x-mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian cp10007",
  ibm866: "ibm866 cp866 866 csibm866 dos-866",
  gbk: "gbk gb2312 gb-2312 gb_2312 gb2312-80 gb_2312-80 chinese csgb2312 iso-ir-58 x-gbk x-mac-chinesesimp cp10008 cp936 ms936 windows-936 euc-cn x-euc-cn cn-gb cp51936 cp20936",
  gb18030: "gb18030 gb-18030 cp54936",
  big5: "big5 big-5 big5-hkscs cn-big5 csbig5 x-x-big5 x-mac-chinesetrad cp10002 cp950 ms950 windows-950 big5-eten cp951",
  "euc-jp": "euc-jp eucjp x-euc-jp x-euc eucjp-ms eucjpms eucjp-win cp51932 cp20932 cseucpkdfmtjapanese",
  "iso-2022-jp":
    "iso-2022-jp iso2022jp csiso2022jp iso-2022-jp-1 iso-2022-jp-2 iso-2022-jp-3 iso-2022-jp-2004 iso-2022-jp-ms jis jis7 cp50220 cp50221 cp50222",
  shift_jis:
    "shift_jis shift-jis shiftjis sjis x-sjis ms_kanji windows-31j windows31j cp932 ms932 windows-932 csshiftjis mskanji x-mac-japanese cp10001",
  "euc-kr":
    "euc-kr euckr ks_c_5601-1987 ks_c_5601-1989 ks_c_5601 ksc5601 ksc_5601 korean cseuckr cp949 ms949 uhc windows-949 x-windows-949 iso-ir-149 cp51949 x-euc-kr x-mac-korean cp10003",
};

/** Names of iconv-lite, each with the spellings seen in mail that it does not know. */
const RARE_ALIASES: Readonly<Record<string, string>> = {
  maccenteuro: "x-mac-ce x-mac-centraleurroman x-mac-central-europe macce cp10029",
  maccroatian: "x-mac-croatian cp10082",
  macgreek: "x-mac-greek cp10006",
  maciceland: "x-mac-icelandic cp10079",
  macromania: "x-mac-romanian cp10010",
  macthai: "x-mac-thai cp10021",
  macturkish: "x-mac-turkish cp10081",
  pt154: "ptcp154 cyrillic-asian",
};

/** Names that iconv-lite accepts but that are transport encodings; decoding text with them would destroy it. */
const NOT_CHARSETS: ReadonlySet<string> = new Set(["base64", "hex", "binary", "utf-7-imap", "utf7imap", "internal"]);

function tableOf(): ReadonlyMap<string, CharsetDecoding> {
  const table = new Map<string, CharsetDecoding>();
  for (const name of Object.keys(OWN_ALIASES) as BuiltInCharset[]) {
    for (const alias of OWN_ALIASES[name].split(" ")) table.set(alias, { by: "own", name });
  }
  for (const [label, aliases] of Object.entries(STANDARD_ALIASES)) {
    for (const alias of aliases.split(" ")) table.set(alias, { by: "standard", label });
  }
  for (const [name, aliases] of Object.entries(RARE_ALIASES)) {
    for (const alias of aliases.split(" ")) table.set(alias, { by: "iconv", name });
  }
  return table;
}

const DECODINGS = tableOf();

/** Charset names longer than this are invalid; the longest registered one has 45 characters. */
const MAX_LABEL_LENGTH = 60;

/**
 * Finds the decoder of a label, or null. `isKnownToIconv` covers names outside our tables. Tolerates quotes, blanks,
 * a `cs` prefix and an RFC 2231 language suffix.
 */
export function charsetDecoding(label: string, isKnownToIconv: (name: string) => boolean): CharsetDecoding | null {
  const found = DECODINGS.get(label);
  if (found !== undefined) return found;
  const star = label.indexOf("*");
  const name = (star > 0 ? label.slice(0, star) : label).replace(/["'\s;]/g, "").toLowerCase();
  if (name === "" || name.length > MAX_LABEL_LENGTH || NOT_CHARSETS.has(name)) return null;
  const named =
    DECODINGS.get(name) ?? DECODINGS.get(name.replaceAll("_", "-")) ?? DECODINGS.get(name.replace(/^(?:cs|x-)/, ""));
  if (named !== undefined) return named;
  return isKnownToIconv(name) ? { by: "iconv", name } : null;
}
