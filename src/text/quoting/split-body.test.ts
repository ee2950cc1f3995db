import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import fc from "fast-check";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { realData } from "../../../test/real-data.ts";
import { htmlToText } from "../html/html-to-text.ts";
import { exceedsAnalyzedLines, MAX_ANALYZED_LINES } from "./body-lines.ts";
import { authorText, type BodyPart, splitBody, splitQuotations, textOf } from "./split-body.ts";

/** The parts as one string, prefixed with their kinds. */
function drawParts(body: string): string {
  return splitBody(body)
    .map((part) => `${part.kind[0]}[${body.slice(part.start, part.end)}]`)
    .join("");
}

describe("a body with more lines than the limit", () => {
  const lines = (count: number, line: string): string => line.repeat(count);

  it("is classified up to the limit, and the rest is own text", () => {
    const quoted = lines(MAX_ANALYZED_LINES, "> x\n");
    expect(splitBody(`${quoted}> y\n-- \nAnn\n`)).toEqual([
      { kind: "quoted", start: 0, end: quoted.length },
      { kind: "own", start: quoted.length, end: quoted.length + 12 },
    ]);
    expect(splitBody(quoted)).toEqual([{ kind: "quoted", start: 0, end: quoted.length }]);
  });

  it("is covered by its parts; a quotation at the limit extends to the end", () => {
    const body = `Hello\n-----Original Message-----\nFrom: a\n${lines(MAX_ANALYZED_LINES, "x\r\n")}`;
    expect(splitBody(body).map(({ kind }) => kind)).toEqual(["own", "quoted"]);
    expect(splitBody(body).at(-1)!.end).toBe(body.length);
  });

  it("is divided by its line ends", () => {
    expect(exceedsAnalyzedLines(lines(MAX_ANALYZED_LINES, "\n"))).toBe(false);
    expect(exceedsAnalyzedLines(lines(MAX_ANALYZED_LINES + 1, "\n"))).toBe(true);
    expect(exceedsAnalyzedLines(`${lines(MAX_ANALYZED_LINES, "\n")}x`)).toBe(true);
    expect(exceedsAnalyzedLines("x".repeat(MAX_ANALYZED_LINES * 2))).toBe(false);
  });
});

it("reads each field of a header block once", () => {
  // Each label began a block that was read to the end of the body: 40,000 times 40,000 lines.
  const body = "Reply-To: a@hostile.example\n".repeat(40_000);
  expect(splitBody(body).map(({ kind }) => kind)).toEqual(["own"]);
});

describe("a Lotus header with a reply address", () => {
  const title = '"Bo Lund" <bo@mill.example> on 05/13/2001 03:01:23 PM';
  const fields = "To: <ann@quay.example>\ncc:\nSubject: Berths\n\nWhere?\n";

  it.each([
    ["in a line below name and date", `${title}\nPlease respond to <bo@mill.example>\n${fields}`],
    ["with blank lines between", `${title}\n\nPlease respond to <bo@mill.example>\n\n${fields}`],
    ["in two lines", `${title}\nPlease respond to "Bo Lund of the mill by the quay"\n<bo@mill.example>\n${fields}`],
    ["by a bare name", `Bo Lund\n05/13/2001 03:01 PM\nPlease respond to bolund\n\n${fields}`],
    ["in German", `${title}\nBitte Antwort an bo@mill.example\nAn: ann@quay.example\nThema: Berths\n\nWhere?\n`],
  ])("is quoted with its first line: %s", (_, quoted) => {
    expect(drawParts(`I will.\n\n${quoted}`)).toBe(`o[I will.\n\n]q[${quoted}]`);
  });

  it("is not detected in a request for an answer", () => {
    expect(authorText("I will.\nPlease respond to me.\n\nTo: all\ncc: Bo\nSubject: Berths\n\nWhere?")).toBe(
      "I will.\nPlease respond to me.",
    );
  });
});

