import { HIGH_CONTROLS } from "./windows-1252.ts";

/** Unicode characters of the codes of a font, from 0x20 on; NUL if a code has none. */
export type SymbolFont = readonly string[];

const FIRST_CODE = 0x20;

/**
 * Characters by font, from the Unicode proposals that encoded them (L2/11-052 and L2/12-368). Arrows, bullets and check
 * marks are their common forms, which most fonts have.
 */
const CHARACTERS_BY_FONT: Readonly<Record<string, string>> = {
  wingdings:
    " 🖉✂✁👓🕭🕮🕯🕿✆🖂🖃📪📫📬📭🗀🗁🗎🗏🗐🗄⌛🖮🖰🖲🖳🖴🖫🖬✇✍" +
    "🖎✌🖏👍👎☜☞☝☟🖐☺😐☹💣🕱🏳🏱✈☼🌢❄🕆✞🕈✠✡☪☯🕉☸♈♉" +
    "♊♋♌♍♎♏♐♑♒♓🙰🙵●❍■□❐❑❒⬧⧫◆❖⬥⌧⮹⌘🏵🏶🙶🙷▯" +
    "🄋➀➁➂➃➄➅➆➇➈➉🄌➊➋➌➍➎➏➐➑➒➓🙢🙠🙡🙣🙞🙜🙝🙟∙•" +
    "⬝○🞆🞈◉◎❍▪◻🟁🟅★🟋🟏🟓🟑⯐⌖⯎⯏⯑✪✰🕐🕑🕒🕓🕔🕕🕖🕗🕘" +
    "🕙🕚🕛⮰⮱⮲⮳⮴⮵⮶⮷🙪🙫🙕🙔🙗🙖🙐🙑🙒🙓⌫⌦⮘➢⮙⮛⮈⮊⮉⮋←" +
    "→↑↓↖↗↙↘⬅➔⬆⬇🡼🡽🡿🡾⇦⇨⇧⇩⬄⇳⬁⬀⬃⬂🢬🢭✗✓☒☑",
  "wingdings 2":
    " 🖊🖋🖌🖍✄✀🕾🕽🗅🗆🗇🗈🗉🗊🗋🗌🗍📋🗑🗔🖵🖶🖷🖸🖭🖯🖱🖒🖓🖘🖙" +
    "🖚🖛👈👉🖜🖝🖞🖟🖠🖡👆👇🖢🖣🖑✗✓🗵☑⮽☒⮾⮿🛇⦸🙱🙴🙲🙳‽🙹🙺" +
    "🙻🙦🙤🙥🙧🙚🙘🙙🙛⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿\0" +
    "☉🌕☽☾⸿✝🕇🕜🕝🕞🕟🕠🕡🕢🕣🕤🕥🕦🕧🙨🙩⋅🞄⦁●○🞅🞇🞉⊙⦿🞌" +
    "🞍◾■□🞑🞒🞓🞔▣🞕🞖🞗🞘⬩⬥◇🞚◈🞛🞜🞝🞞⬪⬧◊🞠◖◗⯊⯋⯀⯁" +
    "⬟⯂⬣⬢⯃⯄🞡🞢🞣🞤🞥🞦🞧🞨🞩🞪🞫🞬🞭🞮🞯🞰🞱🞲🞳🞴🞵🞶🞷🞸🞹🞺" +
    "🞻🞼🞽🞾🞿🟀🟂🟄🟆🟉🟊✶🟌🟎🟐🟒✹🟃🟇✯🟍🟔⯌⯍※⁂",
  "wingdings 3":
    " ⭠⭢⭡⭣⭦⭧⭩⭨⭰⭲⭱⭳⭶⭸⭻⭽⭤⭥⭪⭬⭫⭭⭍⮠⮡⮢⮣⮤⮥⮦⮧" +
    "⮐⮑⮒⮓⮀⮃⭾⭿⮄⮆⮅⮇⮏⮍⮎⮌⭮⭯⎋⌤⌃⌥␣⍽⇪⮸🢠🢡🢢🢣🢤🢥" +
    "🢦🢧🢨🢩🢪🢫←→↑↓↖↗↙↘🡘🡙▲▼△▽◀▶◁▷◣◢◤◥🞀🞂🞁\0" +
    "🞃⯅⯆⯇⯈⮜⮞⮝⮟🠐🠒🠑🠓🠔🠖🠕🠗🠘🠚🠙🠛🠜🠞🠝🠟🠀🠂🠁🠃🠄🠆🠅" +
    "🠇🠈🠊🠉🠋🠠🠢🠤🠦🠨🠪🠬🢜🢝🢞🢟🠮🠰🠲🠴🠶🠸🠺🠹🠻🢘🢚🢙🢛🠼🠾🠽" +
    "🠿🡀🡂🡁🡃🡄🡆🡅🡇⮨⮩⮪⮫⮬⮭⮮⮯🡠🡢🡡🡣🡤🡥🡧🡦🡰🡲🡱🡳🡴🡵🡷" +
    "🡶🢀🢂🢁🢃🢄🢅🢇🢆🢐🢒🢑🢓🢔🢖🢕🢗",
  webdings:
    " 🕷🕸🕲🕶🏆🎖🖇🗨🗩🗰🗱🌶🎗🙾🙼🗕🗖🗗⏴⏵⏶⏷⏪⏩⏮⏭⏸⏹⏺🗚🗳" +
    "🛠🏗🏘🏙🏚🏜🏭🏛🏠🏖🏝🛣🔍🏔👁👂🏞🏕🛤🏟🛳🕬🕫🕨🔈🎔🎕🗬🙽🗭🗪🗫" +
    "⮔✔🚲⬜🛡📦🛱⬛🚑🛈🛩🛰🟈🕴⬤🛥🚔🗘🗙❓🛲🚇🚍⛳⦸⊖🚭🗮⏐🗯🗲\0" +
    "🚹🚺🛉🛊🚼👽🏋⛷🏂🏌🏊🏄🏍🏎🚘🗠🛢💰🏷💳👪🗡🗢🗣✯🖄🖅🖃🖆🖹🖺🖻" +
    "🕵🕰🖽🖾📋🗒🗓🕮📚🗞🗟🗃🗂🖼🎭🎜🎘🎙🎧💿🎞📷🎟🎬📽📹📾📻🎚🎛📺💻" +
    "🖥🖦🖧🕹🎮🕻🕼📟🖁🖀🖨🖩🖿🖪🗜🔒🔓🗝📥📤🕳🌣🌤🌥🌦☁🌨🌧🌩🌪🌬🌫" +
    "🌜🌡🛋🛏🍽🍸🛎🛍Ⓟ♿🛆🖈🎓🗤🗥🗦🗧🛪🐿🐦🐟🐕🐈🙬🙮🙭🙯🗺🌍🌏🌎🕊",
  symbol:
    " !∀#∃%&∍()*+,−./0123456789:;<=>?" +
    "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_" +
    "‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}~\0" +
    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" +
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵" +
    "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓" +
    "◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
};
const FONTS: ReadonlyMap<string, SymbolFont> = new Map(
  Object.entries(CHARACTERS_BY_FONT).map(([name, characters]) => [name, [...characters]]),
);

