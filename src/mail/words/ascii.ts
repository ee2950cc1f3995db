/** Characters of ASCII by their codes, as bytes and UTF-16 units have them. */
export const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const ESCAPE = 0x1b;
export const SPACE = 0x20;
export const EXCLAMATION_MARK = 0x21;
export const QUOTE = 0x22;
export const APOSTROPHE = 0x27;
export const CLOSING_PARENTHESIS = 0x29;
export const ASTERISK = 0x2a;
export const PLUS = 0x2b;
export const COMMA = 0x2c;
export const HYPHEN = 0x2d;
export const FULL_STOP = 0x2e;
export const SLASH = 0x2f;
export const DIGIT_0 = 0x30;
export const DIGIT_9 = 0x39;
export const COLON = 0x3a;
export const SEMICOLON = 0x3b;
export const LESS_THAN = 0x3c;
export const EQUALS = 0x3d;
export const GREATER_THAN = 0x3e;
export const QUESTION_MARK = 0x3f;
export const AT = 0x40;
export const OPENING_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSING_BRACKET = 0x5d;
export const UNDERSCORE = 0x5f;
export const BACKTICK = 0x60;
export const OPENING_BRACE = 0x7b;
export const CLOSING_BRACE = 0x7d;
export const TILDE = 0x7e;

/** True for the letters of English. */
export function isAsciiLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** True for 0 to 9; false beyond a text (NaN) and beyond bytes (undefined). */
export function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= DIGIT_0 && code <= DIGIT_9;
}

/** True for a letter in lower case or a digit; false beyond a text (NaN). */
export function isLowerLetterOrDigit(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= DIGIT_0 && code <= DIGIT_9);
}
