import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { eld } from "eld/small";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { realData } from "../../../test/real-data.ts";
import { LANGUAGE_NGRAMS } from "../../extraction/preparing/language-table.ts";
import { authorText } from "../quoting/split-body.ts";
import { LanguageDetector } from "./language.ts";

const SAMPLES: readonly (readonly [language: string, text: string])[] = [
  ["en", "We would like to invite you to the annual meeting of our company next week."],
  ["de", "Wir möchten Sie herzlich zur Jahresversammlung unserer Firma in der nächsten Woche einladen."],
  ["fr", "Nous souhaitons vous inviter à la réunion annuelle de notre entreprise la semaine prochaine."],
  ["es", "Nos gustaría invitarle a la reunión anual de nuestra empresa la próxima semana."],
  ["it", "Vorremmo invitarla alla riunione annuale della nostra azienda la prossima settimana."],
  ["nl", "Wij willen u graag uitnodigen voor de jaarlijkse vergadering van ons bedrijf volgende week."],
  ["pt", "Gostaríamos de convidá-lo para a reunião anual da nossa empresa na próxima semana."],
  ["sv", "Vi vill gärna bjuda in er till företagets årsmöte nästa vecka."],
  ["da", "Vi vil gerne invitere jer til virksomhedens årsmøde i næste uge."],
  ["no", "Vi vil gjerne invitere dere til selskapets årsmøte neste uke, og håper at alle kan være med."],
  ["fi", "Haluaisimme kutsua teidät yhtiömme vuosikokoukseen ensi viikolla."],
  ["pl", "Chcielibyśmy zaprosić Państwa na doroczne zebranie naszej firmy w przyszłym tygodniu."],
  ["ru", "Мы хотели бы пригласить вас на ежегодное собрание нашей компании на следующей неделе."],
  ["zh", "我们想邀请您参加我们公司下周举行的年度会议，期待您的光临。"],
  ["ja", "来週開催される当社の年次総会にご招待したいと思います。"],
  ["ko", "다음 주에 열리는 우리 회사의 연례 회의에 귀하를 초대하고 싶습니다."],
  ["tr", "Sizi gelecek hafta yapılacak olan şirketimizin yıllık toplantısına davet etmek istiyoruz."],
  ["el", "Θα θέλαμε να σας προσκαλέσουμε στην ετήσια συνάντηση της εταιρείας μας την επόμενη εβδομάδα."],
  ["he", "ברצוננו להזמין אתכם לאסיפה השנתית של החברה שלנו בשבוע הבא."],
  ["ar", "نود أن ندعوكم إلى الاجتماع السنوي لشركتنا الأسبوع المقبل."],
  ["th", "เราขอเชิญท่านเข้าร่วมการประชุมประจำปีของบริษัทของเราในสัปดาห์หน้า"],
  ["uk", "Ми хотіли б запросити вас на щорічні збори нашої компанії наступного тижня."],
  ["cs", "Rádi bychom vás pozvali na výroční schůzi naší společnosti příští týden."],
  ["hu", "Szeretnénk meghívni Önt vállalatunk jövő heti éves ülésére."],
  ["ro", "Am dori să vă invităm la adunarea anuală a companiei noastre săptămâna viitoare."],
  ["vi", "Chúng tôi muốn mời bạn tham dự cuộc họp thường niên của công ty chúng tôi vào tuần tới."],
  ["ca", "Ens agradaria convidar-vos a la reunió anual de la nostra empresa la setmana que ve."],
  ["hi", "हम आपको अगले सप्ताह हमारी कंपनी की वार्षिक बैठक में आमंत्रित करना चाहते हैं।"],
  ["fa", "ما می‌خواهیم شما را به جلسه سالانه شرکت خود در هفته آینده دعوت کنیم."],
  [
    "ca",
    "La reunió de l'empresa és el dia de demà a la sala que hi ha al costat de la porta, però no sé si els socis que no són de la casa hi poden anar per a veure el projecte amb nosaltres.",
  ],
];

const detector = new LanguageDetector(LANGUAGE_NGRAMS);
const detectLanguage = (text: string): string | null => detector.detect(text);

describe("LanguageDetector", () => {
  it.each(SAMPLES)("detects %s", (language, text) => {
    expect(detectLanguage(text)).toBe(language);
  });

  it.each([
    "",
    "OK",
    "Thanks, Ann",
    "1234567890 1234567890 1234567890",
    // Names resemble a language, but contain none of its words.
    "Schneider / Hartmann, Brandt / Vogelsang, Lindemann / Kreuzer, Bergmann, Hoffmann, Zimmermann, Steinbach",
    "Domingos Pereira, Adriana Salgado, Marcelo Oliveira, Fernanda Teixeira, Rodrigo Almeida, Luciana Barbosa",
    "http://www.example.org/a/very/long/path?with=letters",
    "ann@example.org bob@example.org",
    "!!!! ???? ----",
    "[IMAGE] [IMAGE] [IMAGE] [IMAGE] [IMAGE]",
    "Zinfandel Chardonnay Montepulciano",
    "Delivery point   Volume   Price\nPermian Basin   Baseload   Index\nSan Juan   Baseload   Index\nTotal deliveries   Firm   Fixed",
    "| Delivery | Volume |\n| Permian | Baseload |\n| Panhandle | Baseload |",
  ])("does not guess from `%s`", (text) => {
    expect(detectLanguage(text)).toBeNull();
  });

  it("is not led astray by addresses and figures", () => {
    expect(
      detectLanguage("http://www.ejemplo.example/para/los/que/no/estan siehe dort, das ist die Seite, die ich meinte"),
    ).toBe("de");
  });

  it("continues after placeholders and tables", () => {
    const rows = "Delivery point   Volume   Price\n".repeat(20);
    expect(detectLanguage(`[IMAGE]\n${rows}\nVi vill gärna bjuda in er till företagets årsmöte nästa vecka.`)).toBe(
      "sv",
    );
    expect(
      detectLanguage("Some of us,   with the exception of you,   have to be in the office at the end of the day"),
    ).toBe("en");
    // Two spaces after a sentence do not make a table.
    expect(detectLanguage("Yes.  We will.  Send it to me.  I have the rest.")).toBe("en");
  });

  it("detects Japanese by kana among Han characters", () => {
    expect(detectLanguage("来週東京本社会議室年次株主総会開催予定、出席希望者連絡願います。")).toBe("ja");
  });

  it("never throws and answers with a code or null", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 500 }), (text) =>
        /^(?:[a-z]{2,3})?$/.test(detectLanguage(text) ?? ""),
      ),
    );
  });
});

const enron = realData("enron-14-custodians");

describe.skipIf(enron === null)("mail of a company (Enron)", () => {
  it("agrees with eld in 99 of 100 messages", () => {
    let answered = 0;
    let agreed = 0;
    for (const folder of ["allen-p/inbox", "delainey-d/sent", "lokay-m/inbox"].map((path) => join(enron ?? "", path))) {
      for (const name of readdirSync(folder).slice(0, 250)) {
        const raw = readFileSync(join(folder, name), "latin1");
        const own = authorText(raw.slice(raw.indexOf("\n\n") + 2));
        const language = detectLanguage(own);
        if (language === null) continue;
        answered++;
        if (eld.detect(own.slice(0, 400)).language === language) agreed++;
      }
    }
    expect(answered).toBeGreaterThan(300);
    expect(agreed / answered).toBeGreaterThanOrEqual(0.99);
  });
});
