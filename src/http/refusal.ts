import { ArchiveError, codesSentBy, ERRORS } from "../errors.ts";

/** Codes of the errors that the query surfaces send. */
export const WIRE_CODES = codesSentBy("query");

/** Codes of the errors that the upload service sends. */
export const SERVICE_CODES = codesSentBy("query", "service");
type ServiceCode = (typeof SERVICE_CODES)[number];

/** An error as a client sees it. */
export interface Refusal {
  readonly status: number;
  readonly code: ServiceCode;
  readonly message: string;
}

/** Without internal details: error messages may contain paths or text of mail. The log has the cause. */
const NEUTRAL_MESSAGE = "internal server error; see the server log";

/** Message for readers of a collection, without the cause, which names server and user. */
const AWAY_MESSAGE = "cannot reach the database of this archive; see the server log";

/** Error for a damaged archive; its cause names the file. */
const DAMAGED_MESSAGE = "the archive or its notebook is damaged; see the server log and run archivetool validate";

/** Messages for errors of the framework by code, in terms that clients know. */
const FRAMEWORK_MESSAGES: ReadonlyMap<string, string> = new Map([
  ["FST_ERR_CTP_BODY_TOO_LARGE", "the request body is too large"],
  ["FST_ERR_CTP_INVALID_CONTENT_LENGTH", "the request body does not match its Content-Length"],
  ["FST_ERR_BAD_URL", "the path is not valid percent-encoded UTF-8"],
]);

/** Any thrown value as an API error: expected errors keep their message, faults get a neutral one. */
export function refusalOf(thrown: unknown): Refusal {
  if (isClientFault(thrown)) return refusal("INVALID_QUERY", FRAMEWORK_MESSAGES.get(thrown.code) ?? thrown.message);
  if (!(thrown instanceof ArchiveError)) return refusal("INTERNAL_ERROR", NEUTRAL_MESSAGE);
  const { code, message } = thrown;
  if (code === "ARCHIVE_DAMAGED") return refusal(code, DAMAGED_MESSAGE);
  if (code === "QUERY_TOO_EXPENSIVE") return refusal(code, `${message}; ${ERRORS[code].hint}`);
  if (code === "STORE_UNREACHABLE") return refusal(code, AWAY_MESSAGE);
  return isServiceCode(code) && code !== "INTERNAL_ERROR"
    ? refusal(code, message)
    : refusal("INTERNAL_ERROR", NEUTRAL_MESSAGE);
}

function refusal(code: ServiceCode, message: string): Refusal {
  return { status: ERRORS[code].httpStatus, code, message };
}

function isServiceCode(code: string): code is ServiceCode {
  return (SERVICE_CODES as readonly string[]).includes(code);
}

/** Fastify gives client errors a status from 400 to 499. */
function isClientFault(thrown: unknown): thrown is Error & { readonly code: string } {
  if (!(thrown instanceof Error) || !("statusCode" in thrown) || !("code" in thrown)) return false;
  const { statusCode, code } = thrown;
  return typeof statusCode === "number" && statusCode >= 400 && statusCode < 500 && typeof code === "string";
}