describe("a Lotus header with the name above a bare date", () => {
  const fields = "To: Ann Reed/QUAY\ncc:\nSubject: Berths\n\nWhere?\n";

  it.each([
    ["on the line above", `Bo Lund\n05/14/2001 04:39 PM\n${fields}`],
    ["with a blank line behind each", `Bo Lund@QUAY\n\n05/14/2001 04:39 PM\n\n${fields}`],
    [
      "wrapped before the date, however long",
      `"Bo Lund, Director of the Mills by the Quay, and Sons" <bo.lund@mills-by-the-quay.example> on\n05/14/2001 04:39:48 PM\n${fields}`,
    ],
  ])("begins with the name: %s", (_, quoted) => {
    expect(drawParts(`I will.\n\n\n${quoted}`)).toBe(`o[I will.\n\n\n]q[${quoted}]`);
  });

  it("keeps a line of prose in the text", () => {
    const prose = "I will see to it that the berth is free for all who come by the end of this month.";
    expect(authorText(`${prose}\n\n05/14/2001 04:39 PM\n\n${fields}`)).toBe(prose);
  });
});

describe("a header with delivery fields", () => {
  const way =
    "Return-path: <bo@mill.example>\nReceived: from mill.example by quay.example with ESMTP;\nMon, 14 May 2001 16:39 -0700 (PDT)\n";
  const header = "From: Bo Lund <bo@mill.example>\nTo: ann@quay.example\nSubject: Berths\n\nWhere?\n";

  it("is quoted from its first line on", () => {
    expect(drawParts(`Look.\n\n${way}${header}`)).toBe(`o[Look.\n\n]q[${way}${header}]`);
    const ruled = `------------- Headers -------------\n${way}Message-ID: <1@mill.example>\n${header}`;
    expect(drawParts(`Look.\n${ruled}`)).toContain("q[Return-path");
  });

  it("is not detected in text above a header", () => {
    expect(authorText(`Status: done\nLines: 5\n${header}`)).toBe("Status: done\nLines: 5");
  });
});

describe("a Lotus header on one line", () => {
  const header = "Ann.Reed@quay.example 04/24/01 12:37 PM \t   To: Bo Lund/Quay@Mill Lines  cc:   Subject: RE: Berths";

  it("begins quoted or forwarded text", () => {
    expect(drawParts(`I will.\n\n\t${header}\n\nWhere?\n`)).toBe(`o[I will.\n\n]q[\t${header}\n\nWhere?\n]`);
    expect(drawParts(`${header}\n\nWhere?\n`)).toBe(`f[${header}\n\nWhere?\n]`);
    expect(drawParts("I will.\nAnn Reed 24.04.2001 12:37 To: Bo cc: Al\nWhere?\n")).toContain("q[Ann Reed");
  });

  it("is not prose with a time in it", () => {
    for (const line of [
      "We meet on 04/24/01 12:37 PM  To: the quay we go by boat.",
      "From 12:37 PM To: 3 PM the crane stands still. Subject: cranes",
      "He wrote To: all and cc: none on 04/24/01 12:37 PM",
    ])
      expect(drawParts(`Well.\n${line}\nSo it is.\n`), line).toMatch(/^o\[.*\]$/su);
  });

  it("a Lotus header on one line", () => {
    expect(authorText(`x${" To: ".repeat(300_000)}`)).toHaveLength(5 * 300_000);
    expect(authorText(`${"1/1/01 1:00 ".repeat(20)} To: `.repeat(10_000)).length).toBeGreaterThan(2_000_000);
  });
});

