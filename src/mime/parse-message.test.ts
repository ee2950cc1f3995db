import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { nestedMessages } from "../../test/nested-messages.ts";
import { MAX_BODY_BYTES } from "./body/body-content.ts";
import { parseMessage } from "./parse-message.ts";

const message = (...lines: readonly string[]): Buffer => Buffer.from(lines.join("\n"), "latin1");
const textOf = (...lines: readonly string[]): string | null => parseMessage(message(...lines)).textBody;
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
const codes = (bytes: Buffer): readonly string[] => parseMessage(bytes).findings.map((finding) => finding.code);

describe("a journal report of Exchange", () => {
  const report = (field: string, type = "message/rfc822"): string =>
    [
      ...["From: Microsoft Exchange <journal@mill.example>", "Subject: Sacks", field],
      ...['Content-Type: multipart/mixed; boundary="b"', "", "--b", "Content-Type: text/plain", ""],
      ...[
        "Sender: ann@mill.example",
        "Subject: Sacks",
        "To: bo@mill.example",
        "Bcc: eve@mill.example, Expanded: all@mill.example",
        "",
      ],
      ...["--b", `Content-Type: ${type}`, "", "From: Ann Reed <ann@mill.example>", "To: bo@mill.example"],
      ...["Message-ID: <1@mill.example>", "Subject: Sacks", "", "Bring the sacks.", "--b--", ""],
    ].join("\r\n");
  const read = (text: string) => parseMessage(Buffer.from(text));

  it.each(["X-MS-Journal-Report:", "X-MS-Exchange-Organization-Journal-Report: "])(
    "is the message in it: %s",
    (field) => {
      const { envelope, textBody, attachments } = read(report(field));
      expect(envelope).toMatchObject({
        from: { name: "Ann Reed", email: "ann@mill.example" },
        messageId: "1@mill.example",
        bcc: [{ name: "", email: "eve@mill.example" }],
      });
      expect([textBody?.trim(), attachments]).toEqual(["Bring the sacks.", []]);
    },
  );

  it("is ordinary mail without the field or the message", () => {
    for (const text of [report("X-Other: x"), report("X-MS-Journal-Report:", "text/plain")])
      expect(read(text).envelope.from?.name).toBe("Microsoft Exchange");
  });
});

