/**
 * Gmail's own labels as it writes them in other languages: Catalan, Czech, Danish, Dutch, French, German, Italian,
 * Japanese, Norwegian, Polish, Portuguese, Russian, Spanish, Swedish. Some languages have a word for one message and
 * one for many, and have changed between them. From the interface of Gmail and from exports that people have reported.
 */
const LOCAL_NAMES: Readonly<Record<string, readonly string[]>> = {
  Inbox: [
    ...["safata d'entrada", "doručené", "doručená pošta", "indbakke", "postvak in", "boîte de réception"],
    ...["posteingang", "posta in arrivo", "受信トレイ", "innboks", "odebrane", "caixa de entrada", "входящие"],
    ...["recibidos", "bandeja de entrada", "inkorgen"],
  ],
  Sent: [
    ...["enviats", "odeslané", "odesláno", "odeslaná pošta", "sendt", "sendte", "verzonden", "envoyé", "envoyés"],
    ...["messages envoyés", "gesendet", "posta inviata", "inviati", "送信済み", "送信済みメール", "wysłane"],
    ...["enviado", "enviados", "enviadas", "отправленные", "skickat", "skickade"],
  ],
  Draft: [
    ...["drafts", "esborranys", "koncept", "koncepty", "kladde", "kladder", "concepten", "brouillon", "brouillons"],
    ...["entwurf", "entwürfe", "bozza", "bozze", "下書き", "utkast", "wersje robocze", "rascunho", "rascunhos"],
    ...["черновик", "черновики", "borrador", "borradores"],
  ],
  Spam: ["correu brossa", "ongewenste e-mail", "迷惑メール", "søppelpost", "спам", "skräppost"],
  Trash: [
    ...["paperera", "koš", "papirkurv", "prullenbak", "corbeille", "papierkorb", "cestino", "ゴミ箱", "kosz"],
    ...["lixeira", "lixo", "корзина", "papelera", "papperskorgen"],
  ],
  Chat: ["chats", "xat", "xats"],
  Opened: [
    ...["obert", "oberts", "otevřené", "otevřeno", "åbnet", "åbnede", "geopend", "ouvert", "ouverts", "geöffnet"],
    ...["aperto", "aperti", "開封済み", "åpnet", "otwarte", "aberto", "abertos", "abertas", "открытые", "открыто"],
    ...["abierto", "abiertos", "öppnat", "öppnade", "öppnad"],
  ],
  Unread: [
    ...["no llegit", "no llegits", "nepřečtené", "nepřečteno", "ulæst", "ulæste", "ongelezen", "non lu", "non lus"],
    ...["ungelesen", "da leggere", "non letto", "non letti", "未読", "ulest", "uleste", "nieprzeczytane"],
    ...["não lido", "não lidos", "não lida", "não lidas", "непрочитанные", "no leído", "no leídos", "oläst", "olästa"],
  ],
  Important: [
    ...["importants", "důležité", "vigtig", "vigtigt", "vigtige", "belangrijk", "wichtig", "importante", "importanti"],
    ...["重要", "viktig", "viktige", "ważne", "importantes", "важное", "важные", "viktigt"],
  ],
  Starred: [
    ...["destacat", "destacats", "s hvězdičkou", "stjernemarkeret", "met ster", "suivi", "suivis", "favoris"],
    ...["markiert", "speciale", "speciali", "スター付き", "stjernemerket", "oznaczone gwiazdką", "com estrela"],
    ...["помеченные", "destacado", "destacados", "stjärnmärkt", "stjärnmärkta"],
  ],
  Archived: [
    ...["arxivat", "arxivats", "archivováno", "archivované", "arkiveret", "gearchiveerd", "archivé", "archivés"],
    ...["messages archivés", "archiviert", "archiviato", "archiviati", "archiviata", "アーカイブ済み", "arkivert"],
    ...["zarchiwizowane", "arquivado", "arquivados", "arquivadas", "архивированные", "archivado", "archivados"],
    ...["arkiverat", "arkiverade"],
  ],
};

const SYSTEM_LABELS: ReadonlyMap<string, string> = new Map(
  Object.entries(LOCAL_NAMES).flatMap(([label, names]) =>
    [label.toLowerCase(), ...names].map((name) => [name, label] as const),
  ),
);

/** A label of Gmail's own under its English name, whatever the language of the account; any other as it is. */
export function englishLabel(label: string): string {
  return SYSTEM_LABELS.get(label.normalize("NFC").toLowerCase()) ?? label;
}
