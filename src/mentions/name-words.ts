import { wordSet } from "../mail/words/word-table.ts";

/** Between the words of a given or family name. No-break space: names are pairs of words. */
export const JOINED = "\u00a0";

/** Titles before the names of people. */
export const TITLES = wordSet("Mr Mrs Ms Dr Prof Herr Frau");

/** Capitalized words that do not begin or end a name. */
export const NOT_NAMES = wordSet(
  "Mr Mrs Ms Dr Prof Herr Frau " +
    "The This That These Those There Then They And But For From With Without Not Now New Please Thanks Thank Dear Hello Hi Hey " +
    "Regards Sincerely Cheers Best Kind Yours Re Fw Fwd To Cc Bcc Subject Sent Date On In At By Of Or If As Is It Its We Our " +
    "You Your He She His Her My Me All Any Some No Yes What When Where Who Why How Will Would Can Could Should Shall May Also " +
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April June July August September " +
    "October November December Mon Tue Wed Thu Fri Sat Sun Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec " +
    "North South East West Northern Southern Eastern Western Central Street Avenue Road Drive Suite Floor Room Building " +
    "Inc Corp Corporation Company Co Ltd Limited Llc Group Bank Center Centre University College School Department Office " +
    "Commission Board Committee Council Association Institute Services Service Energy Power Gas Electric Oil Pipeline " +
    "International National American United States State County City Texas California Call Ask Tell See Meet Contact " +
    "President Director Manager Chairman Chief Senior Vice Executive Officer Senator Governor Judge Commissioner Secretary " +
    "Attached Fax Phone Tel Cell Mobile Email Mail Web Page Press Release News Report Park Hotel House Club Church Hall " +
    "Day Week Month Year Today Tomorrow Yesterday Happy Merry Good Great Microsoft Windows Word Excel Internet",
);
/** Given names that are also other words: contacts decide. */
export const GIVEN_NAMES_AND_WORDS = wordSet("Jan April May June August Will");
/** Words after a name that make it the name of something else. */
export const NAMED_AFTER = wordSet(
  "Inc Corp Corporation Company Co Ltd Limited Llc Group Bank Center Centre University College School Foundation Street " +
    "Avenue Road Drive Park Hotel House Hall Museum Institute Associates Partners Award Prize Building Stadium Field Hospital " +
    "Library Church Energy Power Report Act Plan Gallery Theater Theatre Memorial Ranch Farm Winery Vineyards Restaurant Cup " +
    "Bowl Fund Trust Elementary Airport County Law Boulevard Lane Court Plaza Tower Trophy Show",
);

/** Words that begin a family name: `Van Horn`, `St. Clair`, `De La Cruz`. */
export const PARTICLES = wordSet("Van Von De Der Del Della Di Da Dos La Le Du Ten Ter St Saint Mac");
/** Words before a name that do not make it longer. */
export const ARTICLES = wordSet("The A An");
/** Given names that often precede another given name: `Mary Ann` is not a full name. */
export const DOUBLED = wordSet("Mary Anna Anne Ann Billy Bobby Jean Juan Lou Sue");
/** Words after a given name that are not a family name: parts of longer names, places, teams, products and events. */
export const NEVER_FAMILY = wordSet(
  "Qaeda Qaida Jazeera Town Actives Reserves Vacation Rubbed Forgot Pay Payment Payments Crude Return Returns Update Updates Lecture Lectures Well Properties " +
    "Van Von De Der Del Della Di Da La Le El St Mac Mc Bin Jr Sr And Or Of The " +
    "Hub River Lake Bay Beach Island Creek Springs Falls Valley Hills Hill Mountain Ridge Canyon County Square Bridge Station Basin " +
    "Fair Festival Open Classic Tournament Expo Summit Conference Day Days Week Night Show Tour Series Live Bowl Cup Prize Medal " +
    "Society Foundation Fund Trust Brothers Bros Sons Press Books Magazine Times Journal Post Tribune Herald Gazette Chronicle " +
    "Products Foods Motors Airlines Securities Investments Consulting Systems Software Technologies Tech Media Music Records Studio " +
    "Team Crew Band Estate Plaza Apartments Condominiums Realty Homes Jewelers Winery Wines Cellars Brewing",
);

/** True for `A.`. */
export const isInitial = (word: string): boolean => word.length === 1 || word.endsWith(".");
/** True for a word that a name may have. */
export const isName = (word: string): boolean => word.length > 1 && !isInitial(word) && !NOT_NAMES.has(word);
