import { describe, expect, it } from "vitest";
import { parseMessage } from "../parse-message.ts";

const read = (...lines: readonly string[]) => parseMessage(Buffer.from(lines.join("\n"))).envelope;
const REPORT = (type: string): string => `Content-Type: multipart/report; boundary=A; report-type=${type}`;

describe("a report", () => {
  it("answers the message that it encloses", () => {
    for (const type of ["message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers"]) {
      const { inReplyTo } = read(
        ...["From: daemon@mill.example", REPORT("delivery-status"), "", "--A", "", "Not delivered.", "--A"],
        ...["Content-Type: message/delivery-status", "", "Action: failed", "", "--A", `Content-Type: ${type}`, ""],
        ...["Message-ID: <a1@mill.example>", "Subject: plan", "", "--A--"],
      );
      expect(inReplyTo, type).toEqual(["a1@mill.example"]);
    }
  });

  it("references the message it confirms", () => {
    const { inReplyTo } = read(
      ...[REPORT("disposition-notification"), "", "--A", "", "Read.", "--A"],
      ...["Content-Type: message/disposition-notification", "", "Original-Message-ID: <a1@mill.example>", "", "--A--"],
    );
    expect(inReplyTo).toEqual(["a1@mill.example"]);
  });

  it("references the message whose header it quotes", () => {
    const text = ["X-Failed-Recipients: bo@mill.example", "", "A copy:", "", "Message-Id: <a1@mill.example>", "To: bo"];
    expect(read(...text).inReplyTo).toEqual(["a1@mill.example"]);
  });

  it("keeps references in its header, and other mail is unchanged", () => {
    const copy = ["", "Message-Id: <a1@mill.example>"];
    const failed = "X-Failed-Recipients: bo@mill.example";
    expect(read(failed, "In-Reply-To: <b2@mill.example>", ...copy).inReplyTo).toEqual(["b2@mill.example"]);
    expect(read("From: ann@mill.example", ...copy).inReplyTo).toEqual([]);
  });
});
