import stopWordsByLanguage from "stopwords-iso/stopwords-iso.json" with { type: "json" };
import { WordNumbers } from "../text/tokens/word-numbers.ts";

/**
 * Words that mail programs and courtesy put into every message, in the languages of the lists; also dates and times of
 * day.
 */
const MAIL_WORDS =
  "re fw fwd aw wg sv tr subject line lines writes wrote thank thanks regard regards original message messages mail mails email emails forwarded forward forwarding " +
  "sent send sending reply replied cc bcc mailto http https www com net org html htm asp attached attachment attachments attach enclosed fyi please pls plz " +
  "hello dear sincerely cheers best hope let know call called phone fax tel cell mobile office pager voicemail voice address number numbers contact question questions " +
  "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun january february march april may june july august " +
  "september october november december jan feb mar apr jun jul aug sep sept oct nov dec today tomorrow yesterday morning afternoon evening night tonight day days week " +
  "weeks weekend month months year years hour hours minute minutes time times date dates noon pst pdt cst cdt est edt gmt utc " +
  "click unsubscribe subscribe copy copyright reserved image images file files page pages font size color style width height border table align valign cellpadding " +
  "cellspacing bgcolor src href nbsp img colspan rowspan bordercolor topmargin leftmargin marginheight marginwidth vlink alink ffffff serif mime charset encoding esmtp smtp arial helvetica verdana class title body div span " +
  "receive received review send note list information info following follow forwarded doc xls pdf ppt sorry glad happy love dad mom guy guys folks stuff lot bit " +
  "yeah yep okay wanna gonna didnt dont cant wont doesnt isnt thats whats ill ive youre via per etc asap " +
  "spoke talk talked talking told meet discuss discussed discussion feel free add added set start started understand sound check checked sure idea ask asked " +
  "confidential privileged intended recipient recipients dissemination unauthorized disclosure unlawful sender notify delete destroy prohibited conveyed viewing respond " +
  "mtg conf hey fine avg couple forgot chance inline final named total change changes cancel plan trip";

/** Languages with a plural -s, which the light stemmer removes. */
const PLURAL_S: ReadonlySet<string> = new Set(["en", "fr", "es", "pt", "ca"]);

/** Properties of a language for the tokenizer. */
export interface TopicLanguage {
  readonly stopWords: WordNumbers;
  readonly hasPluralS: boolean;
}

const STOP_WORDS: Readonly<Record<string, readonly string[]>> = stopWordsByLanguage;

/** Stop words of languages, loaded with the first text of a language. */
export class TopicLanguages {
  private readonly known = new Map<string | null, TopicLanguage>();

  /**
   * @param language ISO 639-1; null counts as English, because short mail in any language is full of English mail
   * words.
   */
  of(language: string | null): TopicLanguage {
    let found = this.known.get(language);
    if (found === undefined) this.known.set(language, (found = buildLanguage(language ?? "en")));
    return found;
  }
}

function buildLanguage(asked: string): TopicLanguage {
  const language = Object.hasOwn(STOP_WORDS, asked) ? asked : "en";
  const words = new Set([...(STOP_WORDS[language] ?? []), ...(STOP_WORDS.en ?? []), ...MAIL_WORDS.split(" ")]);
  return { stopWords: new WordNumbers([...words]), hasPluralS: PLURAL_S.has(language) };
}
