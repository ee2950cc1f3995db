/** Languages whose function words are counted, ISO 639-1; eight, one per bit of a byte. */
export const WORD_LANGUAGES: readonly string[] = ["en", "de", "fr", "es", "it", "nl", "pt", "ca"];

/** Counted so that its texts are not mistaken for Spanish or French; n-grams confirm it. */
export const RELATIVES: ReadonlySet<string> = new Set(["ca"]);

/** A word is one number with five bits per letter, so that counting needs no strings. */
export const WORD_RADIX = 32;
export const LETTER_BITS = 31;
export const MAX_FUNCTION_WORD_LENGTH = 6;

/**
 * Frequent words of two to six ASCII letters. A word of several languages is listed for each and does not distinguish
 * them.
 */
const WORDS: Readonly<Record<string, string>> = {
  en:
    "the of and to in is that for you it with on are this be we have will your from at as if not can please any but was would has our all do my by or an so me " +
    "am us up out what about just know let get there need when they he she his her been could should which their more thanks were who its also call now new see",
  de:
    "der die das und ist nicht ich sie mit auf ein eine einen den dem des von zu wir es haben hat wird auch im am als bei nach aus wie noch sind oder nur kann wenn " +
    "uns ihr ihre mir bitte zum zur dass habe wurde werden so um war aber durch schon",
  fr: "le la les des et est une un dans pour pas que qui sur vous nous je ce avec au du il en plus par votre sont cette de se ne elle mais ou on ai mon notre bien merci aux",
  es: "el los las que en una un con para se lo del pero como por la es su sus de no al le me muy este esta ya si nos son fue mi hay todo cuando desde sobre usted tiene",
  it: "il di che la per non un una sono con del della si ho mi anche le da al nel alla gli dei ha lo ci come ma questo questa se in delle essere stato vi tutti molto dal",
  nl: "het een van en de is niet dat op te voor zijn met ik je die wordt aan er ook als bij naar of maar heeft om dan uit nog hebben we wij deze wat door kan over hij in",
  pt: "os as que um uma para com por mais se na no do da em dos ao das foi de ou como mas seu sua ele ela meu isso nos pelo pela muito nas este esta voc ser eu tem",
  ca: "el la els les de del dels que un una per amb no es al als en hi ha si com aquest o seu seva som molt ens us ja tot per aquesta fer ser sense",
};

/** Slots of the table: an eighth is used, so that nearly every other word is rejected by the first lookup. */
const SLOTS = 1 << 12;

/** Words by number, and their languages as a set of bits in the order of WORD_LANGUAGES. */
export class FunctionWords {
  private readonly words = new Int32Array(SLOTS);
  private readonly languages = new Uint8Array(SLOTS);

  constructor() {
    for (const [at, language] of WORD_LANGUAGES.entries()) {
      for (const word of (WORDS[language] ?? "").split(" ")) {
        const number = wordNumber(word);
        const slot = this.slotOf(number);
        this.words[slot] = number;
        this.languages[slot] = this.languages[slot]! | (1 << at);
      }
    }
  }

  /** The languages of a word; 0 if it is not a function word. */
  languagesOf(number: number): number {
    return this.languages[this.slotOf(number)]!;
  }

  private slotOf(number: number): number {
    let slot = (number ^ (number >>> 12)) % SLOTS;
    while (this.words[slot] !== 0 && this.words[slot] !== number) slot = (slot + 1) % SLOTS;
    return slot;
  }
}

function wordNumber(word: string): number {
  let number = 0;
  for (let at = 0; at < word.length; at++) number = number * WORD_RADIX + (word.charCodeAt(at) & LETTER_BITS);
  return number;
}
