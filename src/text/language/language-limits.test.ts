import { describe, expect, it } from "vitest";
import { LANGUAGE_NGRAMS } from "../../extraction/preparing/language-table.ts";
import { LanguageDetector } from "./language.ts";

/** A sentence in each language the n-grams know, about a company or from the declaration of human rights. */
const SENTENCES: readonly (readonly [language: string, sentence: string])[] = [
  ["am", "የሰው ልጅ ሁሉ ሲወለድ ነጻና በክብርና በመብትም እኩልነት ያለው ነው።"],
  ["ar", "نود أن ندعوكم إلى الاجتماع السنوي لشركتنا الأسبوع المقبل."],
  ["az", "Bütün insanlar ləyaqət və hüquqlarına görə azad və bərabər doğulurlar."],
  ["be", "Усе людзі нараджаюцца свабоднымі і роўнымі ў сваёй годнасці і правах."],
  ["bg", "Всички хора се раждат свободни и равни по достойнство и права."],
  ["bn", "সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা এবং অধিকার নিয়ে জন্মগ্রহণ করে।"],
  ["ca", "Ens agradaria convidar-vos a la reunió anual de la nostra empresa la setmana que ve."],
  ["cs", "Rádi bychom vás pozvali na výroční schůzi naší společnosti příští týden."],
  ["da", "Vi vil gerne invitere jer til virksomhedens årsmøde i næste uge."],
  ["de", "Wir möchten Sie herzlich zur Jahresversammlung unserer Firma in der nächsten Woche einladen."],
  ["el", "Θα θέλαμε να σας προσκαλέσουμε στην ετήσια συνάντηση της εταιρείας μας την επόμενη εβδομάδα."],
  ["en", "We would like to invite you to the annual meeting of our company next week."],
  ["es", "Nos gustaría invitarle a la reunión anual de nuestra empresa la próxima semana."],
  ["et", "Kõik inimesed sünnivad vabadena ja võrdsetena oma väärikuselt ja õigustelt."],
  ["eu", "Gizon-emakume guztiak aske jaiotzen dira, duintasun eta eskubide berberak dituztela."],
  ["fa", "ما می‌خواهیم شما را به جلسه سالانه شرکت خود در هفته آینده دعوت کنیم."],
  ["fi", "Haluaisimme kutsua teidät yhtiömme vuosikokoukseen ensi viikolla."],
  ["fr", "Nous souhaitons vous inviter à la réunion annuelle de notre entreprise la semaine prochaine."],
  ["gu", "પ્રતિષ્ઠા અને અધિકારોની દૃષ્ટિએ સર્વ માનવો જન્મથી સ્વતંત્ર અને સમાન હોય છે."],
  ["he", "ברצוננו להזמין אתכם לאסיפה השנתית של החברה שלנו בשבוע הבא."],
  ["hi", "हम आपको अगले सप्ताह हमारी कंपनी की वार्षिक बैठक में आमंत्रित करना चाहते हैं।"],
  ["hr", "Sva ljudska bića rađaju se slobodna i jednaka u dostojanstvu i pravima."],
  ["hu", "Szeretnénk meghívni Önt vállalatunk jövő heti éves ülésére."],
  ["hy", "Բոլոր մարդիկ ծնվում են ազատ ու հավասար իրենց արժանապատվությամբ ու իրավունքներով։"],
  ["is", "Hver maður er borinn frjáls og jafn öðrum að virðingu og réttindum."],
  ["it", "Vorremmo invitarla alla riunione annuale della nostra azienda la prossima settimana."],
  ["ja", "来週開催される当社の年次総会にご招待したいと思います。"],
  ["ka", "ყველა ადამიანი იბადება თავისუფალი და თანასწორი თავისი ღირსებითა და უფლებებით."],
  ["kn", "ಎಲ್ಲಾ ಮಾನವರೂ ಸ್ವತಂತ್ರರಾಗಿಯೇ ಜನಿಸಿದ್ದಾರೆ, ಘನತೆ ಮತ್ತು ಹಕ್ಕುಗಳಲ್ಲಿ ಸಮಾನರಾಗಿದ್ದಾರೆ."],
  ["ko", "다음 주에 열리는 우리 회사의 연례 회의에 귀하를 초대하고 싶습니다."],
  ["ku", "Hemû mirov azad û di weqar û mafan de wekhev tên dinyayê."],
  ["lo", "ມະນຸດເກີດມາມີສິດເສລີພາບ ແລະ ສະເໝີໜ້າກັນໃນທາງກຽດຕິສັກ ແລະ ທາງສິດ."],
  ["lt", "Visi žmonės gimsta laisvi ir lygūs savo orumu ir teisėmis."],
  ["lv", "Visi cilvēki piedzimst brīvi un vienlīdzīgi savā pašcieņā un tiesībās."],
  ["ml", "മനുഷ്യരെല്ലാവരും തുല്യാവകാശങ്ങളോടും അന്തസ്സോടും സ്വാതന്ത്ര്യത്തോടുംകൂടി ജനിച്ചിട്ടുള്ളവരാണ്."],
  ["mr", "सर्व मानवी व्यक्ती जन्मतः स्वतंत्र आहेत व त्यांना समान प्रतिष्ठा व समान अधिकार आहेत."],
  ["ms", "Semua manusia dilahirkan bebas dan sama rata dari segi kemuliaan dan hak-hak."],
  ["nl", "Wij willen u graag uitnodigen voor de jaarlijkse vergadering van ons bedrijf volgende week."],
  ["no", "Vi vil gjerne invitere dere til selskapets årsmøte neste uke, og håper at alle kan være med."],
  ["or", "ସମସ୍ତ ମନୁଷ୍ୟ ଜନ୍ମକାଳରୁ ସ୍ୱାଧୀନ ଏବଂ ମର୍ଯ୍ୟାଦା ଓ ଅଧିକାରରେ ସମାନ ।"],
  ["pa", "ਸਾਰਾ ਮਨੁੱਖੀ ਪਰਿਵਾਰ ਆਪਣੀ ਮਹਿਮਾ, ਸ਼ਾਨ ਅਤੇ ਹੱਕਾਂ ਦੇ ਪੱਖੋਂ ਜਨਮ ਤੋਂ ਹੀ ਆਜ਼ਾਦ ਹੈ।"],
  ["pl", "Chcielibyśmy zaprosić Państwa na doroczne zebranie naszej firmy w przyszłym tygodniu."],
  ["pt", "Gostaríamos de convidá-lo para a reunião anual da nossa empresa na próxima semana."],
  ["ro", "Am dori să vă invităm la adunarea anuală a companiei noastre săptămâna viitoare."],
  ["ru", "Мы хотели бы пригласить вас на ежегодное собрание нашей компании на следующей неделе."],
  ["sk", "Všetci ľudia sa rodia slobodní a sebe rovní, čo sa týka ich dôstojnosti a práv."],
  ["sl", "Vsi ljudje se rodijo svobodni in imajo enako dostojanstvo in enake pravice."],
  ["sq", "Të gjithë njerëzit lindin të lirë dhe të barabartë në dinjitet dhe në të drejta."],
  ["sr", "Сва људска бића рађају се слободна и једнака у достојанству и правима."],
  ["sv", "Vi vill gärna bjuda in er till företagets årsmöte nästa vecka."],
  ["ta", "மனிதப் பிறிவியினர் சகலரும் சுதந்திரமாகவே பிறக்கின்றனர்."],
  ["te", "ప్రతిపత్తిస్వత్వముల విషయమున మానవులెల్లరును జన్మతః స్వతంత్రులును సమానులును నగుదురు."],
  ["th", "เราขอเชิญท่านเข้าร่วมการประชุมประจำปีของบริษัทของเราในสัปดาห์หน้า"],
  ["tl", "Ang lahat ng tao ay isinilang na malaya at pantay-pantay sa karangalan at mga karapatan."],
  ["tr", "Sizi gelecek hafta yapılacak olan şirketimizin yıllık toplantısına davet etmek istiyoruz."],
  ["uk", "Ми хотіли б запросити вас на щорічні збори нашої компанії наступного тижня."],
  ["ur", "تمام انسان آزاد اور حقوق و عزت کے اعتبار سے برابر پیدا ہوئے ہیں۔"],
  ["vi", "Chúng tôi muốn mời bạn tham dự cuộc họp thường niên của công ty chúng tôi vào tuần tới."],
  ["yo", "Gbogbo ènìyàn ni a bí ní òmìnira; iyì àti ẹ̀tọ́ kọ̀ọ̀kan sì dọ́gba."],
  ["zh", "我们想邀请您参加我们公司下周举行的年度会议，期待您的光临。"],
];