describe("parseMessage", () => {
  it("truncates a very long text between two characters, with a finding", () => {
    const head = Buffer.from("Content-Type: text/plain; charset=utf-8\n\n");
    // The last character has one byte before the limit and one after it.
    const body = Buffer.concat([Buffer.alloc(MAX_BODY_BYTES - 1, "a"), Buffer.from("é and more")]);
    const cut = parseMessage(Buffer.concat([head, body]));
    expect([cut.textBody?.length, cut.textBody?.at(-1)]).toEqual([MAX_BODY_BYTES - 1, "a"]);
    expect(cut.findings.map(({ code }) => code)).toEqual(["body-cut"]);
    const whole = parseMessage(Buffer.concat([head, body.subarray(0, MAX_BODY_BYTES - 1)]));
    expect([whole.textBody?.length, whole.findings]).toEqual([MAX_BODY_BYTES - 1, []]);
  });

  it("reads a plain message", () => {
    const read = parseMessage(
      message(
        "Message-ID: <1@example.org>",
        "From: Ann Example <ann@example.org>",
        "To: bob@example.org, Eve <eve@example.org>",
        "Date: Tue, 1 Jul 2003 10:52:37 +0200",
        "Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=",
        "",
        "Hello",
      ),
    );
    expect(read).toMatchObject({
      envelope: {
        messageId: "1@example.org",
        subject: "Grüße",
        from: { name: "Ann Example", email: "ann@example.org" },
        to: [
          { name: "", email: "bob@example.org" },
          { name: "Eve", email: "eve@example.org" },
        ],
        sentAt: Date.UTC(2003, 6, 1, 8, 52, 37),
        isAutomatic: false,
      },
      textBody: "Hello",
      htmlBody: null,
      findings: [],
    });
  });

  it.each([
    ["the charset of the text", "koi8-r", 'Content-Type: text/plain; charset="koi8-r"', "ВСЕ"],
    ["the charset of the first text part", "windows-1250", 'Content-Type: multipart/mixed; boundary="x"', "Żółw"],
    ["the likeliest charset of the header", "gbk", "Content-Type: text/plain; charset=utf-8", "王"],
    ["the likeliest charset without any label", "big5", "X: y", "關於年度預算的討論"],
    ["UTF-8 beside another label", "utf-8", 'Content-Type: text/plain; charset="koi8-r"', "Grüße"],
  ])("reads raw 8-bit fields in %s", (_, charset, contentType, name) => {
    const fields = [
      "Subject: Re: 关于年度预算的讨论",
      `From: ${name} <a@site.example>`,
      `To: "${name}" <b@site.example>`,
      contentType,
      "",
      "",
    ];
    const header = iconv.encode(
      fields.join("\n").replace("关于年度预算的讨论", charset === "gbk" ? "关于年度预算的讨论" : name),
      charset,
    );
    const isMultipart = contentType.includes("multipart");
    const parts = message(
      // Without a preceding word, it is a multipart, whatever the header declares.
      ...(isMultipart ? [] : ["text"]),
      "--x",
      'Content-Type: text/plain; charset="windows-1250"',
      "",
      "x",
      "--x",
      "Content-Type: a/b; name=",
    );
    const bytes = Buffer.concat([header, parts, iconv.encode(`${name}\n\ny\n--x--`, charset)]);
    const { envelope, attachments } = parseMessage(bytes);
    expect([envelope.from?.name, envelope.to[0]?.name]).toEqual([name, name]);
    expect(envelope.subject).toBe(`Re: ${charset === "gbk" ? "关于年度预算的讨论" : name}`);
    expect(attachments.map((part) => part.filename)).toEqual(isMultipart ? [name] : []);
  });

  it("separates the parts of an alternative", () => {
    const read = parseMessage(
      message(
        'Content-Type: multipart/alternative; boundary="x"',
        "",
        "--x",
        "",
        "plain",
        "--x",
        "Content-Type: text/html",
        "",
        "<p>html",
        "--x--",
      ),
    );
    expect([read.textBody, read.htmlBody, read.attachments.length]).toEqual(["plain", "<p>html", 0]);
  });

  it("joins text parts in order, without attached text", () => {
    const read = parseMessage(
      message(
        "Content-Type: multipart/mixed; boundary=x",
        "",
        "--x",
        "",
        "one",
        "--x",
        "Content-Disposition: attachment; filename=notes.txt",
        "",
        "attached",
        "--x",
        "",
        "two",
        "--x--",
      ),
    );
    expect(read.textBody).toBe("one\ntwo");
    expect(read.attachments.map((part) => [part.filename, latin1(part.bytes())])).toEqual([["notes.txt", "attached"]]);
  });

  it("keeps a plain footer that a list server added to HTML", () => {
    const read = parseMessage(
      message(
        "Content-Type: multipart/mixed; boundary=x",
        "",
        "--x",
        "Content-Type: text/html",
        "",
        "<b>hi</b>",
        "--x",
        "",
        "a < b",
        "--x--",
      ),
    );
    expect([read.textBody, read.htmlBody]).toEqual([null, "<b>hi</b>\n<pre>a &lt; b</pre>"]);
  });

  it("follows messages in messages to any depth", () => {
    const part = (subject: string, body: readonly string[]): readonly string[] => [
      `Subject: ${subject}`,
      `Content-Type: multipart/mixed; boundary=${subject}`,
      "",
      `--${subject}`,
      "",
      `text of ${subject}`,
      `--${subject}`,
      "Content-Type: message/rfc822",
      "",
      ...body,
      `--${subject}--`,
    ];
    const read = parseMessage(message(...part("a", part("b", part("c", ["Subject: d", "", "deepest"])))));
    expect(read.textBody).toBe("text of a");
    expect(read.attachments.map((attachment) => attachment.filename)).toEqual(["b.eml"]);
    expect([...nestedMessages(read)].map((nested) => nested.textBody)).toEqual(["text of b", "text of c", "deepest"]);
  });

  it("returns the location of an external part", () => {
    const read = parseMessage(
      message(
        "Content-Type: multipart/mixed; boundary=b",
        "",
        "--b",
        "",
        "see there",
        "--b",
        'Content-Type: message/external-body; access-type=URL; URL="https://files.mill.example/',
        ' plans/quay.doc"',
        "",
        "Content-Type: application/msword",
        "",
        "--b",
        "Content-Type: message/external-body; access-type=local-file",
        "",
        "--b--",
      ),
    );
    expect(read.attachments.map(({ linkTarget }) => linkTarget)).toEqual([
      "https://files.mill.example/plans/quay.doc",
      null,
    ]);
  });

  it("extracts uuencoded and yEnc files from the body", () => {
    const read = parseMessage(
      message(
        "Subject: x",
        "",
        "before",
        "begin 644 cat.txt",
        "#0V%T",
        "`",
        "end",
        "between",
        "=ybegin line=128 size=3 name=a.bin",
        "\x8b\x8c=J",
        "=yend size=3",
        "after",
        "",
      ),
    );
    expect(read.textBody).toBe("before\nbetween\nafter\n");
    expect(read.attachments.map((part) => [part.filename, latin1(part.bytes())])).toEqual([
      ["cat.txt", "Cat"],
      ["a.bin", "ab\xe0"],
    ]);
  });

  it("reads calendar parts, labels and robots", () => {
    const read = parseMessage(
      message(
        "Content-Type: text/calendar; method=request; charset=utf-8",
        'X-Gmail-Labels: Inbox,"Big, and small",=?UTF-8?Q?Gr=C3=BCn?=',
        "X-GM-THRID: 1234567890123456789",
        "Auto-Submitted: auto-replied (vacation)",
        "Thread-Index: AcJ2mVv5JbFXFQ2tRG2qOc8E0Bq4UQAAAAAA",
        "",
        "BEGIN:VCALENDAR",
      ),
    );
    expect(read).toMatchObject({
      textBody: null,
      calendarParts: [{ text: "BEGIN:VCALENDAR", method: "REQUEST" }],
      labels: ["Inbox", "Big, and small", "Grün"],
      envelope: {
        conversationIndexRoot: "01c276995bf925b157150dad446daa39cf04d01ab851",
        gmailThreadId: "1234567890123456789",
        isAutomatic: true,
      },
    });
  });

  it.each([
    ["Precedence: bulk", true],
    ["List-Id: <a.example.org>", true],
    ["Auto-Submitted: no", false],
    ["Precedence: first-class", false],
  ])("detects automatic mail: %s", (field, expected) => {
    expect(parseMessage(message(field, "", "x")).envelope.isAutomatic).toBe(expected);
  });

  it("reads a calendar file without a type", () => {
    const ics = "Content-Type: application/octet-stream; name=plan.ics\n\nBEGIN:VCALENDAR\nEND:VCALENDAR\n";
    const { calendarParts, attachments } = parseMessage(Buffer.from(ics));
    expect([calendarParts.length, attachments.length]).toEqual([1, 1]);
  });

  it("names a message that was encoded as a whole by its subject", () => {
    const inner = Buffer.from("Subject: Gates 1/2\\3\n\nopen\n").toString("base64");
    const outer = `Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n${inner}\n`;
    expect(parseMessage(Buffer.from(outer)).attachments[0]?.filename).toBe("Gates 1_2_3.eml");
  });

  it("unfolds flowed text", () => {
    expect(
      textOf("Content-Type: text/plain; format=flowed; delsp=yes", "", "> a b ", "> c", "one ", "two", "-- ", "sig"),
    ).toBe("> a bc\nonetwo\n-- \nsig");
  });

  it("returns text that is not base64 unchanged", () => {
    const bytes = message("Content-Transfer-Encoding: base64", "", "This is no base64, is it?");
    expect([parseMessage(bytes).textBody, codes(bytes)]).toEqual(["This is no base64, is it?", ["base64-damaged"]]);
  });
});

