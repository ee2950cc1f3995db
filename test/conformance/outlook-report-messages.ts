import { encode } from "iconv-lite";
import { expect } from "vitest";
import { parseMessage } from "../../src/mime/parse-message.ts";
import { PROPERTY_SET } from "../../src/properties/named-properties.ts";
import { PID } from "../../src/properties/property-ids.ts";
import { binary, integer, string8, text, time } from "../pst-writer/property-writer.ts";
import { buildStore } from "../pst-writer/sample-store.ts";
import { writeTnef } from "../tnef-writer.ts";
import {
  ANSI,
  attached,
  attachedItem,
  bodyOf,
  type CaseRow,
  containing,
  contentOf,
  DATA,
  filesOf,
  heldByMethod,
  html,
  inMsg,
  inStore,
  itemsOf,
  MAIL,
  NO_BODY,
  name,
  rtf,
  SENDER_ONLY,
  SENT,
  saved,
  sized,
  strings,
  withFiles,
  without,
} from "./outlook-report-inputs.ts";

export const HTML_CASES: readonly CaseRow[] = [
  ["h01", html("windows-1250", { own: 1250 })],
  ["h03", html("windows-1250", {}, "windows-1250")],
  ["h05", html("windows-1256", { own: 1256 })],
  ["h06", html("windows-1251", { own: 1251 })],
  ["h07", html("utf-8", { own: 1252, sent: 1252 })],
  ["h09", html("utf-8", { own: 1252 }, "", string8)],
  ["h11", html("windows-1250", { own: 1250, sent: 65001 })],
  ["h13", html("windows-1251", { own: 1251, sent: 1251 }, "windows-1252")],
  ["h14", html("windows-1252", { own: 1200, sent: 1200 })],
  ["h15", html("utf-8", {})],
  ["h16", html("iso-8859-8", { sent: 38598 })],
  ["h18", html("windows-874", { sent: 874 })],
];

export const TEXT_CASES: readonly CaseRow[] = [
  [
    "t01",
    async (given) => {
      const properties = [
        ...SENDER_ONLY,
        string8(PID.subject, encode(given.expected, "windows-1252")),
        string8(PID.body, encode(given.expected, "utf-8")),
        integer(PID.messageCodePage, 1252),
        integer(PID.internetCodePage, 65001),
      ];
      const { message } = await inStore({ properties });
      return { result: [message.envelope.subject, bodyOf(message)], matcher: [given.expected, given.expected] };
    },
  ],
  ["t03", strings("windows-1252", { own: 1200 })],
  ["t04", strings("windows-1252", { own: 65001 })],
  ["t05", strings("windows-1250", { locale: 0x0405 })],
  ["t07", strings("windows-1250", { headers: "Content-Type: text/plain; charset=windows-1250\r\n" })],
  ["t08", strings("iso-8859-2", { own: 28592 })],
  ["t10", strings("windows-1250", {}, ANSI)],
  ["t12", strings("windows-949", { own: 949 }, ANSI)],
  [
    "t13",
    async (given) => {
      const [person, subject] = given.expected.split("; ") as [string, string];
      const properties = [
        ...without(SENDER_ONLY, PID.senderName, PID.sentRepresentingName),
        string8(PID.senderName, encode(person, "windows-1250")),
        string8(PID.sentRepresentingName, encode(person, "windows-1250")),
        string8(PID.subject, encode(subject, "windows-1250")),
      ];
      const bytes = buildStore(ANSI, (store) => store.addMessage(store.addFolder("Inbox"), { properties }));
      const [item] = await itemsOf(saved(given, "named.pst", bytes), "windows-1250");
      const envelope = item?.kind === "object" ? item.message.envelope : null;
      return { result: [envelope?.from?.name, envelope?.subject].join("; ") };
    },
  ],
  [
    "t14",
    async ({ expected }) => {
      const filename = string8(PID.attachLongFilename, encode(expected, "gbk"));
      const { message } = await inStore({
        properties: [...MAIL, integer(PID.internetCodePage, 65001), integer(PID.messageCodePage, 936)],
        attachments: [{ properties: [filename], data: DATA }],
      });
      return { result: message.attachments[0]?.filename };
    },
  ],
  ["r01", rtf("{\\rtf1\\ansi\\ansicpg1200 caf\\'e9 cr\\'e8me is ready}")],
  ["r04", rtf("{\\rtf1\\ansi\\ansicpg0 caf\\'e9}")],
  [
    "r05",
    rtf(
      '{\\rtf1\\ansi Agenda\\par {\\field{\\*\\fldinst {HYPERLINK "https://teams.example/x"}}{\\fldrslt Join the meeting now}}}',
      () => expect.stringContaining("https://teams.example/x"),
    ),
  ],
  ["r07", rtf("{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0\\fcharset204 A;}}\\'cf\\'f0\\'e8\\'e2\\'e5\\'f2}")],
  ["r09", rtf("{\\rtf1\\ansi\\ansicpg932 \\'95\\\\}")],
  ["r10", rtf("{\\rtf1\\ansi name {\\upr{???}{\\*\\ud{\\u1055?\\u1088?\\u1080?}}}}")],
  ["r11", rtf("{\\rtf1\\ansi plain rtf text}")],
  ["r12", rtf("{\\rtf1\\ansi ok \\u-10179?\\u-8704? end}", containing)],
  ["r14", rtf("{\\rtf1\\ansi the only text}")],
];

