import type { MailProgramName } from "./draft.ts";

/**
 * The people of Halvorsen & Pike, a maker of weather buoys, and those they write to. All of them, their companies and
 * their domains are invented; every domain ends in `.example` (RFC 2606) and every telephone number lies in a range
 * kept for fiction.
 */
export interface Person {
  readonly key: string;
  readonly first: string;
  readonly last: string;
  readonly email: string;
  /** Other addresses of the same person: at home, from before the merger, as Exchange writes them. */
  readonly otherEmails: readonly string[];
  readonly role: string;
  readonly company: string;
  readonly phone: string;
  readonly program: MailProgramName;
  /** Offset from UTC in winter, in hours; Europeans add one from April to October. */
  readonly zone: number;
}

const HP = "Halvorsen & Pike";

/** Legacy address of a mailbox on the old Exchange server, as exports carry it in place of an SMTP address. */
const x500 = (name: string) => `/O=HALVORSEN PIKE/OU=EUROPE/CN=RECIPIENTS/CN=${name}`;

type Row = readonly [
  key: string,
  first: string,
  last: string,
  role: string,
  company: string,
  email: string,
  program: MailProgramName,
  zone: number,
  otherEmails: readonly string[],
];

const ROWS: readonly Row[] = [
  [
    "greta",
    "Greta",
    "Halvorsen",
    "Managing Director",
    HP,
    "greta.halvorsen@halvorsen-pike.example",
    "outlook",
    1,
    ["greta@halvorsen-family.example", x500("GHALVORS")],
  ],
  [
    "tomas",
    "Tomás",
    "Reyes",
    "Head of Engineering",
    HP,
    "tomas.reyes@halvorsen-pike.example",
    "thunderbird",
    1,
    ["treyes@homemail.example", "tomas@pikemarine.example", x500("TREYES")],
  ],
  [
    "office",
    "Ingrid",
    "Solberg",
    "Office Manager",
    HP,
    "office@halvorsen-pike.example",
    "outlook",
    1,
    ["ingrid.solberg@halvorsen-pike.example"],
  ],
  [
    "priya",
    "Priya",
    "Nair",
    "Firmware Engineer",
    HP,
    "priya.nair@halvorsen-pike.example",
    "mutt",
    1,
    ["priya@nairhome.example"],
  ],
  [
    "jonas",
    "Jonas",
    "Lindqvist",
    "Mechanical Engineer",
    HP,
    "jonas.lindqvist@halvorsen-pike.example",
    "appleMail",
    1,
    ["jonas.lindqvist@pikemarine.example"],
  ],
  ["wendy", "Wendy", "Okafor", "Finance", HP, "wendy.okafor@halvorsen-pike.example", "outlook", 0, [x500("WOKAFOR")]],
  [
    "pike",
    "Desmond",
    "Pike",
    "Sales Director",
    HP,
    "desmond.pike@halvorsen-pike.example",
    "lotusNotes",
    0,
    ["dpike@pikemarine.example"],
  ],
  ["aiko", "Aiko", "Tanabe", "Calibration Laboratory", HP, "aiko.tanabe@halvorsen-pike.example", "gmail", 1, []],
  ["marek", "Marek", "Dvorak", "Production", HP, "marek.dvorak@halvorsen-pike.example", "outlook", 1, []],
  ["ruth", "Ruth", "Abelson", "Counsel", "Abelson Legal", "ruth@abelson-legal.example", "lotusNotes", -5, []],
  [
    "sam",
    "Sam",
    "Whitlock",
    "Field Engineer (contractor)",
    "Whitlock Marine",
    "sam@whitlock-marine.example",
    "gmail",
    -8,
    ["sam.whitlock@halvorsen-pike.example"],
  ],
  [
    "elena",
    "Elena",
    "Moretti",
    "Industrial Designer",
    "Studio Moretti",
    "elena@studio-moretti.example",
    "appleMail",
    1,
    [],
  ],
  ["lars", "Lars", "Bremer", "Harbour Master", "Port of Aldmere", "l.bremer@port-aldmere.example", "outlook", 1, []],
  ["noor", "Noor", "Haddad", "Procurement", "Port of Aldmere", "n.haddad@port-aldmere.example", "outlook", 1, []],
  ["heike", "Heike", "Vogt", "Messtechnik", "Kuestenamt Nord", "vogt@kuestenamt-nord.example", "thunderbird", 1, []],
  [
    "claire",
    "Claire",
    "Fontaine",
    "Achats",
    "Atelier Lumen",
    "claire.fontaine@atelier-lumen.example",
    "appleMail",
    1,
    [],
  ],
  ["diego", "Diego", "Paredes", "Distribuidor", "Marisol Instrumentos", "diego@marisol.example", "gmail", 1, []],
  ["haruto", "春人", "佐々木", "営業部", "Minato Sokki", "sasaki@minato-sokki.example", "outlook", 9, []],
  ["yelena", "Елена", "Соколова", "Отдел продаж", "Priborlab", "sokolova@priborlab.example", "thunderbird", 3, []],
  ["weilin", "伟林", "陈", "销售经理", "Donghai Dianzi", "chen@donghai.example", "outlook", 8, []],
  ["bettina", "Bettina", "Crowe", "Letting Agent", "Crowe & Daughter", "bettina@crowe-letting.example", "gmail", 0, []],
  ["felix", "Félix", "Arnaud", "Recruiter", "Arnaud Talent", "felix.arnaud@arnaud-talent.example", "gmail", 1, []],
  ["hugo", "Hugo", "Steen", "Auditor", "Akkredita", "h.steen@akkredita.example", "lotusNotes", 1, []],
  [
    "mina",
    "Mina",
    "Karlsen",
    "Fair Organiser",
    "OceanTech Fair",
    "mina.karlsen@oceantech-fair.example",
    "outlook",
    1,
    [],
  ],
  [
    "olu",
    "Olu",
    "Adeyemi",
    "Electronics Engineer",
    HP,
    "olu.adeyemi@halvorsen-pike.example",
    "thunderbird",
    1,
    ["olu@adeyemi-home.example"],
  ],
];

export const PEOPLE: ReadonlyMap<string, Person> = new Map(
  ROWS.map(([key, first, last, role, company, email, program, zone, otherEmails], index) => [
    key,
    { key, first, last, role, company, email, program, zone, otherEmails, phone: fictionPhone(index, zone) },
  ]),
);

/** Numbers that are never given out: 01632 960xxx (Ofcom), 555-01xx (NANPA). */
function fictionPhone(index: number, zone: number): string {
  const two = String(10 + index);
  return zone < 0 ? `+1 (206) 555-01${two}` : `+44 1632 9601${two}`;
}

export function personOf(key: string): Person {
  const person = PEOPLE.get(key);
  if (person === undefined) throw new Error(`no person ${key}`);
  return person;
}

/** The three whose mailboxes make the archive, and the format each is kept in. */
export const OWNERS = { greta: "mbox", tomas: "maildir", office: "eml" } as const;
export type Owner = keyof typeof OWNERS;
