/**
 * Given names with their short forms and spelling variants. A short form may belong to several names (`chris`:
 * Christopher, Christine); two given names match if they may be the same.
 */
const SHORT_NAMES =
  "abby=abigail al=albert,alan,alfred,allen,alexander alex=alexander,alexandra,alexis andy=andrew,andreas " +
  "angie=angela ann=anne art=arthur barb=barbara becky=rebecca ben=benjamin bernie=bernard " +
  "bert=albert,robert,herbert beth=elizabeth bev=beverly bill=william billy=william bob=robert bobby=robert " +
  "brad=bradley,bradford cathy=catherine,katherine,kathleen charlie=charles,charlotte " +
  "chris=christopher,christine,christina,christian,christiane chuck=charles cindy=cynthia cliff=clifford " +
  "dan=daniel danny=daniel dave=david deb=deborah,debra debbie=deborah,debra debra=deborah dick=richard " +
  "don=donald doug=douglas drew=andrew ed=edward,edwin,edmund eddie=edward,edwin erik=eric fran=frances,francis " +
  "frank=francis,franklin fred=frederick,alfred gene=eugene geoffrey=jeffrey geoff=geoffrey,jeffrey " +
  "gerry=gerald,gerard ginger=virginia greg=gregory gus=august,augustus hal=harold hank=henry harry=harold,henry " +
  "jack=john jan=janet,janice,johannes jeff=jeffrey,geoffrey jeffery=jeffrey jen=jennifer jenny=jennifer " +
  "jerry=gerald,jerome,jeremy jim=james jimmy=james joe=joseph johnny=john jon=jonathan,john josh=joshua " +
  "judy=judith kate=katherine,catherine kathryn=katherine,catherine kathy=katherine,catherine,kathleen " +
  "katie=katherine,catherine ken=kenneth kenny=kenneth kim=kimberly kris=kristin,kristina,christopher " +
  "larry=lawrence,laurence laurence=lawrence len=leonard liz=elizabeth lou=louis,louise maggie=margaret marc=mark " +
  "marty=martin matt=matthew max=maxwell,maximilian meg=margaret mel=melvin,melissa,melanie michele=michelle " +
  "mick=michael mike=michael mitch=mitchell nate=nathan,nathaniel ned=edward nick=nicholas,nicolas " +
  "nicolas=nicholas pam=pamela pat=patrick,patricia patty=patricia peg=margaret peggy=margaret pete=peter " +
  "phil=phillip,philip philip=phillip ray=raymond rich=richard richie=richard rick=richard rob=robert " +
  "robbie=robert ron=ronald ronnie=ronald,veronica rosie=rosalee,rose,rosemary rudy=rudolph,rudolf russ=russell " +
  "sam=samuel,samantha sandy=sandra,alexander sara=sarah scot=scott stan=stanley stephen=steven " +
  "steve=steven,stephen stu=stuart sue=susan,suzanne suzie=susan,suzanne ted=edward,theodore " +
  "terry=terence,terrence,theresa theresa=teresa tim=timothy tina=christina,christine tom=thomas " +
  "tony=anthony,antonio tori=victoria tracey=tracy val=valerie vicki=victoria vicky=victoria vince=vincent " +
  "walt=walter wes=wesley will=william zach=zachary";

const FULL_NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  SHORT_NAMES.split(" ").map((row) => {
    const names = row.split(/[=,]/);
    return [names[0]!, names];
  }),
);

/** Every name that a given name may represent, itself first. @param given folded (lower-case letters) */
export function fullGivenNames(given: string): readonly string[] {
  return FULL_NAMES.get(given) ?? [given];
}

/** Short forms by each full name that they may represent. */
const SHORT_FORMS: ReadonlyMap<string, readonly string[]> = shortForms();

function shortForms(): Map<string, string[]> {
  const forms = new Map<string, string[]>();
  for (const [short, full] of FULL_NAMES)
    for (const name of full) {
      const known = forms.get(name);
      if (known === undefined) forms.set(name, [short]);
      else known.push(short);
    }
  return forms;
}

/** Short forms of a given name. @param given folded */
export function shortGivenNames(given: string): readonly string[] {
  return (SHORT_FORMS.get(given) ?? NO_NAMES).filter((form) => form !== given);
}

const NO_NAMES: readonly string[] = [];

/** Every name that may belong to the same person, including the given one. @param given folded */
export function equivalentGivenNames(given: string): readonly string[] {
  const full = fullGivenNames(given);
  return [...full, ...full.flatMap((name) => SHORT_FORMS.get(name) ?? [])];
}

const GIVEN_NAMES: ReadonlySet<string> = new Set([...FULL_NAMES].flatMap(([short, full]) => [short, ...full]));

/** True for a word of the table: a common given name or a short form of one. */
export function isKnownGivenName(word: string): boolean {
  return GIVEN_NAMES.has(word);
}
