/**
 * Month names as mail programs write them in quoted headers, by month, in lower case; abbreviations without a period.
 */
const NAMES_BY_MONTH: readonly string[] = [
  "ene enero gen gennaio ian ianuarie jan janeiro januar januari january január januára janv janvier led leden " +
    "ledna oca ocak sty styczeń stycznia tammi tammik tammikuu tammikuuta ιαν ιανουαρίου січ січень січня янв январь " +
    "января gener jaan jaanuar janvāris janvārī saus sausio sij siječnja јан јануар јануара яну януари ינו ינואר " +
    "يناير ม.ค มกราคม 一月",
  "feb febbraio febr febrero februar februari februarie february február februára fev fevereiro févr février helmi " +
    "helmik helmikuu helmikuuta lut lutego luty úno únor února şub şubat φεβ φεβρουαρίου лют лютий лютого февр " +
    "февраль февраля veebr veebruar febrer februāris februārī vasario velj veljače феб фебруар фебруара фев " +
    "февруари פבר פברואר فبراير شباط ก.พ กุมภาพันธ์ 二月",
  "bře březen března maalis maalisk maaliskuu maaliskuuta maart mar marca march marec mars mart martie marts marzec " +
    "marzo março mrt márc március mär märz mrz μαρ μαρτίου бер березень березня мар март марта març märts maret martā " +
    "kov kovo ožu ožujka מרץ מרס مارس آذار มี.ค มีนาคม 三月",
  "abr abril apr april aprile aprilie apríl apríla avr avril dub duben dubna huhti huhtik huhtikuu huhtikuuta kwi " +
    "kwiecień kwietnia nis nisan ápr április απρ απριλίου апр апрель апреля квіт квітень квітня aprill aprīlis aprīlī " +
    "balandžio tra travnja април априла אפר אפריל أبريل ابريل إبريل نيسان เม.ย เมษายน 四月",
  "kvě květen května mag maggio mai maio maj maja may mayo mayıs mei máj mája május touko toukok toukokuu " +
    "toukokuuta μαΐ μαΐου май мая трав травень травня maig maijs maijā geg gegužės svi svibnja мај маја מאי مايو أيار " +
    "พ.ค พฤษภาคม 五月",
  "cze czerwca czerwiec giu giugno haz haziran iun iunie juin jun june junho juni junio jún júna június kesä kesäk " +
    "kesäkuu kesäkuuta červen června čvn ιουν ιουνίου июн июнь июня черв червень червня juny juuni jūn jūnijs jūnijā " +
    "junij junija birž birželio lipnja јун јуна юни יונ יוני يونيو حزيران มิ.ย มิถุนายน 六月",
  "heinä heinäk heinäkuu heinäkuuta iul iulie juil juillet jul julho juli julio july júl júla július lip lipca " +
    "lipiec lug luglio tem temmuz července červenec čvc ιουλ ιουλίου июл июль июля лип липень липня juliol juuli jūl " +
    "jūlijs jūlijā julij julija liep liepos јул јула юли יול יולי يوليو تموز ก.ค กรกฎาคม 七月",
  "ago agosto août aug august augusta augusti augustus augusztus ağu ağustos elo elok elokuu elokuuta sie sierpień " +
    "sierpnia srp srpen srpna αυγ αυγούστου авг август августа серп серпень серпня agost agt agu agustus augusts " +
    "augustā kol avg avgust avgusta rugp rugpjūčio kolovoza אוג אוגוסט أغسطس اغسطس آب ส.ค สิงหาคม 八月",
  "eyl eylül sep sept september septembra septembre septembrie septiembre set setembro settembre syys syysk syyskuu " +
    "syyskuuta szept szeptember wrz wrzesień września zář září σεπ σεπτεμβρίου вер вересень вересня сент сентябрь " +
    "сентября setembre septembris septembrī rugs rugsėjo ruj rujna сеп септембар септембра септември ספט ספטמבר " +
    "سبتمبر أيلول ก.ย กันยายน 九月",
  "eki ekim loka lokak lokakuu lokakuuta oct october octobre octombrie octubre okt oktober október októbra ott " +
    "ottobre out outubro paź październik października říj říjen října οκτ οκτωβρίου жовт жовтень жовтня окт октябрь " +
    "октября oktoober oktobris oktobrī spal spalio октобар октобра октомври אוק אוקטובר أكتوبر اكتوبر ต.ค ตุลาคม 十月",
  "kas kasım lis listopad listopada listopadu marras marrask marraskuu marraskuuta noiembrie nov november novembra " +
    "novembre novembro noviembre νοε νοεμβρίου лист листопад листопада нояб ноябрь ноября novembris novembrī lapkr " +
    "lapkričio stu studenoga нов новембар новембра ное ноември נוב נובמבר نوفمبر พ.ย พฤศจิกายน 十一月",
  "ara aralık dec december decembra decembrie des desember dez dezember dezembro dic dicembre diciembre déc " +
    "décembre gru grudnia grudzień joulu jouluk joulukuu joulukuuta pro prosince prosinec δεκ δεκεμβρίου груд грудень " +
    "грудня дек декабрь декабря desembre dets detsember decembris decembrī gruod gruodžio дец децембар децембра " +
    "декември דצמ דצמבר ديسمبر ธ.ค ธันวาคม 十二月",
];

const MONTHS: ReadonlyMap<string, number> = new Map(
  NAMES_BY_MONTH.flatMap((names, at) => names.split(" ").map((name): readonly [string, number] => [name, at + 1])),
);

/**
 * Number of a month by a name or short name in any of the languages of mail programs, 0 for other words. @param word
 * lower case.
 */
export function monthNumber(word: string): number {
  return MONTHS.get(word) ?? 0;
}