describe("files that a message does not contain", () => {
  const part = (type: string, field: string): Buffer =>
    message("Content-Type: multipart/mixed; boundary=b", "", "--b", `Content-Type: ${type}`, field, "", "x", "--b--");

  it.each([
    ["text/plain; name=a.txt", "X-Mozilla-External-Attachment-URL: file:///home/ann/a.txt", "file:///home/ann/a.txt"],
    ["audio/mpeg; name=a.mp3", "X-Mozilla-PartURL: https://feed.example/a.mp3", "https://feed.example/a.mp3"],
    ["message/external-body; access-type=URL;", ' URL="https://mill.example/a b"', "https://mill.example/ab"],
    [
      "message/external-body; access-type=ANON-FTP;",
      " site=x.example; directory=a/b; name=c.txt",
      "ftp://x.example/a/b/c.txt",
    ],
    ["message/external-body; access-type=local-file;", " site=x.example; name=c.txt", null],
  ])("have a link: %s", (type, field, target) => {
    const field2 = field.startsWith("X-") ? `${field}\nContent-Disposition: attachment` : field;
    expect(parseMessage(part(type, field2)).attachments.map(({ linkTarget }) => linkTarget)).toEqual([target]);
  });
});

it("reads the subject that an encrypted message protects", () => {
  const inner = (type: string): string | null =>
    parseMessage(
      message(
        ...["Subject: ...", "Content-Type: multipart/signed; boundary=b", "", "--b", `Content-Type: ${type}`],
        ...[
          "Subject: =?utf-8?Q?M=C3=BChle?=",
          "",
          "text",
          "--b",
          "Content-Type: application/pgp-signature",
          "",
          "--b--",
        ],
      ),
    ).envelope.subject;
  expect(inner('text/plain; protected-headers="v1"')).toBe("Mühle");
  expect(inner("text/plain; hp=cipher")).toBe("Mühle");
  expect(inner("text/plain")).toBe("...");
});

