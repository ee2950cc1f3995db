import { NO_ENTRY } from "../../columns/hash-index.ts";
import { NumberedTexts } from "../../columns/numbered-texts.ts";
import { PagedFloat64Column, PagedUint32Column } from "../../columns/paged-column.ts";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import { wordSet } from "../../mail/words/word-table.ts";

/**
 * Second-level labels under which a country's registry sells names (`example.co.uk`). A full public suffix list would
 * need an update with every release; these cover the registries that organizations with mail of their own use.
 */
const SECOND_LEVEL_LABELS = wordSet(
  "ac co com edu gen go gob gouv gov gv id ind info ltd mil ne net nhs nom or org plc sch school web",
);

/** Domains under which every customer has a subdomain, so that the label before them identifies the organization. */
const HOSTING_DOMAINS = wordSet(
  "onmicrosoft.com github.io herokuapp.com blogspot.com appspot.com azurewebsites.net cloudfront.net sharepoint.com zendesk.com",
);

/** Providers with unrelated customers: equal names there are different people. */
const FREE_MAIL_DOMAINS = wordSet(
  "gmail.com googlemail.com yahoo.com ymail.com rocketmail.com hotmail.com hotmail.co.uk hotmail.fr hotmail.de outlook.com live.com live.co.uk msn.com passport.com " +
    "aol.com aim.com netscape.net compuserve.com cs.com icloud.com me.com mac.com proton.me protonmail.com pm.me fastmail.com fastmail.fm " +
    "hushmail.com tutanota.com zoho.com mail.com email.com usa.net juno.com netzero.net excite.com lycos.com altavista.com iname.com bigfoot.com " +
    "gmx.de gmx.net gmx.at gmx.ch gmx.com web.de t-online.de freenet.de arcor.de online.de free.fr wanadoo.fr orange.fr laposte.net sfr.fr " +
    "libero.it tiscali.it virgilio.it alice.it tin.it terra.es telefonica.net uol.com.br bol.com.br terra.com.br mail.ru yandex.ru rambler.ru " +
    "bk.ru inbox.ru list.ru wp.pl onet.pl o2.pl interia.pl seznam.cz centrum.cz qq.com 163.com 126.com sina.com sohu.com foxmail.com naver.com daum.net hanmail.net " +
    "earthlink.net mindspring.com ix.netcom.com netcom.com prodigy.net sbcglobal.net swbell.net pacbell.net bellsouth.net ameritech.net att.net worldnet.att.net " +
    "comcast.net verizon.net cox.net charter.net rr.com optonline.net flash.net rogers.com shaw.ca sympatico.ca telus.net bigpond.com optusnet.com.au " +
    "btinternet.com ntlworld.com virgin.net blueyonder.co.uk talktalk.net sky.com xtra.co.nz home.com mediaone.net webtv.net evite.com " +
    "googlegroups.com yahoogroups.com egroups.com onelist.com topica.com listbot.com",
);

/** The provider names that exist under many country codes (`yahoo.co.uk`, `hotmail.it`). */
const FREE_MAIL_LABELS = wordSet("yahoo ymail hotmail live outlook gmx aol msn");

/**
 * The domain that was registered: the last two labels, three under second-level registries and hosting domains.
 * @param domain lower case, without trailing dot. IP literals and single labels are returned unchanged.
 */
export function registrableDomain(domain: string): string {
  const labels = domain.split(".");
  if (labels.length <= 2 || domain.startsWith("[") || isDecimal(labels[labels.length - 1]!)) return domain;
  const top = labels[labels.length - 1]!;
  const second = labels[labels.length - 2]!;
  const keeps =
    (top.length === 2 && SECOND_LEVEL_LABELS.has(second)) ||
    // States (`state.tx.us`) and federal agencies of the United States.
    (top === "us" && (second.length === 2 || second === "fed")) ||
    HOSTING_DOMAINS.has(`${second}.${top}`)
      ? 3
      : 2;
  return labels.slice(-keeps).join(".");
}

function isDecimal(label: string): boolean {
  return /^[0-9]+$/.test(label);
}

