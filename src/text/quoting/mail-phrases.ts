/**
 * Phrases that mail programs write above and below quoted and forwarded mail and signatures, in many languages. All
 * entries are lower case, from the programs' own translations: a phrase is listed because a program writes it, not
 * because it is possible.
 */

/** Phrases, separated by bars. */
function phrases(...rows: readonly string[]): readonly string[] {
  return rows.flatMap((row) => row.split("|"));
}

/** First words of a line such as `On 3 May 2001, Ann wrote:`. */
export const ATTRIBUTION_OPENERS = phrases(
  "on |at |in a message dated |in message |in article |quoting |am |um |zitat von |le |el |il giorno |il |op |em ",
  "a |no dia |den |på |pe |w dniu |dnia |dne |dňa |vào |в |пн, |вт, |ср, |чт, |пт, |сб, |вс, |citando |citat von ",
  "selon |sent from |begin forwarded |în |la |tarihinde |στις |בתאריך |في |在 |于 |às |wiadomość napisana przez ",
  "missatge de ",
);

/** Verbs of an attribution line. Those with a blank on both sides may be in the middle (`Am 3. Mai schrieb Ann:`). */
export const ATTRIBUTION_VERBS = phrases(
  " wrote| writes| sent| said| schrieb| schreibt| a écrit| écrit| écrivait| escribió| escribio| ha scritto| scrive",
  " schreef| geschreven| escreveu| skrev| skriver| napisał(a)| napisał| napisała| pisze| napsal(a)| napsal",
  " napísal| đã viết| kirjoitti| a scris| ezt írta| yazdı| şunu yazdı| έγραψε| написал| написала| написал(а)",
  " пишет| написав| מאת| كتب|写道|寫道|书き込み|書きました|のメール|작성|님이 씀| 이(가) 쓴 글|님이 쓴 글",
  " napísal(a)| írta| пише| escribiu| menulis| เขียนว่า| نوشت| napisao je| napisala je| je napisao/la| napisala",
  " је написао/ла| написа| kirjutas kuupäeval| rakstīja| rašė| skrifaði| aliandika| ने लिखा| isinulat ni",
);

/** First words of footers by phones and web mailers. */
export const DEVICE_SIGNATURES = phrases(
  "sent from my |sent from mobile|sent from outlook|sent from mail for windows|sent from yahoo|sent from samsung",
  "sent from proton|sent from the |sent from gmail|sent from nine|sent from acompli|sent via |sent using ",
  "sent on the move|sent with |sent by my |get outlook for |get bluemail for |von meinem |gesendet von ",
  "gesendet mit |gesendet über |diese nachricht wurde von meinem |envoyé de mon |envoyé depuis |envoyé à partir ",
  "télécharger outlook pour |enviado desde |enviado do meu |enviado a partir |enviado de mi |obtener outlook para ",
  "obter o outlook para |inviato da |inviato dal |scarica outlook per |verzonden vanaf |verstuurd vanaf ",
  "verzonden met |outlook voor |skickat från |sendt fra |lähetetty |wysłano z |odesláno z |отправлено с ",
  "отправлено из |发自我的|從我的|iphoneから送信|나의 iphone에서 보냄|do you yahoo!?|get your free download of msn|join the world",
  "get your private, free e-mail|__________________________________________________ do you",
);

/** First words of a legal notice, and words of which it must contain one. */
export const NOTICE_BEGINNINGS = phrases(
  "this e-mail|this email|this message|this communication|this transmission|this electronic",
  "the information contained in this|the information in this|the contents of this|confidentiality notice",
  "confidentiality note|privileged|notice:|important notice|disclaimer|note: this|if you are not the intended",
  "if you have received this|diese e-mail|diese email|diese nachricht|der inhalt dieser|ce message|ce courriel",
  "cet e-mail|este mensaje|este correo|este e-mail|esta mensagem|questo messaggio|questa e-mail|dit bericht",
  "deze e-mail",
);
export const NOTICE_WORDS = phrases(
  "confidential|privileged|intended recipient|intended only|intended for|property of|vertraulich|confidentiel",
  "destinataire|confidencial|destinatario|destinatário|riservat|confidenziale|vertrouwelijk|bestemd voor",
);