it("reads an author whose field was quoted in a mailbox", () => {
  expect(parseMessage(message(">From: a@b.c", "Subject: x", "", "y")).envelope.from?.email).toBe("a@b.c");
  expect(parseMessage(message(">From: a@b.c", "From: d@e.f", "", "y")).envelope.from?.email).toBe("d@e.f");
});

it("reads recipients that an old server added", () => {
  expect(parseMessage(message("Apparently-To: a@b.c", "", "x")).envelope.to).toEqual([{ name: "", email: "a@b.c" }]);
  expect(parseMessage(message("To: d@e.f", "Apparently-To: a@b.c", "", "x")).envelope.to).toHaveLength(1);
});

describe("broken messages", () => {
  it.each([
    ["bare CR line ends", "Subject: a\rTo: b@c.d\r\rbody\rline", "body\nline"],
    ["LF CR line ends", "Subject: a\n\rTo: b@c.d\n\r\n\rbody\n\rline", "body\nline"],
    ["an indented header", "  Subject: a\n  To: b@c.d\n   e@f.g\n\nbody\n  line", "body\n  line"],
    ["indented lines", "\tSubject: a\r\n\tTo: b@c.d\r\n\r\n\tbody\r\n\r\n\tline", "body\n\nline"],
    ["commands of SMTP", "MAIL FROM:<a@b.c>\r\nRCPT TO:<b@c.d>\r\nDATA\r\nSubject: a\r\n\r\nbody", "body"],
    ["a byte order mark", "\xef\xbb\xbfSubject: a\n\nbody", "body"],
    ["leading blank lines", "\n \r\nSubject: a\n\nbody", "body"],
    ["an mbox separator", "From a@b.c Tue Jul  1 10:52:37 2003\nSubject: a\n\nbody", "body"],
    ["no blank line", "Subject: a\nbody begins here, and\n\ngoes on", "body begins here, and\n\ngoes on"],
    ["garbage in the header", "Subject: a\n>From b@c.d now\nTo: b@c.d\n\nbody", "body"],
    ["no header", "just text\n\nmore", "just text\n\nmore"],
    ["an unclosed multipart", "Content-Type: multipart/mixed; boundary=x\n\n--x\n\nbody", "body"],
    [
      "a multipart with an empty boundary",
      'Content-Type: multipart/mixed; boundary=""\n\n--\nContent-Type: text/plain\n\nbody\n----\nlate',
      "body",
    ],
    [
      "a multipart without boundary",
      "Content-Type: multipart/mixed\n\n--x\nContent-Type: text/plain\n\nbody\n--x--",
      "body",
    ],
    [
      "a wrong boundary",
      "Content-Type: multipart/mixed; boundary=y\n\n--x\nContent-Type: text/plain\n\nbody\n--x--",
      "body",
    ],
    ["a multipart that is none", "Content-Type: multipart/mixed; boundary=y\n\nonly text", "only text"],
    ["uuencode as transfer encoding", "Content-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n#0V%T\n`\nend\n", "Cat"],
    ["NUL bytes", "Subject: a\n\nbo\0dy", "body"],
    ["nothing", "", ""],
  ])("reads a message with %s", (_, text, body) => {
    expect(parseMessage(Buffer.from(text, "latin1")).textBody).toBe(body);
  });

  it("returns null for an unreadable date, with a finding", () => {
    const read = parseMessage(message("Date: yesterday, or so", "", ""));
    expect([read.envelope.sentAt, read.findings.map((finding) => finding.code)]).toEqual([null, ["date-unreadable"]]);
  });
});

