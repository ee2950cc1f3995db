/**
 * Names of the months as mail programs write them into quoted headers, by month, in lower case; short forms without
 * their point.
 */
const NAMES_BY_MONTH: readonly string[] = [
  "ene enero gen gennaio ian ianuarie jan janeiro januar januari january január januára janv janvier led leden ledna oca " +
    "ocak sty styczeń stycznia tammi tammik tammikuu tammikuuta ιαν ιανουαρίου січ січень січня янв январь января",
  "feb febbraio febr febrero februar februari februarie february február februára fev fevereiro févr février helmi helmik helmikuu " +
    "helmikuuta lut lutego luty úno únor února şub şubat φεβ φεβρουαρίου лют лютий лютого февр февраль февраля",
  "bře březen března maalis maalisk maaliskuu maaliskuuta maart mar marca march marec mars mart martie marts marzec marzo março mrt " +
    "márc március mär märz mrz μαρ μαρτίου бер березень березня мар март марта",
  "abr abril apr april aprile aprilie apríl apríla avr avril dub duben dubna huhti huhtik huhtikuu huhtikuuta kwi kwiecień " +
    "kwietnia nis nisan ápr április απρ απριλίου апр апрель апреля квіт квітень квітня",
  "kvě květen května mag maggio mai maio maj maja may mayo mayıs mei máj mája május touko toukok toukokuu toukokuuta μαΐ μαΐου май " +
    "мая трав травень травня",
  "cze czerwca czerwiec giu giugno haz haziran iun iunie juin jun june junho juni junio jún júna június kesä kesäk kesäkuu " +
    "kesäkuuta červen června čvn ιουν ιουνίου июн июнь июня черв червень червня",
  "heinä heinäk heinäkuu heinäkuuta iul iulie juil juillet jul julho juli julio july júl júla július lip lipca lipiec lug luglio " +
    "tem temmuz července červenec čvc ιουλ ιουλίου июл июль июля лип липень липня",
  "ago agosto août aug august augusta augusti augustus augusztus ağu ağustos elo elok elokuu elokuuta sie sierpień sierpnia srp " +
    "srpen srpna αυγ αυγούστου авг август августа серп серпень серпня",
  "eyl eylül sep sept september septembra septembre septembrie septiembre set setembro settembre syys syysk syyskuu syyskuuta " +
    "szept szeptember wrz wrzesień września zář září σεπ σεπτεμβρίου вер вересень вересня сент сентябрь сентября",
  "eki ekim loka lokak lokakuu lokakuuta oct october octobre octombrie octubre okt oktober október októbra ott ottobre out " +
    "outubro paź październik października říj říjen října οκτ οκτωβρίου жовт жовтень жовтня окт октябрь октября",
  "kas kasım lis listopad listopada listopadu marras marrask marraskuu marraskuuta noiembrie nov november novembra novembre " +
    "novembro noviembre νοε νοεμβρίου лист листопад листопада нояб ноябрь ноября",
  "ara aralık dec december decembra decembrie des desember dez dezember dezembro dic dicembre diciembre déc décembre gru " +
    "grudnia grudzień joulu jouluk joulukuu joulukuuta pro prosince prosinec δεκ δεκεμβρίου груд грудень грудня дек декабрь декабря",
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
