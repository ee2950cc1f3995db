/** Maximum length of a header field name in characters. */
const MAX_FIELD_NAME = 32;
/**
 * Fields that machines write for machines (RFC 5322 3.6.4 to 3.6.7, RFC 2045, 2369, 3834): some programs quote or
 * forward a message with its whole header.
 */
const MACHINE_FIELDS: ReadonlySet<string> = new Set(
  "received return-path message-id in-reply-to references mime-version delivered-to precedence errors-to status lines auto-submitted authentication-results received-spf".split(
    " ",
  ),
);
const MACHINE_PREFIXES = ["content-", "x-", "resent-", "list-", "dkim-", "arc-"] as const;
/** Trace fields (RFC 5322 3.6.7), which do not begin a line of prose. */
const TRACE_FIELD = /^(?:received|return-path|delivered-to):/i;

/** True for a line that begins with the name of a field that machines write. */
export function isMachineField(written: string): boolean {
  const colon = written.indexOf(":");
  if (colon < 1 || colon > MAX_FIELD_NAME) return false;
  const name = written.slice(0, colon).toLowerCase();
  return (
    MACHINE_FIELDS.has(name) || (!name.includes(" ") && MACHINE_PREFIXES.some((prefix) => name.startsWith(prefix)))
  );
}

/** True for a trace field, such as Received. */
export function isTraceField(written: string): boolean {
  return TRACE_FIELD.test(written);
}