describe("rare body structures", () => {
  const HEAD = "MIME-Version: 1.0";

  it("shows the part named by start or type of a multipart/related", () => {
    const parts = ["--A", "Content-Type: image/png", "Content-ID: <i@x>", "", "png", "--A"];
    const page = ["Content-Type: text/html", "Content-ID: <root@x>", "", "<p>Root</p>", "--A--"];
    for (const parameter of ['start="<root@x>"', "start=root@x", 'type="text/html"', ""]) {
      const read = parseMessage(
        message(HEAD, `Content-Type: multipart/related; boundary=A; ${parameter}`, "", ...parts, ...page),
      );
      expect([read.htmlBody?.trim(), read.attachments.length], parameter).toEqual(["<p>Root</p>", 1]);
    }
  });

  it("shows every text of a multimedia message", () => {
    const read = parseMessage(
      message(
        HEAD,
        'Content-Type: multipart/related; boundary=A; type="application/smil"; start="<s>"',
        ...["", "--A", "Content-Type: application/smil; name=s.smil", "Content-ID: <s>", "", "<smil/>"],
        ...["--A", "Content-Type: text/plain; name=text_0.txt", "", "Gate shut", "--A"],
        ...["Content-Type: image/jpeg; name=a.jpg", "", "jpg", "--A--"],
      ),
    );
    expect([read.textBody?.trim(), read.attachments.map(({ filename }) => filename)]).toEqual([
      "Gate shut",
      ["s.smil", "a.jpg"],
    ]);
  });

  it("separates a plain footer from base64", () => {
    const encoded = Buffer.from("Der Schieber für die Mühle ist geöffnet, größer wird er nicht...").toString("base64");
    const footer = ["_____________", "Mill mailing list", "Mill@lists.example"];
    const lines = [encoded.slice(0, 76), encoded.slice(76)];
    const fields = ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64", ""];
    expect(textOf(...fields, ...lines, "", ...footer)).toBe(
      ["Der Schieber für die Mühle ist geöffnet, größer wird er nicht...", ...footer].join("\n"),
    );
    const long = Buffer.from("The mooring line of berth two is worn. ".repeat(4)).toString("base64");
    expect(textOf(...fields, long.slice(0, 76), "a noise", long.slice(76))).not.toContain("noise");
    expect(textOf(...fields, `${Buffer.from("One.").toString("base64")}`, "", "Mill", "a list")).toBe(
      "One.\nMill\na list",
    );
  });

  it("opens encoded multiparts", () => {
    const inner = ["--A", "Content-Type: text/plain", "", "Gate shut", "--A", "Content-Type: a/b", "", "x", "--A--"];
    const encoded = Buffer.from(inner.join("\r\n")).toString("base64");
    const fields = ["Content-Type: multipart/mixed; boundary=A", "Content-Transfer-Encoding: base64"];
    const read = parseMessage(message(...fields, "", encoded));
    expect([read.textBody, read.attachments.length, read.findings.map(({ code }) => code)]).toEqual([
      "Gate shut",
      1,
      ["multipart-encoded"],
    ]);
    const outer = ["Content-Type: multipart/mixed; boundary=B", "", "--B", ...fields, "", encoded, "--B--"];
    expect(parseMessage(message(...outer)).textBody).toBe("Gate shut");
  });

  it("reads fragments of a message separately, in one thread", () => {
    const fragment = (number: number, ...lines: readonly string[]) =>
      parseMessage(message(`Content-Type: message/partial; id="a@b"; number=${number}; total=3`, "", ...lines));
    const begun = fragment(
      1,
      ...["Subject: whole", "Content-Type: multipart/mixed; boundary=A", "", "--A", "", "First half heron.", "--A"],
      ...["Content-Type: image/png; name=a.png", "Content-Transfer-Encoding: base64", "", "iVBORw0KGgo="],
    );
    expect([begun.textBody, begun.attachments.map(({ filename }) => filename)]).toEqual([
      "First half heron.",
      ["a.png"],
    ]);
    expect(begun.findings.map(({ code }) => code)).toEqual(["multipart-not-closed", "message-partial"]);
    expect(fragment(2, "and a bittern", "of the second half.").textBody).toBe("and a bittern\nof the second half.");
    const encoded = fragment(3, ...Array.from({ length: 4 }, () => "QUJD".repeat(19)), "QUI=");
    expect([encoded.textBody, encoded.attachments.length]).toEqual([null, 1]);
    expect([begun, encoded].map(({ envelope }) => envelope.references)).toEqual([["a@b"], ["a@b"]]);
    expect(encoded.findings.at(-1)?.message).toMatch(/^part 3 of 3: /);
  });

  it("shows the contents of a report without text for people", () => {
    const status = [
      "--A",
      "Content-Type: message/delivery-status",
      "",
      "It could not be delivered:",
      "",
      "no such gate",
    ];
    const report = ["Content-Type: multipart/report; report-type=delivery-status; boundary=A", "", ...status, "--A--"];
    const { textBody, attachments } = parseMessage(message(...report));
    expect([textBody, attachments.length]).toEqual(["It could not be delivered:\n\nno such gate", 1]);
    const commented = [...report.slice(0, 2), "--A", "", "Sorry", ...report.slice(2)];
    expect(parseMessage(message(...commented)).textBody).toBe("Sorry");
  });

  it("ends an unnamed uuencoded file at its end line", () => {
    const lines = ["begin 644 ", "#86)C", "`", "end"];
    const { textBody, attachments } = parseMessage(message("Subject: a", "", "See:", ...lines, "Bye"));
    expect([textBody, attachments.map((part) => Buffer.from(part.bytes()).toString())]).toEqual(["See:\nBye", ["abc"]]);
    expect(parseMessage(message("Subject: a", "", "begin 644", "and go on")).attachments).toEqual([]);
  });

  it("reads an author whose name has commas without quotes", () => {
    const author = (field: string) => parseMessage(message(`From: ${field}`, "", "x")).envelope.from;
    expect(author("Reed, Ann T - Eagan, MN <ann@mill.example>")).toEqual({
      name: "Reed, Ann T - Eagan, MN",
      email: "ann@mill.example",
    });
    expect(author("Mill, Weir, ann@mill.example")).toEqual({ name: "", email: "ann@mill.example" });
  });

  it("threads a fragment with the answered message, also without an id or counts", () => {
    const fragment = (parameters: string, ...fields: readonly string[]) =>
      parseMessage(message(...fields, `Content-Type: message/partial; ${parameters}`, "", "text of it"));
    expect(fragment("id=a@b", "References: <x@y> <z@y>", "In-Reply-To: <z@y>").envelope.references).toEqual([
      "x@y",
      "z@y",
      "a@b",
    ]);
    expect(fragment("id=a@b", "In-Reply-To: <z@y>").envelope.references).toEqual(["z@y", "a@b"]);
    expect(fragment("id=a@b; number=1", "Message-ID: <a@b>").envelope.references).toEqual([]);
    const unnamed = fragment("number=-7; total=1e9");
    expect([unnamed.envelope.references, unnamed.findings.map(({ message }) => message.slice(0, 7))]).toEqual([
      [],
      ["part ?:"],
    ]);
  });

  it("reads the file name from a parameter without a disposition", () => {
    const read = parseMessage(
      message(
        ...["Content-Type: multipart/mixed; boundary=A", "", "--A", "", "Hi", "--A", "Content-Type: application/pdf"],
        ...["Content-Disposition: filename=plan.pdf; size=3", "", "pdf", "--A--"],
      ),
    );
    expect(read.attachments.map(({ filename }) => filename)).toEqual(["plan.pdf"]);
  });

  it("shows the text files of a presentation", () => {
    const read = parseMessage(
      message(
        ...["Content-Type: multipart/mixed; boundary=A", "", "--A", "Content-Type: application/smil", "", "<smil/>"],
        ...["--A", "Content-Type: text/plain", "Content-Disposition: attachment; filename=text_0.txt", "", "Gate shut"],
        ...["--A--"],
      ),
    );
    expect([read.textBody, read.attachments.length]).toEqual(["Gate shut", 1]);
  });

  it("shows enriched text that is the only alternative", () => {
    const enriched = ["--A", "Content-Type: text/enriched", "", "<bold>Gate</bold> shut"];
    const head = ["Content-Type: multipart/alternative; boundary=A", ""];
    expect(textOf(...head, ...enriched, "--A--")).toBe("Gate shut");
    expect(textOf(...head, "--A", "", "Plain gate", ...enriched, "--A--")).toBe("Plain gate");
  });

  it.each(["text/markdown", "text/x-html", "html/text", "plain/text"])("shows the text of the type %s", (type) => {
    const { textBody, htmlBody } = parseMessage(message(`Content-Type: ${type}`, "", "Gate is shut"));
    expect(textBody ?? htmlBody).toBe("Gate is shut");
  });

  it("reads escaped brackets of an address", () => {
    const { from } = parseMessage(message("From: Ann Reed &lt;ann@mill.example&gt;", "", "")).envelope;
    expect(from).toEqual({ name: "Ann Reed", email: "ann@mill.example" });
  });

  it("reads text/enriched without its tags", () => {
    expect(textOf("Content-Type: text/enriched", "", "<bold>Gate</bold> at 3 << 4")).toBe("Gate at 3 < 4");
  });
});

