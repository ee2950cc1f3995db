/** The address of a host of UUCP: `mcvax!ukc!ann`. */
const BANG_PATH = /^[a-z][\w.-]{0,63}(?:![\w.%+=-]{1,64}){1,20}$/;
/** An address without a domain, before a comment with the name, as local mail of Unix has it. */
const LOCAL_ADDRESS = /^(?:[a-z][\w.+-]{0,63}|MAILER-DAEMON)$/;

/** True for a word that is an address although it has no "@". @param comment text in parentheses after it */
export function isUnixAddress(word: string, comment: string): boolean {
  return BANG_PATH.test(word) || (comment !== "" && LOCAL_ADDRESS.test(word));
}
