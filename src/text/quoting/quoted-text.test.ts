import { describe, expect, it } from "vitest";
import { quotedText } from "./quoted-text.ts";
import { splitBody } from "./split-body.ts";

const quoted = (body: string, limit = 1500): string => quotedText(body, splitBody(body), limit);

describe("quotedText", () => {
  it("returns the quoted text without separator, header and recipients", () => {
    const body =
      "Yes.\n\n-----Original Message-----\nFrom: Ann Example\nSent: Monday, May 14, 2001 4:39 PM\nTo: Bob Example; Carol Example;\n\tDan Example\nSubject: Tariff\n\nThe tariff was filed.\nSee below.\n";
    expect(quoted(body)).toBe("The tariff was filed.\nSee below.\n");
  });

  it("returns the text below the header of a forwarded Notes mail", () => {
    const body =
      "---------------------- Forwarded by Ann Example/HOU/XYZ on 05/14/2001 04:39 PM ---------------------------\n\n\nBob Example\n05/14/2001 10:11 AM\nTo: Ann Example/HOU/XYZ@XYZ\ncc:\nSubject: Tariff\n\nThe tariff was filed.\n";
    expect(quoted(body)).toContain("The tariff was filed.");
    expect(quoted(body)).not.toMatch(/Subject|To:|Forwarded/);
  });

  it("removes `>` marks, and the author's own text", () => {
    expect(quoted("On 3 May 2001, Ann wrote:\n> > old\n> new\n\nmine\n")).toMatch(/old\nnew\n$/);
    expect(quoted("mine alone\n")).toBe("");
  });

  it("omits header fields, folded ones too, and keeps text with a colon", () => {
    const body =
      "Yes.\n\n-----Original Message-----\nFrom: Ann Example\nSubject: Tariff\n\nThe tariff: was filed.\n\n----- Headers -----\nReturn-Path: <ann@kai.example>\nReceived: from relay.kai.example\n\tby mail.kai.example with ESMTP;\n\tMon, 14 May 2001\nMIME-Version: 1.0\nContent-Type: text/plain;\n  charset=us-ascii\nX-Mailer: Quill 5\nNote: see below.\n";
    expect(quoted(body)).toContain("The tariff: was filed.\n");
    expect(quoted(body)).toContain("Note: see below.\n");
    expect(quoted(body)).not.toMatch(/Return|relay|ESMTP|MIME|plain|charset|Mailer/);
    expect(quoted("> Content-Type: text/plain;\n>   charset=us-ascii\n> The tariff was filed.\n")).toBe(
      "The tariff was filed.\n",
    );
  });

  it("detects the Gmail header in Hebrew, with direction marks", () => {
    const header =
      "\u202bבתאריך יום ב׳, 5 במרץ 2012 ב-10:00 מאת \u202aAnn Reed\u202c\u200f <\u202aann@mill.example\u202c\u200f>:\u202c";
    expect(quoted(`mine\n\n${header}\n\n> old\n`)).toContain("old");
    expect(quoted(`mine\n\n${header}\n\n> old\n`)).not.toContain("mine");
  });

  it("ends at the limit", () => {
    expect(quoted(`> ${"word ".repeat(1000)}\n`, 100).length).toBe(100);
  });
});
