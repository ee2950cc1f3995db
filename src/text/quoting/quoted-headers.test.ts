import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_QUOTED_HEADERS, openingOf, readQuotedHeaders } from "./quoted-headers.ts";
import { splitBody } from "./split-body.ts";

const headersOf = (body: string) => readQuotedHeaders(body, splitBody(body));
const MAY_14 = Date.UTC(2001, 4, 14, 16, 39) / 60_000;

describe("the header of a quoted mail", () => {
  it("is read as Outlook writes it", () => {
    const body = `I agree.

 -----Original Message-----
From: \tReed, Ann  [mailto:ann@mill.example]
Sent:\tMonday, May 14, 2001 4:39 PM
To:\tLund, Bo; Cole, Cy;
\tDunn, Di
Cc:\tEll, Ed
Subject:\tRE: The mill wheel

Shall we repair the wheel before the harvest?

Ann
`;
    expect(headersOf(body)).toEqual([
      {
        author: "Reed, Ann  [mailto:ann@mill.example]",
        subject: "RE: The mill wheel",
        minutes: [MAY_14],
        opening: "shallwerepairthewheelbef",
      },
    ]);
  });

  it("is read as Lotus Notes writes it", () => {
    const body = `Fine.




Ann Reed@MILL
05/14/2001 04:39 PM
To: Bo Lund/HQ/MILL@MILL
cc: Cy Cole/HQ/MILL@MILL

Subject: The mill wheel

Shall we repair it?
`;
    expect(headersOf(body)).toEqual([
      { author: "Ann Reed@MILL", subject: "The mill wheel", minutes: [MAY_14], opening: "shallwerepairit" },
    ]);
  });

  it("is read if Notes adds a reply address below name and date", () => {
    const body = `Fine.

"Ann Reed" <ann@mill.example> on 05/14/2001 04:39:10 PM
Please respond to <reed@home.example>
To: "Bo Lund" <bo@mill.example>
cc:\x20\x20
Subject: The mill wheel

Shall we repair it?
`;
    expect(headersOf(body)).toEqual([
      {
        author: '"Ann Reed" <ann@mill.example>',
        subject: "The mill wheel",
        minutes: [MAY_14],
        opening: "shallwerepairit",
      },
    ]);
  });

  it("is read if Notes wraps a line before the time", () => {
    const body = `Fine.

"Reed, Ann" <ann@mill.example> on 05/14/2001\x20
04:39:10 PM
To: "'bo@mill.example'" <bo@mill.example>
cc:\x20\x20
Subject: The mill wheel

Shall we repair it?
`;
    expect(splitBody(body).map(({ kind, start }) => [kind, start])).toEqual([
      ["own", 0],
      ["quoted", 7],
    ]);
    expect(headersOf(body)).toMatchObject([{ minutes: [MAY_14], opening: "shallwerepairit" }]);
  });

  it("is read as Notes writes it above forwarded mail", () => {
    const body = `---------------------- Forwarded by Bo Lund/HQ/MILL on 05/15/2001 09:00 AM ---------------------------


Ann Reed@MILL on 05/14/2001 04:39:10 PM
To:\tBo Lund/HQ/MILL@MILL
cc:\t 
Subject:\tThe mill wheel

Shall we repair it?
`;
    expect(headersOf(body)).toEqual([
      { author: "Ann Reed@MILL", subject: "The mill wheel", minutes: [MAY_14], opening: "shallwerepairit" },
    ]);
  });

  it.each([
    ["Von: Ann Reed\nGesendet: Montag, 14. Mai 2001 16:39\nAn: Bo Lund\nBetreff: AW: Mühlrad"],
    ["De : Ann Reed\nEnvoyé : lundi 14 mai 2001 16:39\nÀ : Bo Lund\nObjet : AW: Mühlrad"],
    ["Van: Ann Reed\nVerzonden: maandag 14 mei 2001 16:39\nAan: Bo Lund\nOnderwerp: AW: Mühlrad"],
    ["De: Ann Reed\nEnviado el: lunes, 14 de mayo de 2001 16:39\nPara: Bo Lund\nAsunto: AW: Mühlrad"],
    ["Da: Ann Reed\nInviato: lunedì 14 maggio 2001 16:39\nA: Bo Lund\nOggetto: AW: Mühlrad"],
    ["De: Ann Reed\nEnviada em: segunda-feira, 14 de maio de 2001 16:39\nPara: Bo Lund\nAssunto: AW: Mühlrad"],
    ["Från: Ann Reed\nSkickat: den 14 maj 2001 16:39\nTill: Bo Lund\nÄmne: AW: Mühlrad"],
    ["Fra: Ann Reed\nDato: 14. maj 2001 kl. 16.39.10 CEST\nTil: Bo Lund\nEmne: AW: Mühlrad"],
    ["Fra: Ann Reed\nSendt: mandag 14. mai 2001 16:39\nTil: Bo Lund\nEmne: AW: Mühlrad"],
    ["Lähettäjä: Ann Reed\nLähetetty: maanantai 14. toukokuuta 2001 16.39\nVastaanottaja: Bo Lund\nAihe: AW: Mühlrad"],
    ["Od: Ann Reed\nWysłano: poniedziałek, 14 maja 2001 16:39\nDo: Bo Lund\nTemat: AW: Mühlrad"],
    ["Od: Ann Reed\nOdesláno: pondělí 14. května 2001 16:39\nKomu: Bo Lund\nPředmět: AW: Mühlrad"],
    ["Od: Ann Reed\nOdoslané: pondelok 14. mája 2001 16:39\nKomu: Bo Lund\nPredmet: AW: Mühlrad"],
    ["От: Ann Reed\nОтправлено: 14 мая 2001 г. 16:39\nКому: Bo Lund\nТема: AW: Mühlrad"],
    ["Від: Ann Reed\nНадіслано: 14 травня 2001 р. 16:39\nКому: Bo Lund\nТема: AW: Mühlrad"],
    ["Feladó: Ann Reed\nElküldve: 2001. május 14., hétfő 16:39\nCímzett: Bo Lund\nTárgy: AW: Mühlrad"],
    ["De la: Ann Reed\nTrimis: luni, 14 mai 2001 16:39\nCătre: Bo Lund\nSubiect: AW: Mühlrad"],
    ["Από: Ann Reed\nΣτάλθηκε: Δευτέρα, 14 Μαΐου 2001 16:39\nΠρος: Bo Lund\nΘέμα: AW: Mühlrad"],
    ["Kimden: Ann Reed\nGönderildi: 14 Mayıs 2001 Pazartesi 16:39\nKime: Bo Lund\nKonu: AW: Mühlrad"],
    ["Ann Reed\n14.05.2001 16:39\n\nAn: Bo Lund/MILL\nKopie:\nThema: AW: Mühlrad"],
    ["差出人: Ann Reed\n送信日時: 2001年5月14日 16:39\n宛先: Bo Lund\n件名: AW: Mühlrad"],
    ["送信者: Ann Reed\n日時: 2001年5月14日 月曜日 16:39\n宛先: Bo Lund\n件名: AW: Mühlrad"],
    ["发件人: Ann Reed\n发送时间: 2001年5月14日 16:39\n收件人: Bo Lund\n主题: AW: Mühlrad"],
    ["寄件者: Ann Reed\n寄件日期: 2001年5月14日 下午 04:39\n收件者: Bo Lund\n主旨: AW: Mühlrad"],
    ["보낸 사람: Ann Reed\n보낸 날짜: 2001년 5월 14일 월요일 오후 4:39\n받는 사람: Bo Lund\n제목: AW: Mühlrad"],
  ])("is read in other languages: %s", (block) => {
    expect(headersOf(`Ja.\n\n${block}\n\nWird es repariert?\n`)).toEqual([
      { author: "Ann Reed", subject: "AW: Mühlrad", minutes: [MAY_14], opening: "wirdesrepariert" },
    ]);
  });

  it.each([
    ["On Mon, 14 May 2001 16:39:10 -0500, Ann Reed <ann@mill.example> wrote:", "Ann Reed <ann@mill.example>"],
    ["On May 14, 2001, at 4:39 PM, Ann Reed wrote:", "Ann Reed"],
    ["Am 14.05.2001 um 16:39 schrieb Ann Reed:", "Ann Reed"],
    ["Le 14 mai 2001 à 16:39, Ann Reed <ann@mill.example> a écrit :", "Ann Reed <ann@mill.example>"],
    ["Ann Reed <ann@mill.example> schrieb am 14. Mai 2001 um 16:39:", "Ann Reed <ann@mill.example>"],
    ["El lun, 14 may 2001 a las 16:39, Ann Reed (<ann@mill.example>) escribió:", "Ann Reed (<ann@mill.example>)"],
    ["Il giorno lun 14 mag 2001 alle ore 16:39 Ann Reed ha scritto:", "Ann Reed"],
    ["Op ma 14 mei 2001 om 16:39 schreef Ann Reed:", "Ann Reed"],
    ["Em seg., 14 de mai. de 2001 às 16:39, Ann Reed escreveu:", "Ann Reed"],
    ["Às 16:39 de 14/05/2001, Ann Reed escreveu:", "Ann Reed"],
    ["Ann Reed <ann@mill.example> escreveu (segunda, 14/05/2001 à(s) 16:39):", "Ann Reed <ann@mill.example>"],
    ["Den mån 14 maj 2001 kl 16:39 skrev Ann Reed:", "Ann Reed"],
    ["Den 14. maj 2001 kl. 16.39 skrev Ann Reed:", "Ann Reed"],
    ["ma 14. toukok. 2001 klo 16.39 Ann Reed (ann@mill.example) kirjoitti:", "Ann Reed (ann@mill.example)"],
    ["W dniu 14.05.2001 o 16:39, Ann Reed pisze:", "Ann Reed"],
    ["Dne 14. 05. 01 v 16:39 Ann Reed napsal(a):", "Ann Reed"],
    ["пн, 14 мая 2001 г. в 16:39, Ann Reed <ann@mill.example>:", "Ann Reed <ann@mill.example>"],
    ["2001-05-14 오후 4:39에 Ann Reed 이(가) 쓴 글:", "Ann Reed"],
    ["在 2001/5/14 16:39, Ann Reed 写道:", "Ann Reed"],
  ])("is read from a line: %s", (line, author) => {
    expect(headersOf(`Yes.\n\n${line}\n> Shall we repair it?\n>\n> Ann\n`)).toEqual([
      { author, subject: null, minutes: [MAY_14], opening: "shallwerepairitann" },
    ]);
  });

  it("is read for nested quotations, each with its own text", () => {
    const block = (author: string, text: string) =>
      `-----Original Message-----\nFrom: ${author}\nSent: Monday, May 14, 2001 4:39 PM\nTo: Bo Lund\nSubject: Wheel\n\n${text}\n\n`;
    const found = headersOf(`Yes.\n\n${block("Ann Reed", "One")}${block("Cy Cole", "Two")}`);
    expect(found.map(({ author, opening }) => [author, opening])).toEqual([
      ["Ann Reed", "one"],
      ["Cy Cole", "two"],
    ]);
    expect(headersOf(`Yes.\n\n${block("Ann Reed", "One").repeat(100)}`)).toHaveLength(MAX_QUOTED_HEADERS);
  });

  it("does not assign the opening of the mail to the quotation", () => {
    const word = fc.stringMatching(/^[a-z]{1,9}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), fc.boolean(), (words, isMarked) => {
        const own = `${words.join(" ")}\n`;
        const head = "Mon, 14 May 2001 16:39:10 -0500";
        const reply = isMarked
          ? `Yes.\n\nOn ${head}, Ann Reed <ann@mill.example> wrote:\n${own.replace(/^/gm, "> ")}`
          : `Yes.\n\n-----Original Message-----\nFrom: Ann Reed\nSent: ${head}\nSubject: Wheel\n\n${own}`;
        expect(headersOf(reply)[0]?.opening).toBe(openingOf(own, splitBody(own)));
      }),
    );
  });

  it("accepts any text", () => {
    const line = fc.constantFrom(
      "> a",
      "From: x@y.example",
      "To: b",
      "-----Original Message-----",
      "",
      "On 1/2/03 4:05 PM x wrote:",
      "05/14/2001 04:39 PM",
      "c",
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        expect(headersOf(lines.join("\n")).length).toBeLessThanOrEqual(MAX_QUOTED_HEADERS);
      }),
    );
  });
});
