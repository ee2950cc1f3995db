import { expect, it } from "vitest";
import { datedName } from "./message-name.ts";

const SENT = Date.UTC(2001, 4, 14, 16, 39, 7);
const named = (subject: string, sentAt: number | null = SENT) => datedName({ id: "msg-000012", sentAt, subject }, 200);

it("contains date and subject", () => {
  expect(named("Mooring line")).toBe("2001-05-14 1639 Mooring line msg-000012.eml");
  expect(named("", null)).toBe("undated msg-000012.eml");
});

it.each([
  ["CON", "2001-05-14 1639 CON msg-000012.eml"],
  ["ends in dots. . .", "2001-05-14 1639 ends in dots msg-000012.eml"],
  ['a/b\\c:d*e?"f<g>h|i', "2001-05-14 1639 a_b_c_d_e__f_g_h_i msg-000012.eml"],
  ["line\r\nend\u202egpj", "2001-05-14 1639 line__endgpj msg-000012.eml"],
])("writes %j as a valid Windows name", (subject, name) => {
  expect(named(subject)).toBe(name);
});

it("truncates a subject between characters", () => {
  expect(named("😀".repeat(1000))).toBe(`2001-05-14 1639 ${"😀".repeat(46)} msg-000012.eml`);
  expect(named("x".repeat(1000))).toBe(`2001-05-14 1639 ${"x".repeat(80)} msg-000012.eml`);
});

it.each([64, 65, 90])("truncates a subject to a name of %i characters", (room) => {
  for (const letter of ["x", "😀", "ü", "界"]) {
    const name = datedName({ id: "msg-000012", sentAt: SENT, subject: letter.repeat(100) }, room);
    expect(name.length).toBeLessThanOrEqual(room);
    expect(name.length).toBeGreaterThan(room - 30);
    expect(name.isWellFormed()).toBe(true);
  }
});