describe("splitBody", () => {
  const attributions: readonly string[] = [
    "On 3 May 2001 at 10:12, Ann Example <ann@example.org> wrote:",
    "On Mon, May 3, 2021 at 10:12 AM Ann Example <ann@example.org>\nwrote:",
    "On May 3, 2011, at 10:12 AM, Ann Example <\nann-with-a-very-long-name@lists.example.org>\nwrote:",
    "At 10:12 AM 5/3/2001 -0600, Ann Example wrote:",
    "In a message dated 5/3/01 10:12:50 PM Eastern Standard Time,\nann@example.org writes:",
    "Am 03.05.2021 um 10:12 schrieb Ann Example:",
    "Am Mo., 3. Mai 2021 um 10:12 Uhr schrieb Ann Example <ann@example.org>:",
    "Le 3 mai 2021 à 10:12, Ann Example <ann@example.org> a écrit :",
    "Le lun. 3 mai 2021 à 10:12, Ann Example\n<ann@example.org> a écrit :",
    "El 3 de mayo de 2021 a las 10:12, Ann Example (<ann@example.org>) escribió:",
    "Il giorno lun 3 mag 2021 alle ore 10:12 Ann Example <\nann@example.org> ha scritto:",
    "Op 3 mei 2021 om 10:12 heeft Ann Example <ann@example.org> het volgende geschreven:",
    "Op ma 3 mei 2021 10:12 schreef Ann Example <ann@example.org>:",
    "Em seg., 3 de mai. de 2021 às 10:12, Ann Example <ann@example.org> escreveu:",
    "Den mån 3 maj 2021 kl 10:12 skrev Ann Example <ann@example.org>:",
    "Den 3. maj 2021 kl. 10.12 skrev Ann Example <ann@example.org>:",
    "W dniu 03.05.2021 o 10:12, Ann Example pisze:",
    "Dne 3. 5. 2021 v 10:12 Ann Example napsal(a):",
    "пн, 3 мая 2021 г. в 10:12, Ann Example <ann@example.org>:",
    "03.05.2021 10:12, Ann Example пишет:",
    "2021年5月3日(月) 10:12 Ann Example <ann@example.org>:",
    "在 2021年5月3日，10:12，Ann Example <ann@example.org> 写道：",
    "2014-10-17 11:28 GMT+03:00 Ann Example <\nann@example.org>:",
    "Dňa 3. 5. 2021 o 10:12 Ann Example napísal(a):",
    "2021. 05. 03. 10:12 keltezéssel, Ann Example írta:",
    "03.05.21 10:12, Ann Example пише:",
    "O 03/05/2021 ás 10:12, Ann Example escribiu:",
    "Pada tanggal Sen, 3 Mei 2021 pukul 10.12 Ann Example <ann@example.org> menulis:",
    "ในวันที่ จ. 3 พ.ค. 2021 เวลา 10:12 Ann Example <ann@example.org> เขียนว่า:",
    "pon, 3. svi 2021. u 10:12 Ann Example <ann@example.org> napisao je:",
    "пон, 3. мај 2021. у 10:12 Ann Example <ann@example.org> је написао/ла:",
    "На пн, 3.05.2021 г. в 10:12 Ann Example <ann@example.org> написа:",
    "Kontakt Ann Example (<ann@example.org>) kirjutas kuupäeval E, 3. mai 2021 kell 10:12:",
    "Missatge de Ann Example <ann@example.org> del dia dl., 3 de maig 2021 a les 10:12:",
    "सोम, 3 मई 2021 को 10:12 am बजे को Ann Example <ann@example.org> ने लिखा:",
    "---- Ann Example wrote ----",
    "--- On Wed, 3/5/01, Ann Example <ann@example.org> wrote:",
  ];
  it.each(attributions)("detects `%s`", (attribution) => {
    expect(authorText(`Fine with me.\n\n${attribution}\n\n> Shall we?\n`)).toBe("Fine with me.");
    expect(authorText(`${attribution}\n> Shall we?\n\nFine with me.\n`)).toBe("Fine with me.");
    expect(authorText(`Fine with me.\n\n${attribution}\n\nShall we?\nAnn\n`)).toBe("Fine with me.");
  });

  it("reads a line with the list that an author writes to as the author's, except above a quotation", () => {
    const line = "ann@example.org writes to the Harbor Discussion List:";
    expect(authorText(`${line}\n\nShall we?\n`)).toBe(`${line}\n\nShall we?`);
    expect(authorText(`${line}\n> Shall we?\n\nFine with me.\n`)).toBe("Fine with me.");
  });

  const headers: readonly string[] = [
    "-----Original Message-----\nFrom: Ann Example\nSent: Monday, May 3, 2001 10:12 AM\nTo: Bob Example\nSubject: Plan",
    "From: Ann Example\nSent: Monday, May 3, 2001 10:12 AM\nTo: Bob Example\nSubject: Plan",
    "________________________________\nFrom: Ann Example <ann@example.org>\nDate: Monday, 3 May 2001 at 10:12\nTo: Bob",
    "-----Ursprüngliche Nachricht-----\nVon: Ann Example\nGesendet: Montag, 3. Mai 2001 10:12\nAn: Bob Example\nBetreff: Plan",
    "Von: Ann Example\nGesendet: Montag, 3. Mai 2001 10:12\nAn: Bob Example\nBetreff: Plan",
    "De : Ann Example\nEnvoyé : lundi 3 mai 2001 10:12\nÀ : Bob Example\nObjet : Plan",
    "De: Ann Example\nEnviado el: lunes, 3 de mayo de 2001 10:12\nPara: Bob Example\nAsunto: Plan",
    "Da: Ann Example\nInviato: lunedì 3 maggio 2001 10:12\nA: Bob Example\nOggetto: Plan",
    "Van: Ann Example\nVerzonden: maandag 3 mei 2001 10:12\nAan: Bob Example\nOnderwerp: Plan",
    "De: Ann Example\nEnviada em: segunda-feira, 3 de maio de 2001 10:12\nPara: Bob Example\nAssunto: Plan",
    "Från: Ann Example\nSkickat: den 3 maj 2001 10:12\nTill: Bob Example\nÄmne: Plan",
    "Fra: Ann Example\nSendt: 3. maj 2001 10:12\nTil: Bob Example\nEmne: Plan",
    "发件人: Ann Example\n发送时间: 2001年5月3日 10:12\n收件人: Bob Example\n主题: Plan",
    "  *From:* Ann Example [mailto:\n  ann@example.org]\n  *Sent:* Monday, May 3, 2001 10:12 AM\n  *To:* bob@example.org\n  *Subject:* Plan",
    "Ann Example\n05/03/2001 10:12 AM\nTo: Bob Example/HOU/ECT@ECT\ncc: \nSubject: Plan",
    '"Ann Example" <ann@example.org> on 05/03/2001 10:12:11 AM\nTo: Bob Example/HOU/ECT@ECT\ncc:  \nSubject: Plan',
    "   From:  Ann Example @ EXAMPLE                05/03/2001 10:12 AM\n\t\n\n\nSent by: Cal Example\nTo: Bob Example/HOU/ECT@ECT\ncc:  \nSubject: Plan",
  ];
  it.each(headers)("detects the header block `%s`", (header) => {
    const older = `${header}\n\nShall we?\nAnn\n`;
    expect(drawParts(`Fine with me.\n\n${older}`)).toBe(`o[Fine with me.\n\n]q[${older}]`);
    expect(drawParts(`\n\n${older}`)).toBe(`o[\n\n]f[${older}]`);
  });

  const forwards: readonly string[] = [
    "---------- Forwarded message ----------\nFrom: Ann <ann@example.org>",
    "---------------------- Forwarded by Ann Example/HOU/ECT on 05/03/2001 \n10:12 AM ---------------------------",
    "Begin forwarded message:\n\nFrom: Ann <ann@example.org>",
    "Anfang der weitergeleiteten Nachricht:\n\nVon: Ann <ann@example.org>",
    "-------- Weitergeleitete Nachricht --------\nBetreff: Plan",
    "---------- Message transféré ----------\nDe : Ann <ann@example.org>",
    "-------- Пересылаемое сообщение --------\nОт: Ann",
  ];
  it.each(forwards)("separates forwarded text: `%s`", (forward) => {
    expect(drawParts(`FYI\n\n${forward}\n\nShall we?`)).toBe(`o[FYI\n\n]f[${forward}\n\nShall we?]`);
    expect(drawParts(`${forward}\n\nShall we?`)).toBe(`f[${forward}\n\nShall we?]`);
  });

  const signatures: readonly string[] = [
    "-- \nBob Example\nHouston",
    "--\nBob Example",
    "Sent from my iPhone",
    "Von meinem iPhone gesendet",
    "Get Outlook for Android",
    "_______________________________________________\nplans mailing list\nplans@lists.example.org",
    "**********\nThis e-mail is the property of Example Corp. and may contain confidential\nand privileged material.",
    "Ce message est confidentiel et réservé à son destinataire.",
  ];
  it.each(signatures)("detects the signature `%s`", (signature) => {
    expect(drawParts(`Fine with me.\n\n${signature}\n`)).toBe(`o[Fine with me.\n\n]s[${signature}\n]`);
    expect(drawParts(`Fine with me.\n\n${signature}\n\nOn 3 May 2001, Ann wrote:\n> Shall we?`)).toBe(
      `o[Fine with me.\n\n]s[${signature}\n\n]q[On 3 May 2001, Ann wrote:\n> Shall we?]`,
    );
  });

  const ownTexts: readonly string[] = [
    "Please read this:\nhttp://example.org/plan",
    "He said in 1998:\nno.",
    "From: Rome\nTo: Oslo\nDate: 3 May",
    "Subject: Budget meeting\nDate: Tuesday, June 12\nTime: 11:00\n\nPlease be there.",
    "To: All staff\nFrom: Ann Example\nSubject: Picnic\n\nWe meet at 12:00.",
    "Visit us now\n--------------\nOpening hours\n--------------",
    "a - b\n-- c",
    "Yes.\n\n>From now on we meet on Mondays.\nBob",
    "Dear Bob,\n\n-- \n" + "line\n".repeat(60),
    "This message is intended for the privileged few: our customers.",
  ];
  it.each(ownTexts)("ignores `%s`", (body) => {
    expect(drawParts(body)).toBe(`o[${body}]`);
  });

  it("keeps answers between quoted lines", () => {
    const body = "On 3 May 2001, Ann wrote:\n> Shall we?\n\nYes.\n\n> Where?\n>\n> When?\n\nHere and now.";
    expect(authorText(body)).toBe("Yes.\n\nHere and now.");
    expect(textOf(body, splitBody(body), "quoted")).toBe(
      "On 3 May 2001, Ann wrote:\n> Shall we?\n\n> Where?\n>\n> When?",
    );
  });

  it("treats the rest of a wrapped quoted line as quoted", () => {
    const body = `> ${"long words ".repeat(7)}and some\nmore words\n> end\n\nYes.`;
    expect(authorText(body)).toBe("Yes.");
  });

  it("treats a rest of any length as quoted if it continues the sentence of a long quoted line", () => {
    const long = `> ${"long words ".repeat(7)}and`;
    const rest = " quay dues that are paid twice a year by everybody\n";
    expect(authorText(`${long}\n${rest}> who lies here.\n\nYes.`)).toBe("Yes.");
    // The quoted sentence is complete, the rest begins a sentence, or the quoted line is short.
    const answers = [`${long} so on.\n${rest}`, `${long}\n${rest.replace(" q", "Q")}`, `> Who pays\n${rest}`];
    for (const answer of answers) expect(authorText(`${answer}> who lies here.\n`).toLowerCase()).toBe(rest.trim());
  });

  it("divides a line if the client omitted the line end", () => {
    expect(drawParts("Fine with me. On Wed, Apr 4, 2012 at 3:59 PM, ann@example.org wrote:\n> Hi")).toBe(
      "o[Fine with me.]q[ On Wed, Apr 4, 2012 at 3:59 PM, ann@example.org wrote:\n> Hi]",
    );
    expect(authorText("Fine - really - fine--- On Wed, Apr 4, 2012 at 3:59 PM, ann@example.org wrote:\n> Hi")).toBe(
      "Fine - really - fine",
    );
  });

  it("splits rendered HTML of Gmail, Outlook and Apple Mail", () => {
    const gmail =
      '<div dir="ltr">Fine.</div><br><div class="gmail_quote"><div class="gmail_attr">On Mon, 3 May 2021 at 10:12, Ann &lt;<a href="mailto:ann@example.org">ann@example.org</a>&gt; wrote:<br></div><blockquote class="gmail_quote">Shall we?</blockquote></div>';
    const outlook =
      "<p class=MsoNormal>Fine.</p><div><div style='border:none;border-top:solid #E1E1E1 1.0pt'><p class=MsoNormal><b>From:</b> Ann<br><b>Sent:</b> Monday, 3 May 2021 10:12<br><b>To:</b> Bob<br><b>Subject:</b> Plan</p></div></div><p class=MsoNormal>Shall we?</p>";
    const apple =
      '<div>Fine.</div><div><blockquote type="cite"><div>On 3 May 2021, at 10:12, Ann &lt;ann@example.org&gt; wrote:</div><div>Shall we?</div></blockquote></div>';
    for (const html of [gmail, outlook, apple]) expect(authorText(htmlToText(html))).toBe("Fine.");
  });

  it("covers any body without gaps", () => {
    const piece = fc.constantFrom(
      "> ",
      ">",
      "\n",
      "\n\n",
      "-- \n",
      "On 3 May 2001, Ann wrote:",
      "From: a@b\n",
      "Sent: 1\n",
      "To: x\n",
      "-----Original Message-----\n",
      "text",
      " ",
      "\r\n",
      "_".repeat(50),
      "Sent from my phone",
      "--- On 1/2/01 x@y wrote:",
      ">From ",
      "disclaimer: confidential",
    );
    const body = fc.oneof(
      fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join("")),
      fc.string({ unit: "binary", maxLength: 200 }),
    );
    fc.assert(
      fc.property(body, (text) => {
        const parts = splitBody(text);
        expect(parts.map((part) => text.slice(part.start, part.end)).join("")).toBe(text);
        let end = 0;
        for (const part of parts) {
          expect(part.start).toBe(end);
          expect(part.end).toBeGreaterThan(part.start);
          end = part.end;
        }
        expect(end).toBe(text.length);
        for (const [at, part] of parts.slice(1).entries()) expect(part.kind).not.toBe(parts[at]!.kind);
        expect(textOf(text, parts, "own")).toBe(authorText(text));
        const ofOthers = ({ kind }: BodyPart): boolean => kind === "quoted" || kind === "forwarded";
        expect(splitQuotations(text).filter(ofOthers)).toEqual(parts.filter(ofOthers));
      }),
      { numRuns: 500 },
    );
  });

  it("does not split its own text further", () => {
    const line = fc.constantFrom("Fine.", "", "> quoted", "On 3 May 2001, Ann wrote:", "Regards", "-- ", "Bob");
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const own = authorText(lines.join("\n"));
        expect(own).not.toMatch(/^>/m);
      }),
    );
  });

  it("reads long hostile bodies line by line", () => {
    for (const piece of [
      "On ",
      "On 3 May 2001\n",
      "To: a\n",
      "From: a\nTo: b\n",
      "> ",
      "wrote:\n",
      "-",
      "_\n",
      "a@b:\n1",
      " ",
    ]) {
      const body = piece.repeat(100_000);
      expect(splitBody(body).at(-1)?.end).toBe(body.length);
    }
  });
});

