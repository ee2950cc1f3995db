import { isDigit } from "../../mail/words/ascii.ts";
import { wordSet } from "../../mail/words/word-table.ts";

/**
 * Owner of a mailbox: a person, a shared role (`sales@`), a machine (`no-reply@`), or a mailing list (detected from its
 * mail).
 */
export type AddressKind = "person" | "role" | "robot" | "list";

const ROBOT_WORDS = wordSet(
  "noreply noaddress undisclosed donotreply dontreply mailerdaemon daemon bounce bounces autoreply autoresponder automailer automated notification notifications " +
    "notify notifier alert alerts listserv majordomo listproc mailman lists listmaster robot bot cron root system mailer " +
    "unsubscribe subscribe subscriptions newsletter newsletters digest ezine tracker jira bugzilla jenkins nagios migration",
);

const ROLE_WORDS = wordSet(
  "info information support sales help helpdesk desk admin administrator administration webmaster hostmaster postmaster abuse security office team " +
    "teams staff employees everyone all group groups list announcement announcements announce announcing hr humanresources recruiting recruitment careers jobs marketing press media " +
    "publicrelations contact contactus feedback enquiries inquiries billing invoices invoice accounts accounting accountspayable payroll orders order service services " +
    "customerservice customercare customers clientservices operations ops dispatch reception frontdesk concierge events event registration registrar registrations conference " +
    "training library archive archives editor editors news newsdesk updates update department dept division committee board council association " +
    "members membership mailinglist mailinglists maillist users user mailbox mail email postoffice communications communication corporate general distribution chairman reports report research legal " +
    "purchasing procurement facilities maintenance trading scheduling schedulers outage controls compliance survey program programs project resources center centre inc corp llc ltd company",
);

/** Share of digits in the local part above which it is generated (`20010507.4711@…`). */
const MAX_DIGIT_SHARE = 0.5;

/** Local parts that machines write around a name: list owners and senders, and variable envelope return paths. */
const ROBOT_AFFIXES =
  /^(?:owner|bounces?|return|reply|errors)[-+=]|[-+](?:owner|request|bounces?|errors|admin|subscribe|unsubscribe|return)$|=/;

/** @param local local part, lower case. */
export function addressKind(local: string): AddressKind {
  if (ROBOT_AFFIXES.test(local)) return "robot";
  let digits = 0;
  for (let at = 0; at < local.length; at++) if (isDigit(local.charCodeAt(at))) digits++;
  if (digits > local.length * MAX_DIGIT_SHARE) return "robot";
  const words = local.split(/[\x00-\x60\x7b-\x7f]+/);
  if (
    ROBOT_WORDS.has(words.join("")) ||
    words.some((word, at) => ROBOT_WORDS.has(word) || ROBOT_WORDS.has(word + (words[at + 1] ?? "")))
  ) {
    return "robot";
  }
  return words.some(isRoleWord) || ROLE_WORDS.has(words.join("")) ? "role" : "person";
}

/** Further hosts of automatic senders, besides those with robot names. */
const SENDING_HOSTS = wordSet("news enews enewsletter mailgate mailout");

/**
 * True for a host that only programs send from: `lists.x.example`, `news.x.example`. Ignores the last two labels, the
 * domain name.
 */
export function isMachineHost(domain: string): boolean {
  const labels = domain.split(".").slice(0, -2);
  return labels.some((label) => SENDING_HOSTS.has(label) || ROBOT_WORDS.has(label));
}

/**
 * True for a word that is never a person's name, so that a name with it is a function or a machine. @param word lower
 * case.
 */
export function isRoleWord(word: string): boolean {
  return ROLE_WORDS.has(word) || ROBOT_WORDS.has(word);
}