/** The symbols of a font by its name; null for a font of letters. */
export function symbolFontOf(name: string): SymbolFont | null {
  return FONTS.get(name.trim().toLowerCase()) ?? null;
}

/** True if a text may name a symbol font. */
export function namesSymbolFont(text: string): boolean {
  return /wingdings|webdings|symbol/i.test(text);
}

/**
 * Codes of a font: as bytes, as windows-1252, and in the private use area from U+F020 to U+F0FF. A no-break space is
 * a space in every font.
 */
const CODED = /[\x20-\x7e\xa1-\xff\uf020-\uf0ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/g;
/** First code of the private use area that stands for a byte. */
const PRIVATE_USE = 0xf000;

/** Text in a symbol font as it is shown. Characters that the font lacks stay. */
export function symbolText(text: string, font: SymbolFont): string {
  return text.replace(CODED, (letter) => {
    const symbol = font[codeOf(letter) - FIRST_CODE] ?? "\0";
    return symbol === "\0" ? letter : symbol;
  });
}

function codeOf(letter: string): number {
  const unit = letter.charCodeAt(0);
  if (unit <= 0xff) return unit;
  return unit >= PRIVATE_USE ? unit - PRIVATE_USE : 0x80 + HIGH_CONTROLS.indexOf(letter);
}