export const ATTACHMENT_CASES: readonly CaseRow[] = [
  [
    "e01",
    attachedItem(
      (named) => [
        text(PID.messageClass, "IPM.Contact"),
        text(PID.displayName, "Ada Moss"),
        text(0x3a08, "+44 20 7946 0000"),
        text(named({ set: PROPERTY_SET.address, name: 0x8083 }), "ada@x.example"),
      ],
      "text/vcard",
      "ada@x.example",
    ),
  ],
  [
    "e03",
    attachedItem(
      (named) => [
        text(PID.messageClass, "IPM.Task"),
        text(PID.subject, "Paint"),
        time(named({ set: PROPERTY_SET.task, name: 0x8105 }), Date.UTC(2021, 6, 1)),
      ],
      "text/plain",
      "2021-07-01",
    ),
  ],
  [
    "w01",
    () => {
      const inner = { properties: MAIL };
      const { attachments } = contentOf(
        writeTnef({ properties: [], attachments: [{ properties: [], message: inner }] }),
      );
      return { result: attachments.map(({ mediaType }) => mediaType), matcher: ["message/rfc822"] };
    },
  ],
  [
    "w03",
    () => {
      const inner = { properties: MAIL, attachments: [{ properties: [name("plan.pdf")], data: DATA }] };
      const [part] = contentOf(
        writeTnef({ properties: [], attachments: [{ properties: [], message: inner }] }),
      ).attachments;
      const inside = parseMessage(Buffer.from(part?.bytes() ?? [])).attachments;
      return { result: filesOf(inside), matcher: [["plan.pdf", "application/pdf", 29]] };
    },
  ],
  [
    "w05",
    () => {
      const names = new Map([
        [0x8001, { set: PROPERTY_SET.appointment, name: 0x820d }],
        [0x8002, { set: PROPERTY_SET.appointment, name: 0x820e }],
      ]);
      const properties = [
        text(PID.messageClass, "IPM.Schedule.Meeting.Request"),
        text(PID.subject, "Review"),
        time(0x8001, SENT),
        time(0x8002, SENT + 3_600_000),
      ];
      const { calendar, wrappedKind } = contentOf(writeTnef({ properties, names }));
      return { result: [calendar.map(({ start }) => start), wrappedKind], matcher: [[SENT], "meeting_request"] };
    },
  ],
  ...[0, 2, 4].map((method): CaseRow => [`a0${method}`, heldByMethod(method)]),
  [
    "a10",
    attached({ properties: [], message: { properties: MAIL }, method: null }, [
      "Plan.eml",
      "message/rfc822",
      expect.any(Number),
    ]),
  ],
  [
    "a11",
    async (given) => {
      const packager = sized(
        Buffer.concat([
          Buffer.from("\x02\0plan.pdf\0C:\\x\\plan.pdf\0\0\0\x03\0", "latin1"),
          sized(Buffer.from("C:\\temp\\plan.pdf\0")),
          sized(DATA),
        ]),
      );
      const { message } = await inMsg(given, () =>
        withFiles(
          { properties: [text(PID.displayName, "OLE Package")], streams: new Map([["\x01Ole10Native", packager]]) },
          { properties: [text(PID.displayName, "Picture")], streams: new Map([["CONTENTS", DATA]]) },
        ),
      );
      return {
        result: message.attachments.map((part) => Buffer.from(part.bytes()).toString()),
        matcher: [DATA.toString(), DATA.toString()],
      };
    },
  ],
  [
    "a13",
    attached({ properties: [text(PID.attachExtension, ".pdf")], data: DATA }, [
      expect.stringMatching(/\.pdf$/),
      "application/pdf",
      29,
    ]),
  ],
  ["a20", attached({ properties: [name("mvi.txt")], data: DATA }, ["mvi.txt", "text/plain", 29])],
  [
    "a22",
    async () => {
      const properties = [text(PID.displayName, "Picture (Device Independent Bitmap)")];
      const { message } = await inStore(withFiles({ properties, ole: DATA }));
      return { result: message.attachments.map((part) => part.bytes().length), matcher: [29] };
    },
  ],
  [
    "a23",
    async () => {
      const files = withFiles(
        { properties: [name("zero.txt")], data: Buffer.alloc(0) },
        { properties: [name("after.txt")], data: DATA },
      );
      const { message } = await inStore(files);
      const matcher = [
        ["zero.txt", "text/plain", 0],
        ["after.txt", "text/plain", 29],
      ];
      return { result: filesOf(message.attachments), matcher };
    },
  ],
  [
    "a24",
    async ({ expected }) => {
      const page = binary(PID.html, Buffer.from('<p>See <img src="cid:chart@x.example"></p>'));
      const picture = { properties: [name("chart.png"), text(PID.attachContentId, "chart@x.example")], data: DATA };
      const { message } = await inStore({ properties: [...NO_BODY, page], attachments: [picture] });
      return { result: message.attachments.map(({ disposition }) => disposition), matcher: [expected] };
    },
  ],
];
