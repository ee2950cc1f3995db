import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { loadBuiltModule } from "../built-files.ts";
import { decodeByStandard } from "./standard-tables.ts";

interface IndexTable {
  readonly charset: string;
  /** Pointers of the index table, and how many of them have characters (Encoding Standard, section 5). */
  readonly pointers: number;
  readonly characters: number;
  readonly bytesOf: (pointer: number) => readonly number[];
  /** The charset of iconv-lite with the same table, generated from another source. */
  readonly peer: string;
}

const trail =
  (low: number, high: number) =>
  (rest: number): number =>
    rest + (rest < 0x3f ? low : high);
const gbBytes = (pointer: number): readonly number[] => [
  0x81 + Math.floor(pointer / 190),
  trail(0x40, 0x41)(pointer % 190),
];
const rowAndCell = (pointer: number): readonly number[] => [0xa1 + Math.floor(pointer / 94), 0xa1 + (pointer % 94)];

const TABLES: readonly IndexTable[] = [
  {
    charset: "euc-kr",
    pointers: 23_750,
    characters: 17_048,
    bytesOf: (pointer) => [0x81 + Math.floor(pointer / 190), 0x41 + (pointer % 190)],
    peer: "cp949",
  },
  {
    charset: "big5",
    pointers: 19_782,
    characters: 18_594,
    bytesOf: (pointer) => [0x81 + Math.floor(pointer / 157), trail(0x40, 0x62)(pointer % 157)],
    peer: "big5hkscs",
  },
  { charset: "gbk", pointers: 23_940, characters: 23_940, bytesOf: gbBytes, peer: "gbk" },
  { charset: "gb18030", pointers: 23_940, characters: 23_940, bytesOf: gbBytes, peer: "gb18030" },
  { charset: "euc-jp", pointers: 8_836, characters: 7_336, bytesOf: rowAndCell, peer: "eucjp" },
  {
    charset: "euc-jp",
    pointers: 8_836,
    characters: 6_067,
    bytesOf: (pointer) => [0x8f, ...rowAndCell(pointer)],
    peer: "eucjp",
  },
];

/** Code points that GB 18030-2022 moved out of the private use area, as the standard does and iconv-lite does not. */
const MOVED_IN_2022 = 18;

describe("decodeByStandard", () => {
  it.each(TABLES)("reads every entry of the table of $charset ($characters characters)", (table) => {
    const { charset, pointers, bytesOf, peer } = table;
    const different: string[] = [];
    let characters = 0;
    for (let pointer = 0; pointer < pointers; pointer++) {
      const bytes = Buffer.from(bytesOf(pointer));
      const text = decodeByStandard(charset, bytes);
      if (!text.includes("\ufffd")) characters++;
      const other = iconv.decode(bytes, peer);
      if (text !== other && !(text.includes("\ufffd") && other.includes("\ufffd"))) different.push(other);
    }
    expect(characters).toBe(table.characters);
    expect(different.every((text) => /^\p{Co}$/u.test(text))).toBe(true);
    expect(different).toHaveLength(charset.startsWith("gb") ? MOVED_IN_2022 : 0);
  });

  it("reads every Korean syllable", () => {
    const syllables = Array.from({ length: 11_172 }, (_, at) => String.fromCharCode(0xac00 + at)).join("");
    expect(decodeByStandard("euc-kr", iconv.encode(syllables, "cp949")) === syllables).toBe(true);
  });

  it("reads ISO-2022-JP and Shift_JIS by the table of EUC-JP", () => {
    for (let pointer = 0; pointer < 8_836; pointer++) {
      const [row, cell] = rowAndCell(pointer) as [number, number];
      const text = decodeByStandard("euc-jp", Buffer.from([row, cell]));
      if (text.includes("\ufffd")) continue;
      const shifted = [Math.floor(pointer / 188), pointer % 188] as const;
      const lead = shifted[0] + (shifted[0] < 0x1f ? 0x81 : 0xc1);
      expect(decodeByStandard("shift_jis", Buffer.from([lead, trail(0x40, 0x41)(shifted[1])]))).toBe(text);
      const escaped = Buffer.from([0x1b, 0x24, 0x42, row & 0x7f, cell & 0x7f, 0x1b, 0x28, 0x42]);
      expect(decodeByStandard("iso-2022-jp", escaped)).toBe(text);
    }
  });

  it("reads four-byte characters of GB 18030", () => {
    const text = "😀\u{20000}ḿ";
    expect(decodeByStandard("gb18030", iconv.encode(text, "gb18030"))).toBe(text);
  });

  it("finds the tables in the built package", () => {
    const names = ["single-byte", "multi-byte"].flatMap((name) =>
      Object.keys(loadBuiltModule(`charset/${name}.cjs`) as object),
    );
    expect(names).toEqual(expect.arrayContaining(["createSinglebyteDecoder", "createMultibyteDecoder"]));
  });

  it("leaves no state between texts", () => {
    expect(decodeByStandard("big5", Buffer.from([0xa4]))).toBe("\ufffd");
    expect(decodeByStandard("big5", Buffer.from("a"))).toBe("a");
  });
});