/**
 * Other languages detected for beginnings of fewer than 60 letters, whose first words are those of a related
 * language. Kurdish is detected as Italian at any length: it has the word `di`, and no words that rule Italian out.
 */
const MISTAKES: Readonly<Record<string, string>> = { hi: "mr", hr: "sl", ur: "fa" };
const UNKNOWN = "ku";

/** Words that are function words of no other language, and two function words. */
const WITHOUT_FUNCTION_WORDS: readonly (readonly [language: string, words: string, one: string, other: string])[] = [
  ["en", "Harbour warehouse inventory deliveries", "of", "the"],
  ["de", "Hafenmeister Lagerhalle Lieferungen Montag", "der", "und"],
  ["fr", "Entrepôt livraisons lundi entrepreneur", "les", "dans"],
  ["es", "Almacenes entregas lunes capataz puerto", "los", "que"],
  ["it", "Magazzino consegne banchina capitano porto", "che", "della"],
  ["nl", "Havenmeester loodsen leveringen maandag", "het", "een"],
  ["pt", "Entregas armazenadas capataz segunda porto", "que", "uma"],
  ["ca", "Magatzem lliuraments dilluns capatas port", "els", "amb"],
];

const detector = new LanguageDetector(LANGUAGE_NGRAMS);
const lettersOf = (text: string): number => text.match(/[\p{L}\p{M}]/gu)?.length ?? 0;

