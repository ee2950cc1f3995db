import { describe, expect, it } from "vitest";
import { text, time } from "../../../test/pst-writer/property-writer.ts";
import { writeTnef } from "../../../test/tnef-writer.ts";
import type { AttachmentPart, Message } from "../../mail/records/message.ts";
import { PID } from "../../properties/property-ids.ts";
import { composeContent } from "./message-content.ts";

const message = (textBody: string | null, htmlBody: string | null): Message => ({
  envelope: {
    messageId: null,
    inReplyTo: [],
    references: [],
    conversationIndexRoot: null,
    subject: "",
    from: null,
    sender: null,
    replyTo: [],
    to: [],
    cc: [],
    bcc: [],
    sentAt: null,
    receivedAt: null,
    gmailThreadId: null,
    isAutomatic: false,
    messageKind: "mail",
  },
  textBody,
  htmlBody,
  attachments: [],
  calendarParts: [],
  labels: [],
  marks: [],
  exportedNames: null,
  listAddress: null,
  findings: [],
});

describe("composeContent", () => {
  it("reads an HTML document that was sent as plain text", () => {
    const page = "<html><head><style>p { color: red }</style></head><body><p>Hello</p><p>there</p></body></html>";
    const { body, isPlainText, html } = composeContent(message(page, null));
    expect(body.trim()).toBe("Hello\n\nthere");
    expect(isPlainText).toBe(false);
    expect(html).toBe(page);
  });

  it("also reads the HTML if the plain text is only a placeholder", () => {
    const html = "<p>The cormorants nest on the harbour wall again.</p>";
    const { body, isPlainText } = composeContent(message("No HTML here.\n", html));
    expect(body.trim()).toBe("No HTML here.\n\nThe cormorants nest on the harbour wall again.");
    expect(isPlainText).toBe(false);
  });

  it("omits text hidden by the HTML, and notes that", () => {
    const html = '<div style="display:none">Preview of figures</div><p>Hello there</p>';
    const { body, findings, html: sent } = composeContent(message(null, html));
    expect([body, findings.map(({ code }) => code), sent]).toEqual(["Hello there", ["hidden-text"], html]);
    expect(composeContent(message("Hello there", html)).findings).toEqual([]);
  });

  it("keeps an empty document as text, and prefers plain text", () => {
    const empty = "<html><body></body></html>";
    expect(composeContent(message(empty, null))).toMatchObject({ body: empty, isPlainText: true, html: null });
    expect(composeContent(message("Hello", "<p>Hello</p>"))).toMatchObject({
      body: "Hello",
      isPlainText: true,
      html: "<p>Hello</p>",
    });
    expect(composeContent(message("<html><p>A</html>", "<p>B</p>"))).toMatchObject({
      isPlainText: false,
      html: "<p>B</p>",
    });
    expect(composeContent(message("<html><p>A</html>", "<p>B</p>")).body.trim()).toBe("B");
    expect(composeContent(message("<html><p>A</html>", "<p></p>")).body.trim()).toBe("A");
  });
});

it("reads the meeting of a winmail.dat, unless it came as iCalendar as well", () => {
  const bytes = writeTnef({
    properties: [text(PID.messageClass, "IPM.Schedule.Meeting.Request"), time(PID.startDate, Date.UTC(2021, 4, 14))],
  });
  const attachment: AttachmentPart = {
    filename: "winmail.dat",
    mediaType: "application/ms-tnef",
    disposition: "attachment",
    contentId: null,
    linkTarget: null,
    bytes: () => bytes,
  };
  const invitation = { ...message("Please come.", null), attachments: [attachment] };
  const { calendar, wrappedKind } = composeContent(invitation);
  expect([calendar.map(({ start }) => start), wrappedKind]).toEqual([[Date.UTC(2021, 4, 14)], "meeting_request"]);
  const lines = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:a", "DTSTART:20210514T100000Z", "END:VEVENT", "END:VCALENDAR"];
  const both = { ...invitation, calendarParts: [{ text: lines.join("\r\n"), method: "REQUEST" }] };
  expect(composeContent(both).calendar.map(({ uid }) => uid)).toEqual(["a"]);
});