/** Wording of sentences in legal notices, rare elsewhere. */
export const NOTICE_SIGNS = phrases(
  "intended recipient|not the addressee|use of the addressee|received (?:this|it)[^.]{0,40} in error|individual or entity|strictly prohibited",
  "(?:to (?:whom|which) it is|hereby) (?:addressed|notified)|irrtümlich erhalten|nicht der (?:richtige|beabsichtigte)",
  "destinataire (?:prévu|visé)|reçu ce[^.]{0,40} par erreur|recibido[^.]{0,40} por error|ricevuto[^.]{0,40} per errore",
  "recebeu est[^.]{0,40} por engano|ten onrechte ontvangen|niet voor u bestemd",
);

export type SeparatorKind = "quoted" | "forwarded";

function withKind(kind: SeparatorKind, found: readonly string[]): readonly (readonly [string, SeparatorKind])[] {
  return found.map((phrase) => [phrase, kind]);
}

const QUOTED = phrases(
  "original message|original-nachricht|original appointment|original e-mail|original email",
  "original meeting request|original mail|reply message|message from the original sender|ursprüngliche nachricht",
  "ursprüngliche mail|originalnachricht|ursprünglicher termin|antwort nachricht|message d'origine",
  "message d’origine|message original|message initial|courriel d'origine|mail original|rendez-vous d'origine",
  "mensaje original|cita original|mensagem original|compromisso original|messaggio originale|messaggio originario",
  "oorspronkelijk bericht|origineel bericht|oorspronkelijke afspraak|ursprungligt meddelande|originalmeddelande",
  "oprindelig meddelelse|original meddelelse|opprinnelig melding|alkuperäinen viesti|wiadomość oryginalna",
  "oryginalna wiadomość|původní zpráva|původní e-mail|pôvodná správa|eredeti üzenet|mesaj original|orijinal mesaj",
  "özgün ileti|αρχικό μήνυμα|исходное сообщение|оригинальное сообщение|первоначальное сообщение",
  "вихідне повідомлення|原始邮件|原始郵件|原邮件|邮件原件|元のメッセージ|원본 메시지|원본 메일",
);
const FORWARDED = phrases(
  "begin forwarded message|forwarded message|forwarded mail|forwarded|weitergeleitete nachricht",
  "anfang der weitergeleiteten nachricht|anfang der weitergeleiteten e-mail|message transféré|message transmis",
  "message réexpédié|début du message transféré|début du message réexpédié|mensaje reenviado",
  "inicio del mensaje reenviado|messaggio inoltrato|inizio messaggio inoltrato|doorgestuurd bericht",
  "begin doorgestuurd bericht|mensagem encaminhada|mensagem reencaminhada|início da mensagem encaminhada",
  "início da mensagem reencaminhada|vidarebefordrat meddelande|vidarebefordrat mejl|vidarebefordrat brev",
  "videresendt meddelelse|videresendt besked|videresendt melding|videresendt e-post|start på videresendt besked",
  "välitetty viesti|przekazana wiadomość|wiadomość przekazana dalej|přeposlaná zpráva|preposlaná správa",
  "továbbított üzenet|iletilen mesaj|пересланное сообщение|пересылаемое сообщение|перенаправленное сообщение",
  "начало переадресованного сообщения|переслане повідомлення|转发的消息|转发的邮件|转发邮件信息|轉寄郵件|轉寄的郵件|転送メッセージ|전달된 메시지",
);
/** Complete phrases between dashes above an older message. */
export const SEPARATOR_PHRASES: ReadonlyMap<string, SeparatorKind> = new Map([
  ...withKind("quoted", QUOTED),
  ...withKind("forwarded", FORWARDED),
]);

