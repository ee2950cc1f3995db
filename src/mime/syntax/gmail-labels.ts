/**
 * Gmail's own labels as it writes them in other languages: Catalan, Chinese, Czech, Danish, Dutch, Finnish, French,
 * German, Hungarian, Italian, Japanese, Korean, Norwegian, Polish, Portuguese, Russian, Spanish, Swedish, Turkish,
 * Ukrainian. Some languages have used both a singular and a plural. From the interface of Gmail and from exports that
 * people have reported.
 */
const LOCAL_NAMES: Readonly<Record<string, readonly string[]>> = {
  Inbox: [
    ...["safata d'entrada", "doručené", "doručená pošta", "indbakke", "postvak in", "boîte de réception"],
    ...["posteingang", "posta in arrivo", "受信トレイ", "innboks", "odebrane", "caixa de entrada", "входящие"],
    ...["recibidos", "bandeja de entrada", "inkorgen", "收件箱", "收件匣", "받은편지함", "gelen kutusu"],
    ...["beérkező levelek", "beérkezett üzenetek", "postilaatikko", "saapuneet", "вхідні"],
  ],
  Sent: [
    ...["enviats", "odeslané", "odesláno", "odeslaná pošta", "sendt", "sendte", "verzonden", "envoyé", "envoyés"],
    ...["messages envoyés", "gesendet", "posta inviata", "inviati", "送信済み", "送信済みメール", "wysłane"],
    ...["enviado", "enviados", "enviadas", "отправленные", "skickat", "skickade", "已发送", "已发邮件", "寄件備份"],
    ...[
      "已傳送",
      "보낸편지함",
      "gönderilmiş",
      "gönderilenler",
      "gönderilmiş postalar",
      "elküldött",
      "elküldött levelek",
    ],
    ...["elküldve", "lähetetyt", "lähetetty", "надіслані", "надіслано"],
  ],
  Draft: [
    ...["drafts", "esborranys", "koncept", "koncepty", "kladde", "kladder", "concepten", "brouillon", "brouillons"],
    ...["entwurf", "entwürfe", "bozza", "bozze", "下書き", "utkast", "wersje robocze", "rascunho", "rascunhos"],
    ...["черновик", "черновики", "borrador", "borradores", "草稿", "임시보관함", "taslak", "taslaklar"],
    ...["piszkozat", "piszkozatok", "luonnos", "luonnokset", "чернетка", "чернетки"],
  ],
  Spam: [
    ...["correu brossa", "ongewenste e-mail", "迷惑メール", "søppelpost", "спам", "skräppost", "垃圾邮件"],
    ...["垃圾郵件", "스팸함", "스팸", "istenmeyen", "roskaposti"],
  ],
  Trash: [
    ...["paperera", "koš", "papirkurv", "prullenbak", "corbeille", "papierkorb", "cestino", "ゴミ箱", "kosz"],
    ...["lixeira", "lixo", "корзина", "papelera", "papperskorgen", "已删除邮件", "垃圾桶", "휴지통", "çöp kutusu"],
    ...["çöp", "kuka", "roskakori", "кошик"],
  ],
  Chat: [
    ...[
      "chats",
      "xat",
      "xats",
      "聊天",
      "聊天记录",
      "即時通訊",
      "채팅",
      "sohbet",
      "sohbetler",
      "csevegés",
      "csevegések",
    ],
    ...["chatit", "keskustelut", "чат", "чати"],
  ],
  Opened: [
    ...["obert", "oberts", "otevřené", "otevřeno", "åbnet", "åbnede", "geopend", "ouvert", "ouverts", "geöffnet"],
    ...["aperto", "aperti", "開封済み", "åpnet", "otwarte", "aberto", "abertos", "abertas", "открытые", "открыто"],
    ...["abierto", "abiertos", "öppnat", "öppnade", "öppnad", "已打开", "已開啟", "열어봄", "열림", "açıldı", "açılan"],
    ...["megnyitott", "megnyitva", "avattu", "avatut", "відкриті", "відкрито"],
  ],
  Unread: [
    ...["no llegit", "no llegits", "nepřečtené", "nepřečteno", "ulæst", "ulæste", "ongelezen", "non lu", "non lus"],
    ...["ungelesen", "da leggere", "non letto", "non letti", "未読", "ulest", "uleste", "nieprzeczytane"],
    ...["não lido", "não lidos", "não lida", "não lidas", "непрочитанные", "no leído", "no leídos", "oläst", "olästa"],
    ...[
      "未读",
      "未读邮件",
      "未讀",
      "未讀取",
      "未讀郵件",
      "읽지 않음",
      "읽지않음",
      "안읽은 메일",
      "okunmamış",
      "okunmadı",
      "olvasatlan",
      "lukematon",
    ],
    ...["lukemattomat", "lukematta", "непрочитані", "непрочитане"],
  ],
  Important: [
    ...["importants", "důležité", "vigtig", "vigtigt", "vigtige", "belangrijk", "wichtig", "importante", "importanti"],
    ...["重要", "viktig", "viktige", "ważne", "importantes", "важное", "важные", "viktigt", "重要邮件", "重要郵件"],
    ...["중요", "중요편지함", "önemli", "fontos", "tärkeä", "tärkeät", "важливе", "важливі"],
  ],
  Starred: [
    ...["destacat", "destacats", "s hvězdičkou", "stjernemarkeret", "met ster", "suivi", "suivis", "favoris"],
    ...["markiert", "speciale", "speciali", "スター付き", "stjernemerket", "oznaczone gwiazdką", "com estrela"],
    ...["помеченные", "destacado", "destacados", "stjärnmärkt", "stjärnmärkta", "已加星标", "已加星號", "별표편지함"],
    ...["별표", "yıldızlı", "csillagozott", "csillaggal megjelölt", "tähdellä merkitty", "tähdellä merkityt"],
    ...["із зірочкою", "позначені зірочкою"],
  ],
  Archived: [
    ...["arxivat", "arxivats", "archivováno", "archivované", "arkiveret", "gearchiveerd", "archivé", "archivés"],
    ...["messages archivés", "archiviert", "archiviato", "archiviati", "archiviata", "アーカイブ済み", "arkivert"],
    ...["zarchiwizowane", "arquivado", "arquivados", "arquivadas", "архивированные", "archivado", "archivados"],
    ...[
      "arkiverat",
      "arkiverade",
      "已归档",
      "已封存",
      "보관됨",
      "보관처리됨",
      "arşivlendi",
      "arşivlenmiş",
      "archivált",
    ],
    ...["archiválva", "arkistoitu", "arkistoidut", "заархівовані", "архівовані", "архівовано"],
  ],
};

const SYSTEM_LABELS: ReadonlyMap<string, string> = new Map(
  Object.entries(LOCAL_NAMES).flatMap(([label, names]) =>
    [label.toLowerCase(), ...names].map((name) => [name, label] as const),
  ),
);

/** What remains of the Turkish `İ` before its lower case. */
const DOT_ABOVE = "\u0307";

/** Gmail's own label under its English name, whatever the language of the account; other labels are unchanged. */
export function englishLabel(label: string): string {
  return SYSTEM_LABELS.get(label.normalize("NFC").toLowerCase().replaceAll(DOT_ABOVE, "")) ?? label;
}