it("reads text without a charset in the given one, unless it is UTF-8 or HTML declares another", () => {
  const mail = (type: string, body: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from("Subject: "),
      Buffer.from([0xf9]),
      Buffer.from(`\r\nContent-Type: ${type}\r\n\r\n`),
      body,
    ]);
  const text = (type: string, body: Buffer) => parseMessage(mail(type, body), "windows-1250");
  const parsed = text("text/plain", Buffer.from([0x6b, 0xf9, 0xf2]));
  expect([parsed.textBody, parsed.envelope.subject]).toEqual(["kůň", "ů"]);
  expect(text("text/plain", Buffer.from("kůň")).textBody).toBe("kůň");
  expect(text("text/plain; charset=iso-8859-1", Buffer.from([0xf9])).textBody).toBe("ù");
  const page = Buffer.from('<meta charset="windows-1252"><p>\xf9</p>', "latin1");
  expect(text("text/html", page).htmlBody).toContain("ù");
});

describe("mail changed by Windows programs", () => {
  const text = "Subject: Grüße\nContent-Type: text/plain; charset=utf-8\n\nÄ text\n";

  it.each([
    ["little", Buffer.from(`\ufeff${text}`, "utf16le")],
    ["big", Buffer.from(`\ufeff${text}`, "utf16le").swap16()],
    ["unmarked little", Buffer.from(text, "utf16le")],
    ["unmarked big", Buffer.from(text, "utf16le").swap16()],
  ])("is read from UTF-16, %s end first", (_, bytes) => {
    const copy = Buffer.from(bytes);
    expect(parseMessage(bytes)).toMatchObject({ envelope: { subject: "Grüße" }, textBody: "Ä text\n" });
    expect(bytes).toEqual(copy);
    expect(() => parseMessage(bytes.subarray(0, 3))).not.toThrow();
  });

  it("is the text of the message under a disposition that is not a word", () => {
    const head = "Content-Type: text/html\nContent-Disposition: ";
    expect(parseMessage(Buffer.from(`${head}=?utf-8?Q?invalid?=\n\n<p>Text</p>`)).htmlBody).toBe("<p>Text</p>");
    expect(parseMessage(Buffer.from(`${head}other\n\n<p>Text</p>`)).attachments).toHaveLength(1);
  });
});
