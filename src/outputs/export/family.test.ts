import { hash } from "node:crypto";
import { expect, it } from "vitest";
import { buildMsg } from "../../../test/msg-writer/msg-writer.ts";
import { text } from "../../../test/pst-writer/property-writer.ts";
import { PID } from "../../properties/property-ids.ts";
import { familyOf } from "./family.ts";

const inner = (subject: string, file: readonly string[]): string =>
  [
    ...["From: cy@harbour.example", `Subject: ${subject}`, "MIME-Version: 1.0"],
    ...['Content-Type: multipart/mixed; boundary="in"', "", "--in", "Content-Type: text/plain", "", "Said inside."],
    ...["--in", ...file, "--in--", ""],
  ].join("\r\n");

const part = (head: string, bytes: string | Buffer): readonly string[] => [
  ...["--out", head, "Content-Transfer-Encoding: base64", "Content-Disposition: attachment", ""],
  Buffer.from(bytes).toString("base64"),
];

it("opens attached messages by type, name or content", () => {
  const csv = ['Content-Type: text/csv; name="tides.csv"', "Content-Disposition: attachment", "", "high,low"];
  const ics = ["Content-Type: text/calendar", "Content-Disposition: attachment", "", "BEGIN:VCALENDAR"];
  const msg = buildMsg({
    properties: [text(PID.messageClass, "IPM.Note"), text(PID.subject, "Buoys"), text(PID.body, "Two are loose.")],
  });
  const raw = [
    ...["From: ann@harbour.example", "Subject: All of them", "MIME-Version: 1.0"],
    ...['Content-Type: multipart/mixed; boundary="out"', "", "--out", "Content-Type: text/plain", "", "See below."],
    ...part('Content-Type: application/octet-stream; name="letter.eml"', inner("Letter", csv)),
    ...part('Content-Type: message/global; name="global"', inner("Global", ics)),
    ...part('Content-Type: application/octet-stream; name="buoys.msg"', msg),
    ...part('Content-Type: message/rfc822; name="page.mht"', inner("Page", csv)),
    ...["--out--", ""],
  ].join("\r\n");
  const names = [
    ["letter.eml", "application/octet-stream"],
    ["global", "message/global"],
    ["buoys.msg", "application/octet-stream"],
    ["page.mht", "message/rfc822"],
  ];
  const listed = names.map(([filename, mediaType], at) => {
    const bytes = [inner("Letter", csv), inner("Global", ics), msg, inner("Page", csv)][at]!;
    const sha256 = hash("sha256", bytes);
    return { filename, mediaType, sizeBytes: bytes.length, sha256, attachedMessage: null, linkTarget: null };
  });
  const members = familyOf(Buffer.from(raw), listed as never, []);
  expect(members.map(({ filename, parent, message }) => [filename, parent, message?.envelope.subject ?? null])).toEqual(
    [
      ["letter.eml", null, "Letter"],
      ["tides.csv", 0, null],
      ["global", null, "Global"],
      ["attachment-1", 2, null],
      ["buoys.msg", null, "Buoys"],
      ["page.mht", null, null],
    ],
  );
});
