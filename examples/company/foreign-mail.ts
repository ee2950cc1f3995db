import { DAY, HOUR, zoneAt } from "./dates.ts";
import { type Charset, type Draft, draftOf } from "./draft.ts";
import { recipientIdentity, senderIdentity } from "./identities.ts";
import { personOf } from "./people.ts";
import type { SeededRandom } from "./seeded-random.ts";

interface Letter {
  readonly by: string;
  readonly to: readonly string[];
  readonly charset: Charset;
  readonly paragraphs: readonly string[];
}

interface Correspondence {
  readonly day: number;
  readonly subject: string;
  readonly letters: readonly Letter[];
}

/** Letters with customers and suppliers abroad, each in its language and the charset its programs use. */
const CORRESPONDENCES: readonly Correspondence[] = [
  {
    day: 64,
    subject: "Angebot für drei Wellenbojen",
    letters: [
      {
        by: "heike",
        to: ["office", "pike"],
        charset: "iso-8859-1",
        paragraphs: [
          "Sehr geehrte Damen und Herren,",
          "wir suchen für das Messnetz an der Nordküste drei Wellenbojen mit Satellitenübertragung. Bitte schicken Sie uns ein Angebot mit Lieferzeit, Garantie und den Kosten für die jährliche Wartung.",
          "Mit freundlichen Grüßen\nHeike Vogt",
        ],
      },
      {
        by: "office",
        to: ["heike"],
        charset: "iso-8859-1",
        paragraphs: [
          "Guten Tag Frau Vogt,",
          "vielen Dank für Ihre Anfrage. Das Angebot ist in Arbeit und geht Ihnen bis Freitag zu. Die Lieferzeit für die Bojen beträgt zurzeit zehn Wochen, die Garantie läuft zwei Jahre.",
          "Viele Grüße\nIngrid Solberg",
        ],
      },
      {
        by: "heike",
        to: ["office"],
        charset: "iso-8859-1",
        paragraphs: [
          "Guten Tag Frau Solberg,",
          "das klingt gut. Können Sie den Anker gleich mit anbieten? Unser Schiff fährt im September hinaus, bis dahin müssen die Bojen geprüft sein.",
          "Schöne Grüße\nHeike Vogt",
        ],
      },
    ],
  },
  {
    day: 203,
    subject: "Kalibrierschein für Boje 7",
    letters: [
      {
        by: "heike",
        to: ["tomas", "aiko"],
        charset: "iso-8859-1",
        paragraphs: [
          "Hallo Herr Reyes,",
          "der Kalibrierschein für Boje 7 fehlt in der Lieferung. Ohne den Schein dürfen wir die Messwerte nicht veröffentlichen. Bitte senden Sie ihn möglichst bald.",
          "Heike Vogt",
        ],
      },
      {
        by: "heike",
        to: ["tomas"],
        charset: "utf-8",
        paragraphs: [
          "Nachtrag: Er lag im zweiten Karton. Entschuldigen Sie die Mühe, alles ist vollständig!",
          "Heike Vogt",
        ],
      },
    ],
  },
  {
    day: 131,
    subject: "Commande de capteurs de température",
    letters: [
      {
        by: "claire",
        to: ["office"],
        charset: "windows-1252",
        paragraphs: [
          "Bonjour Madame,",
          "Nous souhaitons commander douze capteurs de température pour l’éclairage du port. Le prix de 480 € par capteur s’entend-il avec le câble\u00a0? Merci de nous confirmer le délai de livraison.",
          "Bien cordialement,\nClaire Fontaine",
        ],
      },
      {
        by: "office",
        to: ["claire"],
        charset: "windows-1252",
        paragraphs: [
          "Bonjour Madame Fontaine,",
          "Merci pour votre commande. Le prix comprend cinq mètres de câble\u00a0; la livraison est prévue dans trois semaines. La facture suivra avec le colis.",
          "Cordialement,\nIngrid Solberg",
        ],
      },
      {
        by: "claire",
        to: ["office", "wendy"],
        charset: "windows-1252",
        paragraphs: [
          "Parfait, merci beaucoup\u00a0! Les capteurs sont arrivés hier, en très bon état. Notre équipe est ravie.",
          "Claire Fontaine",
        ],
      },
    ],
  },
  {
    day: 288,
    subject: "Distribución de boyas en España",
    letters: [
      {
        by: "diego",
        to: ["greta", "tomas"],
        charset: "utf-8",
        paragraphs: [
          "Estimada señora Halvorsen:",
          "Somos distribuidores de instrumentos de medida en Cádiz y nos interesa vender sus boyas en España y Portugal. ¿Podríamos hablar la próxima semana sobre las condiciones y los precios?",
          "Un cordial saludo,\nDiego Paredes",
        ],
      },
      {
        by: "tomas",
        to: ["diego", "greta"],
        charset: "utf-8",
        paragraphs: [
          "Hola Diego:",
          "Muchas gracias por tu interés. El martes por la mañana tengo tiempo para una llamada. Mientras tanto te envío la ficha técnica de la boya y la lista de precios.",
          "Saludos,\nTomás",
        ],
      },
      {
        by: "diego",
        to: ["tomas"],
        charset: "utf-8",
        paragraphs: [
          "Perfecto, Tomás. Te llamo el martes a las diez. La ficha técnica es muy clara; solo me falta saber cuánto pesa la boya con el ancla.",
          "Diego",
        ],
      },
    ],
  },
  {
    day: 352,
    subject: "波浪ブイのお見積もりについて",
    letters: [
      {
        by: "haruto",
        to: ["greta", "office"],
        charset: "iso-2022-jp",
        paragraphs: [
          "ハルボルセン様",
          "いつもお世話になっております。波浪ブイ二台のお見積もりをお願いいたします。納期は来年の三月末を希望しております。",
          "よろしくお願いいたします。\n佐々木",
        ],
      },
      {
        by: "haruto",
        to: ["greta"],
        charset: "iso-2022-jp",
        paragraphs: ["お見積もりをありがとうございました。社内で検討し、来週ご連絡いたします。", "佐々木"],
      },
    ],
  },
  {
    day: 87,
    subject: "Поставка датчиков давления",
    letters: [
      {
        by: "yelena",
        to: ["tomas", "office"],
        charset: "koi8-r",
        paragraphs: [
          "Добрый день!",
          "Датчики давления по вашему заказу готовы к отправке. Просим подтвердить адрес доставки и оплатить счёт до конца месяца.",
          "С уважением,\nЕлена Соколова",
        ],
      },
      {
        by: "yelena",
        to: ["tomas"],
        charset: "koi8-r",
        paragraphs: [
          "Спасибо, оплата получена. Посылка отправлена сегодня, номер накладной в приложении.",
          "Елена Соколова",
        ],
      },
    ],
  },
  {
    day: 419,
    subject: "太阳能电池板报价",
    letters: [
      {
        by: "weilin",
        to: ["office", "marek"],
        charset: "gb18030",
        paragraphs: [
          "您好！",
          "附件是五百块太阳能电池板的报价单。价格包含运费，交货时间为六个星期。如果您需要样品，请告诉我们地址。",
          "此致\n陈伟林",
        ],
      },
      { by: "weilin", to: ["office"], charset: "gb18030", paragraphs: ["样品已经寄出，请注意查收。谢谢！", "陈伟林"] },
    ],
  },
];

export function foreignDrafts(firstDay: number, random: SeededRandom): Draft[] {
  const drafts: Draft[] = [];
  for (const { day, subject, letters } of CORRESPONDENCES) {
    let parent: Draft | null = null;
    for (const [index, letter] of letters.entries()) {
      const person = personOf(letter.by);
      const sentAt = firstDay + (day + index * 2) * DAY + random.between(8, 14) * HOUR + random.below(3600) * 1000;
      parent = draftOf({
        from: senderIdentity(letter.by, random),
        to: letter.to.map((key) => recipientIdentity(key, random)),
        subject,
        sentAt,
        zoneHours: zoneAt(person.zone, sentAt),
        paragraphs: letter.paragraphs,
        program: person.program,
        charset: letter.charset,
        relation: parent === null ? null : { kind: "reply", parent },
        project: "languages",
      });
      drafts.push(parent);
    }
  }
  return drafts;
}