/** planer has no type declarations. */
const planer: { extractFromPlain(body: string): string } = createRequire(import.meta.url)("planer");

const talon = realData("mime/talon");

describe.skipIf(talon === null)("replies of real clients (talon)", () => {
  const folder = join(talon ?? "", "fixtures/standard_replies");
  const files = talon === null ? [] : readdirSync(folder).filter((name) => name.endsWith(".eml"));

  it("contains twelve", () => {
    expect(files).toHaveLength(12);
  });

  it.each(files)("%s", async (name) => {
    // The oracle's parser joins lines of different quote depth when it unwraps flowed text.
    const message = await PostalMime.parse(
      readFileSync(join(folder, name), "latin1").replace(/format="?flowed"?/i, ""),
    );
    const body = message.text ?? "";
    const own = authorText(body);
    expect(own).toBe("Hello");
    // The oracle keeps signatures; without them both agree.
    expect(planer.extractFromPlain(body).split("\n")[0]?.trim()).toBe(own);
    if (message.html !== undefined)
      expect(["Hello", "Allo! Follow up MIME!"]).toContain(authorText(htmlToText(message.html)));
  });

  const pages = talon === null ? [] : readdirSync(join(folder, "../html_replies"));
  it.each(pages)("%s", (name) => {
    const own = authorText(htmlToText(readFileSync(join(folder, "../html_replies", name), "utf8")));
    expect(own.startsWith("Hi. I am fine.")).toBe(true);
    expect(own).not.toContain("Test");
  });
});

const enron = realData("enron-14-custodians");

describe.skipIf(enron === null)("mail of a company (Enron)", () => {
  /** Markers of quoted and forwarded text in the remaining text. */
  const mark = /^[ \t]*-{2,} ?(?:original message|forwarded by)|^>|^[ \t]*on .{5,80}wrote:[ \t]*$/im;

  it("finds quotations in 99 % of bodies with marks", () => {
    let marked = 0;
    let left = 0;
    for (const folder of ["allen-p/sent", "delainey-d/sent", "lokay-m/inbox", "steffes-j/sent_items"].map((path) =>
      join(enron ?? "", path),
    )) {
      for (const name of readdirSync(folder).slice(0, 400)) {
        const raw = readFileSync(join(folder, name), "latin1");
        const body = raw.slice(raw.indexOf("\n\n") + 2);
        if (!mark.test(body)) continue;
        marked++;
        if (mark.test(authorText(body))) left++;
      }
    }
    expect(marked).toBeGreaterThan(200);
    expect(left / marked).toBeLessThanOrEqual(0.01);
  });
});