/** True if sharing this domain is no evidence about two people. */
export function isFreeMailDomain(registrable: string): boolean {
  return FREE_MAIL_DOMAINS.has(registrable) || FREE_MAIL_LABELS.has(registrable.slice(0, registrable.indexOf(".")));
}

/**
 * The organizations of an archive, and the meaning of names without a top-level domain (`@ACME`, `/O=ACME`) among
 * them.
 */
export interface Organizations {
  /** Registrable domain of an organization, or null for free mail and unknown names. */
  readonly organizationOf: (domain: string) => string | null;
  /** The domain of a single label, or null. */
  readonly domainOfLabel: (label: string) => string | null;
}

/**
 * Learns from the domains that occur which organization a bare label means: first the registered name (`acme` is
 * `acme.com`), then a host below one (`ect` is `ect.acme.com`, hence `acme.com`); the more used domain wins, then the
 * smaller name.
 * @param uses domains, lower case, with messages that name them; a domain may come several times.
 */
export function findOrganizations(uses: Iterable<DomainUses>, memory: PagedMemory): Organizations {
  const domains = new NumberedTexts(memory);
  const names = new RegisteredNames(memory);
  /** By domain. */
  const nameOf = new PagedUint32Column(memory);
  for (const [domain, count] of uses) {
    if (!domain.includes(".")) continue;
    const number = domains.numberOf(domain);
    if (number === nameOf.length) nameOf.push(names.numberOf(registrableDomain(domain)));
    names.use(nameOf.at(number), count);
  }
  const byName = new LabelOwners(memory, names);
  const byHost = new LabelOwners(memory, names);
  for (let number = 0; number < domains.size; number++) {
    const registered = nameOf.at(number);
    const name = names.at(registered);
    if (isFreeMailDomain(name)) continue;
    byName.claim(name.slice(0, name.indexOf(".")), registered);
    const domain = domains.at(number);
    if (domain.length === name.length) continue;
    for (const host of domain.slice(0, domain.length - name.length - 1).split(".")) byHost.claim(host, registered);
  }
  for (const part of [domains, nameOf]) part.clear();
  const domainOfLabel = (label: string) => byName.ownerOf(label) ?? byHost.ownerOf(label);
  const organizationOf = (domain: string) => {
    if (!domain.includes(".")) return domainOfLabel(domain);
    const name = registrableDomain(domain);
    return isFreeMailDomain(name) ? null : name;
  };
  return { organizationOf, domainOfLabel };
}

/** A domain, and its number of uses. */
type DomainUses = readonly [domain: string, uses: number];

/** The registered domains, by their numbers. */
class RegisteredNames {
  private readonly names: NumberedTexts;
  private readonly uses: PagedFloat64Column;

  constructor(memory: PagedMemory) {
    this.names = new NumberedTexts(memory);
    this.uses = new PagedFloat64Column(memory);
  }

  numberOf(name: string): number {
    const number = this.names.numberOf(name);
    if (number === this.uses.length) this.uses.push(0);
    return number;
  }

  use(number: number, count: number): void {
    this.uses.set(number, this.uses.at(number) + count);
  }

  usesOf(number: number): number {
    return this.uses.at(number);
  }

  at(number: number): string {
    return this.names.at(number);
  }
}

/** The registered name that each label stands for. */
class LabelOwners {
  private readonly labels: NumberedTexts;
  private readonly owners: PagedUint32Column;

  constructor(
    memory: PagedMemory,
    private readonly names: RegisteredNames,
  ) {
    this.labels = new NumberedTexts(memory);
    this.owners = new PagedUint32Column(memory);
  }

  claim(label: string, name: number): void {
    const number = this.labels.numberOf(label);
    if (number === this.owners.length) this.owners.push(name);
    else if (this.isBetter(name, this.owners.at(number))) this.owners.set(number, name);
  }

  ownerOf(label: string): string | null {
    const number = this.labels.find(label);
    return number === NO_ENTRY ? null : this.names.at(this.owners.at(number));
  }

  private isBetter(one: number, other: number): boolean {
    const { names } = this;
    const more = names.usesOf(one) - names.usesOf(other);
    return one !== other && (more > 0 || (more === 0 && names.at(one) < names.at(other)));
  }
}