const FORWARDED_BEGINNINGS = phrases(
  "forwarded by |forwarded message from |forwarded from |start of forwarded message|weitergeleitet von ",
  "transféré par |réexpédié par |reenviado por |inoltrato da |doorgestuurd door |encaminhado por ",
  "vidarebefordrat av |videresendt af |videresendt av ",
);
/** Starts of separators that continue with a name or a date (Lotus Notes: `Forwarded by Ann/HQ on 01/02/2001`). */
export const SEPARATOR_BEGINNINGS = [
  ...withKind("forwarded", FORWARDED_BEGINNINGS),
  ...withKind("quoted", phrases("original message from |original message - ")),
];

/**
 * Beginnings of the line without a colon that Lotus Notes writes below name and date if replies go to another address.
 */
export const REPLY_BEGINNINGS = phrases("please respond to|bitte antwort an");

/** Meanings of labels in a quoted header block, as bits, so that a block is a set. */
export const ROLE = { from: 1, date: 2, to: 4, copy: 8, subject: 16, other: 32 } as const;

/** True if a label alone identifies a header block: lists of times, places or prices do not use it. */
const SUFFICIENT = true;
const INSUFFICIENT = false;

const LABELS: readonly (readonly [role: number, isSufficient: boolean, labels: string])[] = [
  [ROLE.from, INSUFFICIENT, "from|von|de|da|van|från|fra|od|expéditeur|remitente|mittente|afzender|lähettäjä|kimden"],
  [ROLE.from, INSUFFICIENT, "feladó|de la|από|от|от кого|від|发件人|寄件者|寄件人|差出人|送信者|보낸 사람|보낸사람"],
  [ROLE.date, SUFFICIENT, "sent|gesendet|envoyé|enviado|enviado el|enviada|enviada em|inviato|verzonden|skickat"],
  [
    ROLE.date,
    SUFFICIENT,
    "sendt|wysłano|odesláno|odoslané|lähetetty|gönderildi|elküldve|στάλθηκε|отправлено|надіслано|发送时间|送信日時|보낸 날짜",
  ],
  [ROLE.date, INSUFFICIENT, "date|datum|envoyé le|enviado em|fecha|data|dato|päivämäärä|date sent|sent date|sent at"],
  [ROLE.date, INSUFFICIENT, "tarih|trimis|ημερομηνία|дата|日期|傳送日期|寄件日期|日時|日付|날짜"],
  [ROLE.to, INSUFFICIENT, "to|an|à|a|para|aan|till|til|do|komu|pour|destinataire|destinataires|destinatario"],
  [ROLE.to, INSUFFICIENT, "vastaanottaja|kime|címzett|către|προς|кому|收件人|收件者|宛先|받는 사람|받는사람"],
  [ROLE.copy, SUFFICIENT, "cc|bcc"],
  [
    ROLE.copy,
    INSUFFICIENT,
    "copy to|kopie|kopia|kopi|copie à|copie|cópia|ccn|cci|kópia|másolatot kap|κοιν.|копия|копія|抄送|副本|참조",
  ],
  [ROLE.subject, SUFFICIENT, "subject|betreff|objet|asunto|oggetto|onderwerp|assunto|ämne|emne|temat|předmět|aihe"],
  [ROLE.subject, SUFFICIENT, "konu|predmet|tárgy|subiect|thema|θέμα|тема|主题|主旨|件名|제목"],
  [ROLE.other, INSUFFICIENT, "sent by|reply-to|reply to|importance|attachments|priority|sensitivity"],
  [ROLE.other, INSUFFICIENT, "please respond to|organization|wichtigkeit|priorität|anlagen|antwort an|pièces jointes"],
  [ROLE.other, INSUFFICIENT, "importancia|priorità|prioriteit|message-id|when|where"],
];

/** Labels of quoted headers. */
export const HEADER_LABELS: ReadonlyMap<string, number> = new Map(
  LABELS.flatMap(([role, , labels]) => phrases(labels).map((label) => [label, role] as const)),
);
export const TELLING_LABELS: ReadonlySet<string> = new Set(
  LABELS.flatMap(([, isSufficient, labels]) => (isSufficient ? phrases(labels) : [])),
);

/** Longest label in characters, with the blank some languages put before the colon. */
export const MAX_LABEL_LENGTH = 22;
