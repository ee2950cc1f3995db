import { describe, expect, it } from "vitest";
import { parseHeaderBlock } from "./header-block.ts";
import { readLabels, readMarks } from "./labels.ts";

const utf8 = (text: string): string => Buffer.from(text).toString("latin1");

const marksOf = (...fields: readonly string[]) =>
  readMarks(parseHeaderBlock(Buffer.from(`${fields.join("\r\n")}\r\n\r\n`))).marks;

it("reads the page of a feed item", () => {
  expect(marksOf("Content-Base: https://weir.example/a")).toEqual(["link:https://weir.example/a"]);
  expect(marksOf("Content-Base: weir.example")).toEqual([]);
  expect(marksOf("Received: x", "Content-Base: https://weir.example/a")).toEqual([]);
});

describe("keywords of mail programs", () => {
  it.each([
    [["X-Mozilla-Keys: $label1 sluicework     "], ["label:Important", "label:sluicework"]],
    [["X-Keywords: otterwork NonJunk \\Seen $Forwarded"], ["label:otterwork", "forwarded"]],
    [["X-Keywords: otterwork, mill work"], ["label:otterwork", "label:mill work"]],
    [["X-Label: todo, mill work"], ["label:todo", "label:mill work"]],
    [["X-Mozilla-Keys: work", "X-Keywords: work", "X-Label: work"], ["label:work"]],
    [["X-Label: Mühle"], ["label:Mühle"]],
    [
      ['Keywords: "Reed, Ann \\"A\\"", =?utf-8?B?TcO8aGxlLCBUb3I=?=, Blue Category'],
      ['label:Reed, Ann "A"', "label:Mühle, Tor", "label:Blue Category"],
    ],
  ])("of %j", (fields, expected) => {
    expect(marksOf(...fields)).toEqual(expected);
  });
});

describe("importance, sensitivity and other marks", () => {
  it.each([
    [["Importance: High"], ["importance:high"]],
    [["X-Priority: 1 (Highest)"], ["importance:high"]],
    [["Priority: urgent"], ["importance:high"]],
    [["X-MSMail-Priority: Low"], ["importance:low"]],
    [["Importance: Normal", "Priority: urgent"], []],
    [["X-Priority: 5"], ["importance:low"]],
    [["X-Priority: 3", "Importance: normal"], []],
    [["Importance: low", "X-Priority: 1"], ["importance:low"]],
    [["Sensitivity: Company-Confidential"], ["sensitivity:confidential"]],
    [["X-Unsent: 1"], ["draft"]],
    [["X-Unsent: 0"], []],
    [["X-Message-Flag: =?utf-8?Q?R=C3=BCckfrage?="], ["follow-up:Rückfrage"]],
    [
      ["Sensitivity: Private", "Keywords: mill"],
      ["sensitivity:private", "label:mill"],
    ],
  ])("of %j", (fields, expected) => {
    expect(marksOf(...fields)).toEqual(expected);
  });
});

/** UTF-8, one character per byte, as headers have it. */
const rawBytes = (text: string): string => Buffer.from(text).toString("latin1");

describe("labels of Gmail", () => {
  it.each([
    ["", []],
    ["Inbox", ["Inbox"]],
    ["Inbox, Important ,Opened", ["Inbox", "Important", "Opened"]],
    ['"Sales, North",Inbox', ["Sales, North", "Inbox"]],
    ['"Sales"/"North",,Inbox,Inbox', ["Sales/North", "Inbox"]],
    ["=?UTF-8?Q?Caf=C3=A9,=22a,b=22?=", ["Caf\u00e9", "a,b"]],
    ['"never closed, Inbox', ["never closed, Inbox"]],
    ["Drafts,opened", ["Draft", "Opened"]],
    ["Posteingang,Wichtig,=?UTF-8?Q?Ge=C3=B6ffnet?=,Kunden", ["Inbox", "Important", "Opened", "Kunden"]],
    ["=?UTF-8?Q?Archiv=C3=A9s,Envoy=C3=A9?=", ["Archived", "Sent"]],
    ["=?UTF-8?Q?No_le=C3=ADdos?=,Recibidos", ["Unread", "Inbox"]],
    [
      rawBytes("البريد الوارد,مميّزة بنجمة,غير مقروءة,\u200fمهم\u200f,العملاء"),
      ["Inbox", "Starred", "Unread", "Important", "العملاء"],
    ],
    [rawBytes("דואר נכנס,Εισερχόμενα,กล่องจดหมาย,Hộp thư đến,इनबॉक्स,صندوق ورودی"), ["Inbox"]],
    [rawBytes("ड्राफ़्ट,Mesaje nefinalizate,Чернови,Juodraščiai,Thư nháp"), ["Draft"]],
    ["=?UTF-8?Q?Odesl=C3=A1no,Nep=C5=99e=C4=8Dten=C3=A9?=", ["Sent", "Unread"]],
    ["=?UTF-8?B?5Y+X5L+h44OI44Os44Kk?=", ["Inbox"]],
    [utf8("收件箱,已发送,草稿,垃圾邮件,已删除邮件"), ["Inbox", "Sent", "Draft", "Spam", "Trash"]],
    [utf8("未读邮件,聊天"), ["Unread", "Chat"]],
    [utf8("İstenmeyen,Önemli,Sohbetler"), ["Spam", "Important", "Chat"]],
    ["Lukematta,Chatit", ["Unread", "Chat"]],
    [utf8("未讀郵件,읽지않음,채팅,Чати"), ["Unread", "Chat"]],
    [utf8("收件匣,寄件備份,垃圾郵件,垃圾桶,未讀"), ["Inbox", "Sent", "Spam", "Trash", "Unread"]],
    [utf8("받은편지함,보낸편지함,임시보관함,스팸함,휴지통"), ["Inbox", "Sent", "Draft", "Spam", "Trash"]],
    [utf8("Gelen Kutusu,Taslaklar,Önemli,Okunmamış"), ["Inbox", "Draft", "Important", "Unread"]],
    [utf8("Beérkező levelek,Piszkozatok,Kuka,Olvasatlan"), ["Inbox", "Draft", "Trash", "Unread"]],
    [utf8("Lähetetyt,Luonnokset,Roskaposti,Roskakori"), ["Sent", "Draft", "Spam", "Trash"]],
    [utf8("Вхідні,Надіслані,Чернетки,Кошик,Непрочитані"), ["Inbox", "Sent", "Draft", "Trash", "Unread"]],
  ])("of %j are distinguished", (field, labels) => {
    expect(readLabels(field)).toEqual({ labels, areCut: false });
  });

  it("are truncated between characters", () => {
    const { labels, areCut } = readLabels(`Inbox,=?UTF-8?Q?${"x".repeat(1023)}=F0=9F=98=80y,?=${"a".repeat(1024)}`);
    expect(labels).toEqual(["Inbox", `${"x".repeat(1023)}\ufffd`, "a".repeat(1024)]);
    expect(areCut).toBe(true);
    expect(readLabels("/a".repeat(100_000))).toEqual({ labels: ["/a".repeat(512)], areCut: true });
  });

  it("are limited in number", () => {
    const numbered = (count: number): string => Array.from({ length: count }, (_, number) => `l${number}`).join(",");
    expect(readLabels(numbered(1_000))).toMatchObject({ labels: { length: 1_000 }, areCut: false });
    expect(readLabels(numbered(1_001))).toMatchObject({ labels: { length: 1_000 }, areCut: true });
    expect(readLabels("Inbox,".repeat(100_000))).toEqual({ labels: ["Inbox"], areCut: false });
  });
});
