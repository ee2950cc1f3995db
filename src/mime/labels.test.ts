import { describe, expect, it } from "vitest";
import { readLabels } from "./labels.ts";

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
    ["=?UTF-8?Q?Odesl=C3=A1no,Nep=C5=99e=C4=8Dten=C3=A9?=", ["Sent", "Unread"]],
    ["=?UTF-8?B?5Y+X5L+h44OI44Os44Kk?=", ["Inbox"]],
  ])("of %j are told apart", (field, labels) => {
    expect(readLabels(field)).toEqual({ labels, areCut: false });
  });

  it("are kept up to a length, whole characters only", () => {
    const { labels, areCut } = readLabels(`Inbox,=?UTF-8?Q?${"x".repeat(1023)}=F0=9F=98=80y,?=${"a".repeat(1024)}`);
    expect(labels).toEqual(["Inbox", `${"x".repeat(1023)}\ufffd`, "a".repeat(1024)]);
    expect(areCut).toBe(true);
    expect(readLabels("/a".repeat(100_000))).toEqual({ labels: ["/a".repeat(512)], areCut: true });
  });

  it("are kept up to a number", () => {
    const numbered = (count: number): string => Array.from({ length: count }, (_, number) => `l${number}`).join(",");
    expect(readLabels(numbered(1_000))).toMatchObject({ labels: { length: 1_000 }, areCut: false });
    expect(readLabels(numbered(1_001))).toMatchObject({ labels: { length: 1_000 }, areCut: true });
    expect(readLabels("Inbox,".repeat(100_000))).toEqual({ labels: ["Inbox"], areCut: false });
  });
});
