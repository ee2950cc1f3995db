import { wordSet } from "../../mail/words/word-table.ts";

/** Destinations outside the document text ([RTF] 1.9.1). */
export const SKIPPED_DESTINATIONS = wordSet(
  "colortbl stylesheet info pict header headerl headerr headerf footer footerl footerr footerf ftnsep ftnsepc ftncn " +
    "annotation atnid atnauthor listtable listoverridetable rsidtbl generator themedata datastore latentstyles filetbl revtbl " +
    "xmlnstbl pgptbl mmathPr bkmkstart bkmkend nonshppict shppict objdata private sn sv shprslt nonesttables",
);
/** Destinations that old readers skip and whose text is text of the document: results of fields, text boxes, tables. */
export const NEWER_DESTINATIONS = wordSet("fldrslt shpinst nesttableprops");
/** Bullets and numbers of lists, which encapsulated HTML has as tags ([MS-OXRTFEX] 2.1.3.1). */
export const LIST_TEXTS = wordSet("pntext listtext");

/** Words of the header that name a character set older than `\ansicpg`, by the code page of each. */
export const CHARACTER_SETS: ReadonlyMap<string, number> = new Map([
  ["mac", 10000],
  ["pc", 437],
  ["pca", 850],
]);
/** Lead bytes of two-byte characters by charset. */
export const LEAD_BYTES: Readonly<Record<string, (byte: number) => boolean>> = {
  shift_jis: (byte) => (byte >= 0x81 && byte <= 0x9f) || (byte >= 0xe0 && byte <= 0xfc),
  gbk: isLeadByte,
  "euc-kr": isLeadByte,
  big5: isLeadByte,
};

function isLeadByte(byte: number): boolean {
  return byte >= 0x81 && byte <= 0xfe;
}

/** `\fcharsetN` to Windows code pages; 0 and 1 mean the code page of the document. */
export const CODE_PAGE_OF_CHARSET: ReadonlyMap<number, number> = new Map([
  // Symbol fonts: windows-1252 is how HTML of Word writes their codes.
  [2, 1252],
  [77, 10000],
  [128, 932],
  [129, 949],
  [134, 936],
  [136, 950],
  [161, 1253],
  [162, 1254],
  [163, 1258],
  [177, 1255],
  [178, 1256],
  [186, 1257],
  [204, 1251],
  [222, 874],
  [238, 1250],
  [254, 437],
  [255, 850],
]);

/** Words for single characters. In HTML, non-breaking spaces and hyphens are entities ([MS-OXRTFEX] 2.2.2). */
export const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ["par", "\n"],
  ["line", "\n"],
  ["sect", "\n"],
  ["page", "\n"],
  ["softline", "\n"],
  ["column", "\n"],
  ["row", "\n"],
  ["nestrow", "\n"],
  ["cell", "\t"],
  ["nestcell", "\t"],
  ["footnote", " "],
  ["tab", "\t"],
  ["lquote", "‘"],
  ["rquote", "’"],
  ["ldblquote", "“"],
  ["rdblquote", "”"],
  ["bullet", "•"],
  ["endash", "–"],
  ["emdash", "—"],
  ["enspace", "\u2002"],
  ["emspace", "\u2003"],
  ["qmspace", "\u2005"],
  ["zwbo", "\u200b"],
  ["zwnj", "\u200c"],
  ["zwj", "\u200d"],
  ["ltrmark", "\u200e"],
  ["rtlmark", "\u200f"],
  ["zwnbo", "\u2060"],
]);
export const SYMBOLS: ReadonlyMap<string, { readonly html: string; readonly text: string }> = new Map([
  ["~", { html: "&nbsp;", text: "\u00a0" }],
  ["_", { html: "&shy;", text: "-" }],
  ["\\", { html: "\\", text: "\\" }],
  ["{", { html: "{", text: "{" }],
  ["}", { html: "}", text: "}" }],
  ["\n", { html: "\n", text: "\n" }],
  ["\r", { html: "\n", text: "\n" }],
]);