/** Beginnings of the sentence repeated three times: one word, two words and so on. */
function beginningsOf(sentence: string): readonly string[] {
  const words = `${sentence} ${sentence} ${sentence}`.split(" ");
  return words.map((_, at) => words.slice(0, at + 1).join(" "));
}

describe("the limits of telling a language", () => {
  it("are tested in every language of the n-grams", () => {
    const known = [...LANGUAGE_NGRAMS.languages].filter((language) => language !== "");
    expect(SENTENCES.map(([language]) => language)).toEqual(known.sort());
  });

  it.each(SENTENCES)(
    "are, in %s: none below 20 letters, correct from 60 on, and no other between",
    (language, text) => {
      for (const beginning of beginningsOf(text)) {
        const letters = lettersOf(beginning);
        const detected = detector.detect(beginning);
        if (letters < 20) expect(detected, beginning).toBeNull();
        else if (language === UNKNOWN) expect([null, "it"], beginning).toContain(detected);
        else if (letters >= 60) expect(detected, beginning).toBe(language);
        else expect([null, language, MISTAKES[language]], beginning).toContain(detected);
      }
    },
  );

  it.each(WITHOUT_FUNCTION_WORDS)(
    "are, in %s: two function words in fewer than 60 letters",
    (language, words, one, other) => {
      expect(lettersOf(`${one} ${words} ${other}`)).toBeLessThan(60);
      expect(detector.detect(words)).toBeNull();
      expect(detector.detect(`${one} ${words}`)).toBeNull();
      expect(detector.detect(`${one} ${words} ${other}`)).toBe(language);
    },
  );

  it.each(["eu", "tl"])("are, in %s: 60 letters without function words", (language) => {
    const text = SENTENCES.find(([code]) => code === language)![1];
    for (const beginning of beginningsOf(text))
      expect(detector.detect(beginning), beginning).toBe(lettersOf(beginning) < 60 ? null : language);
  });
});
